import type { Assistant } from 'conversation-analysis-client';
import { VERSIONED_SETTINGS, type SettingName } from '../../../../contract/assistants/settings.ts';
import { Button } from '../../components/button.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { FormButtons } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';
import { settingRows, settingsOf } from '../../analysis-settings/setting-rows.tsx';
import styles from './conflict.module.css';

const words = texts.assistant;

interface ConflictProps {
  before: Assistant;
  after: Assistant;
  onDiscard: () => void;
  onKeep: () => void;
}

type Name = Exclude<
  SettingName & keyof Assistant & keyof typeof texts.settingTitles,
  (typeof VERSIONED_SETTINGS)[number]
>;

const UNVERSIONED = (Object.keys(texts.settingTitles) as Name[]).filter(
  (name) => !(VERSIONED_SETTINGS as readonly string[]).includes(name),
);

const print = (value: Assistant[Name]) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);

/** Shows what someone else has changed. */
export function Conflict({ before, after, onDiscard, onKeep }: ConflictProps) {
  const rows = [
    ...UNVERSIONED.map((name) => {
      const cells = [print(before[name]), print(after[name])];
      return { key: name, title: texts.settingTitles[name], cells, isDifferent: cells[0] !== cells[1] };
    }),
    ...settingRows(before, after, settingsOf(after.type)),
  ].filter(({ isDifferent }) => isDifferent);
  const changed = words.changedElsewhere(rows.map(({ title }) => title).join(', '));
  return (
    <div className={styles['conflict']} role="alert">
      <p>{changed}</p>
      <Comparison caption={changed} heads={texts.compare.heads} rows={rows} />
      <FormButtons>
        <Button onClick={onKeep}>{words.keepEdits}</Button>
        <Button onClick={onDiscard}>{texts.labels.discard}</Button>
      </FormButtons>
    </div>
  );
}
