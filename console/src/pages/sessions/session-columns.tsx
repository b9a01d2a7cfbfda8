import { Link } from '@tanstack/react-router';
import type { SessionListItem } from 'conversation-analysis-client';
import type { Column } from '../../components/data-table.tsx';
import { Status } from '../../components/status.tsx';
import { Elapsed, Money, Time } from '../../components/values.tsx';
import { formatPosition } from '../../format/durations.ts';
import { providerName } from '../../format/providers.ts';
import { formatShortTime } from '../../format/times.ts';
import { wordFailure } from '../../server/reasons.ts';
import { texts } from '../../texts/index.ts';
import { Said } from '../../components/said.tsx';
import styles from '../../lists/list.module.css';

const { marks } = texts.reviews;

type SessionColumn = Column<SessionListItem>;

export const timeColumn: SessionColumn = {
  key: 'started',
  title: texts.sessions.time,
  sort: 'occurred_at',
  cell: ({ occurred_at }) => <Time at={occurred_at} />,
};

/** The summary, or the sentence with the words of a search. */
export const summaryColumn = (q: string | undefined): SessionColumn => ({
  key: 'what',
  title: q === undefined ? texts.share.parts.summary : texts.session.transcript.title,
  isWide: true,
  cell: (row) => <Summary row={row} q={q} />,
});

/** Prefix of the key of a column with a value of the metadata. */
export const METADATA_COLUMN = 'metadata.';

export const metadataColumn = (key: string, isExtra: boolean): SessionColumn => ({
  key: METADATA_COLUMN + key,
  title: key,
  isExtra,
  cell: ({ metadata: { [key]: value } }) =>
    value !== undefined && (
      <span className="cut" dir="auto" title={value}>
        {value}
      </span>
    ),
});

export const extraColumns: SessionColumn[] = [
  {
    key: 'assistant',
    title: texts.kinds.asst,
    isExtra: true,
    cell: ({ assistant: { name } }) => (
      <span className="cut" dir="auto" title={name}>
        {name}
      </span>
    ),
  },
  {
    key: 'status',
    title: texts.sessions.status,
    isExtra: true,
    cell: (row) => <SessionStatus row={row} />,
  },
  {
    key: 'length',
    title: texts.sessions.length,
    sort: 'length',
    align: 'end',
    isExtra: true,
    cell: ({ audio_duration_s, turn_count }) =>
      audio_duration_s !== null
        ? formatPosition(audio_duration_s)
        : turn_count !== null && <span className="nowrap">{texts.sessions.turns(turn_count)}</span>,
  },
  {
    key: 'cost',
    title: texts.sessions.cost,
    sort: 'total_cost',
    align: 'end',
    isExtra: true,
    cell: ({ total_cost, cost_known }) => <Money usd={total_cost} isKnown={cost_known} />,
  },
  { key: 'delivery', title: texts.kinds.dlv, isExtra: true, cell: (row) => <Delivery row={row} /> },
  {
    key: 'review',
    title: texts.batches.filters.review,
    isExtra: true,
    cell: ({ review }) => review && marks[review.corrected.length > 0 || review.has_summary ? 'corrected' : 'reviewed'],
  },
  {
    key: 'took',
    title: texts.sessions.took,
    align: 'end',
    isExtra: true,
    cell: ({ created_at, completed_at }) => <Elapsed from={created_at} to={completed_at} />,
  },
];

/** The summary in one line. A session that is not well says so at its end. */
function Summary({ row, q }: { row: SessionListItem; q: string | undefined }) {
  const { session_id, summary_text, error, trial, source_session_id, delivery, status, hit } = row;
  const text = error ? wordFailure(error) : (summary_text ?? texts.sessions.noSummary);
  const isDelivered = !delivery || delivery.status === 'delivered' || delivery.attempt_count === 0;
  return (
    <div className={styles['line']}>
      <Link
        to="/sessions/$sessionId"
        params={{ sessionId: session_id }}
        search={{ q, t: hit?.start_s ?? undefined }}
        className={summary_text === null ? 'note' : undefined}
        dir="auto"
        title={hit?.text ?? text}
        data-row-link
      >
        {hit ? <Said hit={hit} /> : text}
      </Link>
      {source_session_id && <span className={styles['mark']}>{texts.sessions[trial ? 'trial' : 'reanalysis']}</span>}
      {status !== 'completed' && <SessionStatus row={row} />}
      {!isDelivered && <Delivery row={row} />}
    </div>
  );
}

const SessionStatus = ({ row: { status, waiting_for } }: { row: SessionListItem }) => (
  <Status name={status} waitsFor={providerName(waiting_for?.provider ?? null)} />
);

function Delivery({ row: { delivery } }: { row: SessionListItem }) {
  if (!delivery) return null;
  const { delivery_id: deliveryId, status, attempt_count, next_attempt_at } = delivery;
  return (
    <Link
      to="/deliveries/$deliveryId"
      params={{ deliveryId }}
      title={next_attempt_at ? `${texts.deliveries.next}: ${formatShortTime(next_attempt_at)}` : undefined}
    >
      <Status name={status === 'failed' ? 'undelivered' : status} attempts={attempt_count} />
    </Link>
  );
}
