import { useQuery } from '@tanstack/react-query';
import type { Session, Timeline as TimelineData, TimelineEntry } from 'conversation-analysis-client';
import { getSessionTimelineOptions } from 'conversation-analysis-client/react-query';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/page.tsx';
import { StatusIcon } from '../components/status.tsx';
import { Elapsed, Money } from '../components/values.tsx';
import { DeliveryControls } from '../deliveries/delivery-controls.tsx';
import { useNow } from '../format/clock.ts';
import { formatCountdown, formatPosition } from '../format/durations.ts';
import { formatNumber } from '../format/numbers.ts';
import { modelName } from '../format/providers.ts';
import { usePollWhile } from '../live/events.ts';
import { wordFailure } from '../server/reasons.ts';
import { apiBase } from '../server/workspace.ts';
import { texts } from '../texts/index.ts';
import styles from './timeline.module.css';

const words = texts.session.timeline;
export const STEPS = { ...texts.steps, fetch: words.fetch, delivery: texts.assistants.webhook };

/** Shorter waits are hidden. */
const MIN_WAIT_MS = 1_000;

/** The calls and waits of a session, step by step, from the queue to the webhook. */
export function Timeline({ session }: { session: Session }) {
  const { session_id: id, created_at, completed_at, total_cost, cost_known } = session;
  const timeline = useQuery({
    ...getSessionTimelineOptions({ path: { id } }),
    refetchInterval: usePollWhile<TimelineData>((data) => completed_at === null || (data?.data.some(isOpen) ?? false)),
  });
  const sums = (
    <span className="row note">
      <Elapsed from={created_at} to={completed_at} />
      <Money usd={total_cost} isKnown={cost_known} />
    </span>
  );
  return (
    <Panel title={words.title} actions={sums} isFlush>
      <Loaded query={timeline}>
        {({ data }) => (
          <ol className={styles['steps']} aria-label={words.title}>
            {groupSteps(data).map(([key, entries]) => (
              <Step key={key} sessionId={id} entries={entries} />
            ))}
          </ol>
        )}
      </Loaded>
      {timeline.data?.skipped_follow_ups?.map((id) => (
        <p key={id} className={`note warn ${styles['line']}`}>
          {texts.session.skipped(id)}
        </p>
      ))}
    </Panel>
  );
}

const isOpen = ({ ended_at }: TimelineEntry) => ended_at === null;

/** Returns the entries of each step of a run without short waits. Each delivery is a step of its own. */
function groupSteps(data: readonly TimelineEntry[]) {
  let run = 0;
  const keyed = data.map((entry) => {
    if (entry.step === 'queue') run += 1;
    return { key: `${entry.delivery_id === null ? run : ''} ${entry.step} ${entry.delivery_id}`, entry };
  });
  const shown = keyed.filter(
    ({ entry: { kind, duration_ms } }) => kind === 'call' || (duration_ms ?? MIN_WAIT_MS) >= MIN_WAIT_MS,
  );
  return [...Map.groupBy(shown, ({ key }) => key)].map(
    ([key, group]) => [key, group.map(({ entry }) => entry)] as const,
  );
}

const keyOf = ({ kind, attempt, started_at }: TimelineEntry) => [kind, attempt, started_at].join(' ');

/** The entries of a step. Of three attempts and more, all but the last are folded. */
function Step({ entries, sessionId }: { entries: readonly TimelineEntry[]; sessionId: string }) {
  const calls = entries.filter(({ kind }) => kind === 'call');
  const folded = calls.length > 2 ? entries.findLastIndex(({ kind }) => kind === 'call') : 0;
  const lines = entries.map((entry) => <Line key={keyOf(entry)} {...{ entry, sessionId }} />);
  return (
    <>
      {folded > 0 && calls[0] && (
        <li>
          <details>
            <summary className={styles['line']}>
              <StatusIcon name={calls.at(-2)?.status ?? 'failed'} />
              {words.attempts(titleOf(calls[0]), calls.length - 1)}
            </summary>
            <ol>{lines.slice(0, folded)}</ol>
          </details>
        </li>
      )}
      {lines.slice(folded)}
    </>
  );
}

