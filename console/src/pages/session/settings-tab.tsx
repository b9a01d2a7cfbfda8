import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Assistant, Session } from 'conversation-analysis-client';
import { getAssistantOptions } from 'conversation-analysis-client/react-query';
import { VOICE_SETTINGS } from '../../../../contract/values/constants.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Diff } from '../../components/diff.tsx';
import { Facts } from '../../components/facts.tsx';
import { Nothing, Remarks } from '../../components/values.tsx';
import { isNotFound } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';
import { printSetting } from '../versions/settings.ts';
import styles from './tabs.module.css';

const words = texts.session.settings;

const LABELS = { name: texts.common.name, ...texts.versions.settings };

const SETTINGS = [
  ...(['name', 'stt_provider', 'stt_model', 'stt_language', 'channel_roles'] as const),
  ...(['llm_provider', 'llm_model', 'temperature', 'redaction'] as const),
];

/** The settings that produced the result, and their differences from the current assistant. */
export function SettingsTab({ session: { assistant: frozen, temperature_applied } }: { session: Session }) {
  const { data: current, error } = useQuery(getAssistantOptions({ path: { id: frozen.id } }));
  const names = SETTINGS.filter((name) => frozen.type === 'voice' || !VOICE_SETTINGS.some((each) => each === name));
  return (
    <>
      <Remarks>
        {isNotFound(error) ? (
          words.deleted
        ) : (
          <Link to="/assistants/$assistantId" params={{ assistantId: frozen.id }}>
            {words.open}
          </Link>
        )}
      </Remarks>
      <Facts
        facts={names.map((name) => [
          LABELS[name],
          <Value then={print(name, frozen)} now={print(name, current ?? frozen)} />,
        ])}
      />
      {temperature_applied === false && <Remarks>{words.temperatureIgnored}</Remarks>}
      <Prompt frozen={frozen.system_prompt} current={current?.system_prompt ?? frozen.system_prompt} />
    </>
  );
}

type Setting = ReturnType<typeof printSetting>;

const print = (name: (typeof SETTINGS)[number], settings: Session['assistant'] | Assistant): Setting =>
  name === 'name' ? settings.name : printSetting(name, settings);

function Value({ then, now }: Record<'then' | 'now', Setting>) {
  return (
    <>
      {then ?? <Nothing />}
      {(then ?? null) !== (now ?? null) && (
        <span className={styles['now']}>
          {words.now} {now ?? <Nothing />}
        </span>
      )}
    </>
  );
}

const Prompt = ({ frozen, current }: Record<'frozen' | 'current', string>) => (
  <section className={`stack ${styles['part']}`}>
    <h3>{current === frozen ? texts.versions.settings.system_prompt : words.promptChanged}</h3>
    {current === frozen ? (
      <CodeBlock text={frozen} label={texts.versions.settings.system_prompt} />
    ) : (
      <Diff label={words.promptChanged} before={frozen} after={current} />
    )}
  </section>
);
