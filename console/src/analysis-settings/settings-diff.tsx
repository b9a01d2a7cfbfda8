import type { Assistant } from 'conversation-analysis-client';
import { Comparison } from '../components/comparison.tsx';
import { texts } from '../texts/index.ts';
import type { Tested } from './changed-settings.ts';
import { settingRows } from './setting-rows.tsx';

/** The settings that differ, before and after. */
export const SettingsDiff = ({ assistant, changes }: { assistant: Assistant; changes: Tested }) => (
  <Comparison
    caption={texts.experiment.differs}
    heads={[texts.session.settings.now, texts.experiment.tested]}
    rows={settingRows(assistant, { ...assistant, ...changes }, Object.keys(changes) as (keyof Tested)[]).filter(
      ({ isDifferent }) => isDifferent,
    )}
  />
);
