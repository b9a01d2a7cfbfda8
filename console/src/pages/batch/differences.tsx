/** What differs between the tested settings and those of the assistant now. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getAssistantOptions } from 'conversation-analysis-client/react-query';
import type { Batch } from 'conversation-analysis-client';
import { changesOf } from '../../analysis-settings/changed-settings.ts';
import { SettingsDiff } from '../../analysis-settings/settings-diff.tsx';
import { Panel } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';

const words = texts.experiment;

export function Differences({ batch: { filter, overrides, assistant_version, differs } }: { batch: Batch }) {
  const id = String(filter['assistant_id']);
  const { data } = useQuery(getAssistantOptions({ path: { id } }));
  if (!data || !differs?.length) return null;
  const [version, current] = [assistant_version ?? undefined, data.version];
  return (
    <Panel title={words.differsFrom(current)} isFlush={overrides !== null}>
      {overrides ? (
        <SettingsDiff assistant={data} changes={changesOf(data, overrides)} />
      ) : (
        <Link to="/assistants/$assistantId/versions" params={{ assistantId: id }} search={{ version, with: current }}>
          {words.changes}
        </Link>
      )}
    </Panel>
  );
}
