import { useQuery } from '@tanstack/react-query';
import type { Timeline as TimelineData, TimelineEntry } from 'conversation-analysis-client';
import { getSessionTimelineOptions } from 'conversation-analysis-client/react-query';
import { DataTable, type Column } from '../components/data-table.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/page.tsx';
import { Status } from '../components/status.tsx';
import { Elapsed, Money, Nothing } from '../components/values.tsx';
import { DeliveryControls } from '../deliveries/delivery-controls.tsx';
import { useNow } from '../format/clock.ts';
import { formatCountdown, formatPosition } from '../format/durations.ts';
import { formatNumber } from '../format/numbers.ts';
import { modelName } from '../format/providers.ts';
import { usePollWhile } from '../live/events.ts';
import { wordFailure } from '../server/reasons.ts';
import { apiBase } from '../server/workspace.ts';
import { texts } from '../texts/index.ts';

const words = texts.session.timeline;
export const STEPS = { ...texts.steps, fetch: words.fetch, delivery: texts.assistants.webhook };

/** Shorter waits are hidden. */
const MIN_WAIT_MS = 5;

interface TimelineProps {
  sessionId: string;
  isUnfinished: boolean;
}

/** The calls and waits of a session in their order, from the queue to the webhook. */
export function Timeline({ sessionId, isUnfinished }: TimelineProps) {
  const timeline = useQuery({
    ...getSessionTimelineOptions({ path: { id: sessionId } }),
    refetchInterval: usePollWhile<TimelineData>((data) => isUnfinished || (data?.data.some(isOpen) ?? false)),
  });
  return (
    <Panel title={words.title} isFlush>
      <Loaded query={timeline}>
        {({ data }) => (
          <DataTable
            caption={words.title}
            columns={columnsOf(sessionId)}
            rows={data.filter(
              ({ kind, duration_ms }) => kind === 'call' || (duration_ms ?? MIN_WAIT_MS) >= MIN_WAIT_MS,
            )}
            rowKey={keyOf}
            isCards
          />
        )}
      </Loaded>
      {timeline.data?.skipped_follow_ups?.map((id) => (
        <p key={id} className="note warn">
          {texts.session.skipped(id)}
        </p>
      ))}
    </Panel>
  );
}

const isOpen = ({ ended_at }: TimelineEntry) => ended_at === null;

const keyOf = (entry: TimelineEntry) =>
  [entry.kind, entry.step, entry.attempt, entry.delivery_id, entry.started_at].join(' ');

const isPaid = ({ kind, step }: TimelineEntry) => kind === 'call' && step !== 'delivery';

const columnsOf = (sessionId: string): Column<TimelineEntry>[] => [
  { key: 'step', title: words.step, cell: (entry) => <span className="nowrap">{nameOf(entry)}</span> },
  {
    key: 'by',
    title: texts.settingTitles.llm_provider,
    cell: ({ provider, model }) => <span className="nowrap">{modelName(provider, model) || <Nothing />}</span>,
  },
  {
    key: 'time',
    title: words.duration,
    align: 'end',
    cell: ({ started_at, ended_at }) => <Elapsed from={started_at} to={ended_at} />,
  },
  {
    key: 'result',
    title: texts.share.choices.result,
    isWide: true,
    cell: (entry) => <Result {...{ entry, sessionId }} />,
  },
  {
    key: 'cost',
    title: texts.sessions.cost,
    align: 'end',
    cell: (entry) => (isPaid(entry) && !isOpen(entry) ? <Cost entry={entry} /> : <Nothing />),
  },
];

function nameOf({ kind, step, attempt, alert }: TimelineEntry): string {
  const name = alert ?? STEPS[step];
  if (kind === 'wait')
    return step === 'queue' ? texts.status.queued : words.waitBefore(alert ?? name.toLowerCase(), attempt);
  return attempt > 1 || step === 'delivery' ? words.attempt(name, attempt) : name;
}

/** The status of an entry, what the provider or the receiver answered, and a link to the stored response. */
function Result({ entry, sessionId }: { entry: TimelineEntry; sessionId: string }) {
  const { status, kind, step, error, call_id, delivery_id, due_at } = entry;
  const now = useNow(isOpen(entry));
  const isWaiting = kind === 'wait' && isOpen(entry);
  const leftMs = due_at === null ? undefined : Date.parse(due_at) - now;
  return (
    <div className="row">
      {(!isWaiting || leftMs === undefined) && <Status name={status} />}
      {isWaiting && leftMs !== undefined && (
        <span>{leftMs > 0 ? words.nextIn(formatCountdown(leftMs)) : words.due}</span>
      )}
      {isWaiting && delivery_id !== null && <DeliveryControls deliveryId={delivery_id} size="small" />}
      {error && <span dir="auto">{reasonOf(error, step)}</span>}
      {call_id !== null && (
        <a href={`${apiBase()}/v1/sessions/${sessionId}/calls/${call_id}`} target="_blank" rel="noopener">
          JSON
        </a>
      )}
    </div>
  );
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

/** The cost of a call, and what it is computed from. */
function Cost({ entry: { cost_usd, usage, tier } }: { entry: TimelineEntry }) {
  const { input_tokens, output_tokens, audio_seconds } = usage ?? {};
  const amounts = [
    input_tokens !== undefined && `${texts.usage.inputTokens}: ${formatNumber(input_tokens)}`,
    output_tokens !== undefined && `${texts.usage.outputTokens}: ${formatNumber(output_tokens)}`,
    audio_seconds !== undefined && `${texts.sessions.audio}: ${formatPosition(audio_seconds)}`,
    tier !== undefined && texts.settingTexts.values['economy']?.[tier],
  ].filter(Boolean);
  return (
    <>
      <Money usd={cost_usd} />
      {amounts.length > 0 && <small className="nowrap"> {amounts.join(' · ')}</small>}
    </>
  );
}