/** One line: what ran, what it says if it failed, the stored response, the time, and the cost. */
function Line({ entry, sessionId }: { entry: TimelineEntry; sessionId: string }) {
  const { kind, step, status, provider, model, error, call_id, delivery_id, started_at, ended_at } = entry;
  const reason = error && reasonOf(error, step);
  const isWaiting = kind === 'wait' && isOpen(entry);
  return (
    <li className={styles['line']}>
      <StatusIcon name={status} />
      <span className={styles['what']}>
        {nameOf(entry)} <span className="note">{modelName(provider, model)}</span>
      </span>
      {isWaiting && <NextTry entry={entry} />}
      {isWaiting && delivery_id !== null && <DeliveryControls deliveryId={delivery_id} size="small" />}
      {call_id !== null && (
        <a href={`${apiBase()}/v1/sessions/${sessionId}/calls/${call_id}`} target="_blank" rel="noopener">
          JSON
        </a>
      )}
      <span className={styles['number']}>
        <Elapsed from={started_at} to={ended_at} />
      </span>
      <span className={styles['number']}>
        {kind === 'call' && step !== 'delivery' && !isOpen(entry) && <Cost entry={entry} />}
      </span>
      {reason && (
        <span className={`note ${styles['reason']}`} dir="auto">
          {reason}
        </span>
      )}
    </li>
  );
}

/** Counts down to the next attempt, if its time is known. */
function NextTry({ entry: { due_at } }: { entry: TimelineEntry }) {
  const now = useNow();
  if (due_at === null) return null;
  const leftMs = Date.parse(due_at) - now;
  return <span>{leftMs > 0 ? words.nextIn(formatCountdown(leftMs)) : words.due}</span>;
}

const titleOf = ({ step, alert }: TimelineEntry) => alert ?? STEPS[step];

function nameOf(entry: TimelineEntry): string {
  const { kind, step, attempt, alert } = entry;
  const name = titleOf(entry);
  if (kind === 'wait')
    return step === 'queue' ? texts.status.queued : words.waitBefore(alert ?? name.toLowerCase(), attempt);
  return attempt > 1 || step === 'delivery' ? words.attempt(name, attempt) : name;
}

function reasonOf(error: NonNullable<TimelineEntry['error']>, step: TimelineEntry['step']): string {
  // The message of a call already contains the HTTP status. The message of a delivery only repeats code and status.
  if (step !== 'delivery') {
    const { code = null, type = null, param = null } = error.provider_error ?? {};
    // What the provider called the error, in no language.
    const names = [code, type, param].filter((name) => name !== null);
    const said = error.provider_message ? ` “${error.provider_message}”` : '';
    return wordFailure(error) + (names.length === 0 ? '' : ` [${names.join(', ')}]`) + said;
  }
  return texts.failures[error.code] + (error.http_status === null ? '' : ` (HTTP ${error.http_status})`);
}

/** The cost of a call. Its title says what it is computed from. */
function Cost({ entry: { cost_usd, usage, tier } }: { entry: TimelineEntry }) {
  const { input_tokens, output_tokens, audio_seconds } = usage ?? {};
  const amounts = [
    input_tokens !== undefined && `${texts.usage.inputTokens}: ${formatNumber(input_tokens)}`,
    output_tokens !== undefined && `${texts.usage.outputTokens}: ${formatNumber(output_tokens)}`,
    audio_seconds !== undefined && `${texts.sessions.audio}: ${formatPosition(audio_seconds)}`,
    tier !== undefined && texts.settingTexts.values['economy']?.[tier],
  ];
  return (
    <span title={amounts.filter(Boolean).join('\n')}>
      <Money usd={cost_usd} />
    </span>
  );
}
