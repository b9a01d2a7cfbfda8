import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { getAssistantVersionOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Assistant, AssistantVersion, VersionedSettings } from '../../../../clients/typescript/src/index.ts';
import { VOICE_SETTINGS } from '../../../../contract/constants.ts';
import type { ProviderName } from '../../../../contract/constants.ts';
import { Choice } from '../../components/choice.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { SideBySide } from '../../components/side-by-side.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import { Diff } from '../session/settings-tab.tsx';
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

function Comparison({ one, two, isVoice }: ComparisonProps) {
  const shown = SETTINGS.filter(
    (name) => name !== 'system_prompt' && (isVoice || !VOICE_SETTINGS.some((each) => each === name)),
  );
  const promptDiff = words.promptDiff(one.version, two.version);
  const hasOtherPrompt = differ(one, two, 'system_prompt');
  return (
    <div className={styles['comparison']}>
      <SideBySide
        caption={words.comparison(one.version, two.version)}
        heads={[<Head key="one" version={one} />, <Head key="two" version={two} />]}
        rows={shown.map((name) => ({
          title: words.settings[name],
          cells: [print(name, one.settings), print(name, two.settings)],
          differs: differ(one, two, name),
        }))}
      />
      {hasOtherPrompt ? (
        <>
          <h3>{promptDiff}</h3>
          <Diff label={promptDiff} before={one.settings.system_prompt} after={two.settings.system_prompt} />
        </>
      ) : (
        <p>{words.samePrompt}</p>
      )}
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

/** What is neither a text nor a number is shown as JSON. */
function print(name: keyof VersionedSettings, { [name]: value }: VersionedSettings): ReactNode {
  if (value == null) return <Nothing />;
  if (name === 'llm_provider' || name === 'stt_provider') return texts.providers[value as ProviderName];
  return typeof value === 'object' ? <pre>{JSON.stringify(value, null, 2)}</pre> : String(value);
}
