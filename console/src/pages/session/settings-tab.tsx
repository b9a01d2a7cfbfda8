import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Assistant, Session } from '../../../../clients/typescript/src/index.ts';
import { getAssistantOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { VOICE_SETTINGS } from '../../../../contract/constants.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Nothing } from '../../components/values.tsx';
import { isNotFound } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';
import { diffLines } from './diff-lines.ts';
import styles from './settings-tab.module.css';

const words = texts.session.settings;

const FIELDS = [
  'name',
  'stt_provider',
  'stt_model',
  'stt_language',
  'channel_roles',
  'llm_provider',
  'llm_model',
  'temperature',
] as const;

/** The settings that produced the result, and how the assistant differs from them now. */
export function SettingsTab({ session: { assistant: frozen, temperature_applied } }: { session: Session }) {
  const { data: present, error } = useQuery({ ...getAssistantOptions({ path: { id: frozen.id } }) });
  const fields = FIELDS.filter((field) => frozen.type === 'voice' || !VOICE_SETTINGS.some((name) => name === field));
  return (
    <div className={styles['settings']}>
      <p className={styles['note']}>
        {isNotFound(error) ? (
          words.deleted
        ) : (
          <Link to="/assistants/$assistantId" params={{ assistantId: frozen.id }}>
            {words.open}
          </Link>
        )}
      </p>
      <Facts
        facts={fields.map((field) => [
          words.fields[field],
          <Value key={field} then={frozen[field]} now={present?.[field]} isKnown={present !== undefined} />,
        ])}
      />
      {temperature_applied === false && <p className={styles['note']}>{words.temperatureIgnored}</p>}
      <Prompt frozen={frozen.system_prompt} present={present} />
    </div>
  );
}

type Setting = string | number | readonly string[] | null | undefined;

interface ValueProps {
  then: Setting;
  now: Setting;
  isKnown: boolean;
}

function Value({ then, now, isKnown }: ValueProps) {
  const print = (value: Setting) => (value == null ? <Nothing /> : [value].flat().join(', '));
  const differs = isKnown && String(now ?? '') !== String(then ?? '');
  return (
    <>
      {print(then)}
      {differs && (
        <span className={styles['now']}>
          {words.now} {print(now)}
        </span>
      )}
    </>
  );
}

function Prompt({ frozen, present }: { frozen: string; present: Assistant | undefined }) {
  const hasChanged = present !== undefined && present.system_prompt !== frozen;
  return (
    <section className={styles['prompt']}>
      <h3>{hasChanged ? words.promptChanged : words.prompt}</h3>
      {hasChanged ? (
        <Diff label={words.promptChanged} before={frozen} after={present.system_prompt} />
      ) : (
        <CodeBlock text={frozen} label={words.prompt} />
      )}
    </section>
  );
}

/** Shows what was removed since and what was added, by sign and word and not by colour alone. */
export const Diff = ({ label, before, after }: { label: string; before: string; after: string }) => (
  <pre className={styles['diff']} tabIndex={0} aria-label={label}>
    {diffLines(before, after).map(({ kind, text }, index) => (
      <span key={index} className={styles[kind]}>
        {kind === 'added' ? '+ ' : kind === 'removed' ? '− ' : '  '}
        {text}
        {'\n'}
      </span>
    ))}
  </pre>
);
