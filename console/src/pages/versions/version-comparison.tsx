import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { getAssistantVersionOptions } from 'conversation-analysis-client/react-query';
import type { Assistant, AssistantVersion } from 'conversation-analysis-client';
import { VOICE_SETTINGS } from '../../../../contract/values/constants.ts';
import { Choice } from '../../components/choice.tsx';
import { Diff } from '../../components/diff.tsx';
import { Facts } from '../../components/facts.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { SideBySide } from '../../components/side-by-side.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import { FieldComparison } from './field-comparison.tsx';
import { differ, printSetting, SETTINGS } from './settings.ts';
import styles from './versions.module.css';

const words = texts.versions;

interface VersionComparisonProps {
  assistant: Assistant;
  chosen: number;
  other: number;
}

/** Compares two versions, the older one first. */
export function VersionComparison({ assistant, chosen, other }: VersionComparisonProps) {
  const [first, second] = [Math.min(chosen, other), Math.max(chosen, other)];
  const read = (version: number) =>
    getAssistantVersionOptions({ path: { id: assistant.id, version: String(version) } });
  const one = useQuery(read(first));
  const two = useQuery(read(second));
  return (
    <Panel
      title={words.comparison(first, second)}
      actions={<ChooseOther assistant={assistant} chosen={chosen} other={other} />}
    >
      <Loaded query={both(one, two)} lines={6}>
        {([older, newer]) => <Comparison one={older} two={newer} isVoice={assistant.type === 'voice'} />}
      </Loaded>
    </Panel>
  );
}

function ChooseOther({ assistant, chosen, other }: VersionComparisonProps) {
  const navigate = useNavigate();
  const versions = Array.from({ length: assistant.version }, (_, index) => assistant.version - index);
  return (
    <Choice
      label={words.with}
      value={String(other)}
      options={versions
        .filter((version) => version !== chosen)
        .map((version) => ({ value: String(version), label: words.of(version) }))}
      onChoose={(version) =>
        void navigate({
          to: '/assistants/$assistantId/versions',
          params: { assistantId: assistant.id },
          search: { version: chosen, with: Number(version) },
        })
      }
    />
  );
}

interface ComparisonProps {
  one: AssistantVersion;
  two: AssistantVersion;
  isVoice: boolean;
}

/** The changed settings, with the unchanged settings below. */
function Comparison({ one, two, isVoice }: ComparisonProps) {
  const names = SETTINGS.filter((name) => isVoice || !VOICE_SETTINGS.some((each) => each === name));
  const changed = names.filter((name) => differ(one, two, name));
  const same = names.filter((name) => !changed.includes(name));
  const rows = changed.filter((name) => name !== 'system_prompt' && name !== 'fields');
  const promptDiff = words.promptDiff(one.version, two.version);
  return (
    <div className={`stack ${styles['comparison']}`}>
      {changed.length === 0 && <p>{words.allSame}</p>}
      {rows.length > 0 && (
        <SideBySide
          caption={words.settingsOf}
          heads={[<Head version={one} />, <Head version={two} />]}
          rows={rows.map((name) => ({
            title: words.settings[name],
            mark: texts.compare.differs,
            cells: [printSetting(name, one.settings), printSetting(name, two.settings)],
          }))}
        />
      )}
      {changed.includes('fields') && (
        <>
          <h3>{words.settings.fields}</h3>
          <FieldComparison
            heads={[words.of(one.version), words.of(two.version)]}
            before={one.settings.fields ?? []}
            after={two.settings.fields ?? []}
          />
        </>
      )}
      {changed.includes('system_prompt') && (
        <>
          <h3>{promptDiff}</h3>
          <Diff label={promptDiff} before={one.settings.system_prompt} after={two.settings.system_prompt} />
        </>
      )}
      <details className={styles['same']}>
        <summary>{words.same(same.map((name) => words.settings[name]).join(', '))}</summary>
        <Facts facts={same.map((name) => [words.settings[name], printSetting(name, one.settings) ?? <Nothing />])} />
      </details>
    </div>
  );
}

const Head = ({ version: { version, created_at } }: { version: AssistantVersion }) => (
  <>
    {words.of(version)}
    <br />
    <Time at={created_at} />
  </>
);
