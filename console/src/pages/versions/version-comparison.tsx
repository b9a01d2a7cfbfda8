import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { getAssistantVersionOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Assistant, AssistantVersion, VersionedSettings } from '../../../../clients/typescript/src/index.ts';
import { VOICE_SETTINGS } from '../../../../contract/constants.ts';
import { Choice } from '../../components/choice.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { SideBySide } from '../../components/side-by-side.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import { Diff } from '../session/settings-tab.tsx';
import { FieldComparison } from './field-comparison.tsx';
import { printSetting } from './print-setting.ts';
import { differ, SETTINGS } from './version-columns.tsx';
import styles from './versions.module.css';

const words = texts.versions;

interface VersionComparisonProps {
  assistant: Assistant;
  chosen: number;
  other: number;
}

/** Two versions beside each other, the older one first. */
export function VersionComparison({ assistant, chosen, other }: VersionComparisonProps) {
  const [first, second] = [Math.min(chosen, other), Math.max(chosen, other)];
  const read = (version: number) =>
    getAssistantVersionOptions({ path: { id: assistant.id, version: String(version) } });
  const one = useQuery(read(first));
  const two = useQuery(read(second));
  const error = one.error ?? two.error;
  if (error) return <Problem error={error} />;
  if (!one.data || !two.data) return <Skeleton lines={6} />;
  return (
    <Panel
      title={words.comparison(first, second)}
      actions={<ChooseOther assistant={assistant} chosen={chosen} other={other} />}
    >
      <Comparison one={one.data} two={two.data} isVoice={assistant.type === 'voice'} />
    </Panel>
  );
}

function ChooseOther({ assistant, chosen, other }: VersionComparisonProps) {
  const navigate = useNavigate();
  const choose = (version: number) =>
    void navigate({
      to: '/assistants/$assistantId/versions',
      params: { assistantId: assistant.id },
      search: { version: chosen, with: version },
    });
  const numbers = Array.from({ length: assistant.version }, (_, index) => assistant.version - index);
  return (
    <Choice
      label={words.with}
      value={String(other)}
      options={numbers
        .filter((version) => version !== chosen)
        .map((version) => ({ value: String(version), label: words.of(version) }))}
      onChange={({ target }) => choose(Number(target.value))}
    />
  );
}

interface ComparisonProps {
  one: AssistantVersion;
  two: AssistantVersion;
  isVoice: boolean;
}

/** What differs; what is the same is folded below it. */
function Comparison({ one, two, isVoice }: ComparisonProps) {
  const names = SETTINGS.filter((name) => isVoice || !VOICE_SETTINGS.some((each) => each === name));
  const others = names.filter((name) => differ(one, two, name));
  const rows = others.filter((name) => name !== 'system_prompt' && name !== 'fields');
  const promptDiff = words.promptDiff(one.version, two.version);
  return (
    <div className={styles['comparison']}>
      {others.length === 0 && <p>{words.allSame}</p>}
      {rows.length > 0 && (
        <SideBySide
          caption={words.settingsOf}
          heads={[<Head key="one" version={one} />, <Head key="two" version={two} />]}
          rows={rows.map((name) => ({
            title: words.settings[name],
            mark: texts.compare.differs,
            cells: [printSetting(name, one.settings), printSetting(name, two.settings)],
          }))}
        />
      )}
      {others.includes('fields') && (
        <FieldComparison
          heads={[words.of(one.version), words.of(two.version)]}
          before={one.settings.fields}
          after={two.settings.fields}
        />
      )}
      {others.includes('system_prompt') && (
        <>
          <h3>{promptDiff}</h3>
          <Diff label={promptDiff} before={one.settings.system_prompt} after={two.settings.system_prompt} />
        </>
      )}
      <Same names={names.filter((name) => !others.includes(name))} settings={one.settings} />
    </div>
  );
}

const Same = ({ names, settings }: { names: readonly (keyof VersionedSettings)[]; settings: VersionedSettings }) => (
  <details className={styles['same']}>
    <summary>{words.same(names.map((name) => words.settings[name]).join(', '))}</summary>
    <Facts
      facts={names.map((name) => [words.settings[name], printSetting(name, settings) ?? <Nothing key={name} />])}
    />
  </details>
);

const Head = ({ version: { version, created_at } }: { version: AssistantVersion }) => (
  <>
    {words.of(version)}
    <br />
    <Time at={created_at} />
  </>
);
