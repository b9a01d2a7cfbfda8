import { Link } from '@tanstack/react-router';
import { AudioLines, MessageSquareText } from 'lucide-react';
import type { SessionListItem } from 'conversation-analysis-client';
import type { Column } from '../../components/data-table.tsx';
import { Status } from '../../components/status.tsx';
import { Countdown, Elapsed, Money, Nothing, Time } from '../../components/values.tsx';
import { formatPosition } from '../../format/durations.ts';
import { firstValue } from '../../format/metadata.ts';
import { providerName } from '../../format/providers.ts';
import { wordFailure } from '../../server/reasons.ts';
import { texts } from '../../texts/index.ts';
import styles from '../../lists/list.module.css';

const { marks } = texts.reviews;

export const sessionColumns: Column<SessionListItem>[] = [
  {
    key: 'status',
    title: texts.sessions.status,
    cell: ({ status, waiting_for }) => <Status name={status} waitsFor={providerName(waiting_for?.provider ?? null)} />,
  },
  { key: 'what', title: texts.session.result.summary, isWide: true, cell: (row) => <What row={row} /> },
  {
    key: 'length',
    title: texts.sessions.length,
    sort: 'length',
    align: 'end',
    isSecondary: true,
    cell: ({ audio_duration_s, turn_count }) =>
      audio_duration_s !== null ? (
        formatPosition(audio_duration_s)
      ) : turn_count !== null ? (
        <span className="nowrap">{texts.sessions.turns(turn_count)}</span>
      ) : (
        <Nothing />
      ),
  },
  {
    key: 'cost',
    title: texts.sessions.cost,
    sort: 'total_cost',
    align: 'end',
    isSecondary: true,
    cell: ({ total_cost, cost_known }) => <Money usd={total_cost} isKnown={cost_known} />,
  },
  { key: 'delivery', title: texts.kinds.dlv, isSecondary: true, cell: (row) => <Delivery row={row} /> },
  {
    key: 'started',
    title: texts.sessions.started,
    sort: 'created_at',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    key: 'took',
    title: texts.sessions.took,
    align: 'end',
    isExtra: true,
    cell: ({ created_at, completed_at }) => <Elapsed from={created_at} to={completed_at} />,
  },
];

function What({ row }: { row: SessionListItem }) {
  const { session_id, type, summary_text, error, assistant, trial, source_session_id, review } = row;
  const id = firstValue(row.metadata);
  const text = error ? wordFailure(error) : (summary_text ?? texts.sessions.noSummary);
  const Icon = type === 'voice' ? AudioLines : MessageSquareText;
  return (
    <div className={styles['what']}>
      <Link
        to="/sessions/$sessionId"
        params={{ sessionId: session_id }}
        className={`${styles['lines']} ${error ? styles['bad'] : ''}`}
        dir="auto"
        title={text}
        data-row-link
      >
        {text}
      </Link>
      <span className={`cut ${styles['below']}`} title={[id, assistant.name].filter(Boolean).join(' · ')}>
        <Icon size={13} role="img" aria-label={texts.types[type]} /> {id && <bdi className={styles['id']}>{id}</bdi>}
        <bdi>{assistant.name}</bdi>
        {trial && <span className={styles['mark']}>{texts.sessions.trial}</span>}
        {source_session_id && !trial && <span className={styles['mark']}>{texts.sessions.reanalysis}</span>}
        {review && (
          <span className={styles['mark']}>
            {marks[review.corrected.length > 0 || review.has_summary ? 'corrected' : 'reviewed']}
          </span>
        )}
      </span>
    </div>
  );
}

function Delivery({ row: { delivery } }: { row: SessionListItem }) {
  if (!delivery) return <Nothing />;
  return (
    <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery.delivery_id }} className={styles['delivery']}>
      <Status name={delivery.status} attempts={delivery.attempt_count} />
      {delivery.next_attempt_at && <Countdown to={delivery.next_attempt_at} />}
    </Link>
  );
}
