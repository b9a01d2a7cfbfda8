import { Link } from '@tanstack/react-router';
import type { DeliveryListItem } from 'conversation-analysis-client';
import type { Column } from '../../components/data-table.tsx';
import { Status } from '../../components/status.tsx';
import { Countdown, Nothing, Time } from '../../components/values.tsx';
import { firstValue } from '../../format/metadata.ts';
import { texts } from '../../texts/index.ts';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import styles from '../../lists/list.module.css';

export const deliveryColumns: Column<DeliveryListItem>[] = [
  {
    key: 'status',
    title: texts.sessions.status,
    cell: ({ status, attempt_count }) => <Status name={status} attempts={attempt_count} />,
  },
  { key: 'what', title: texts.kinds.dlv, isWide: true, cell: (row) => <What row={row} /> },
  {
    key: 'assistant',
    title: texts.kinds.asst,
    isSecondary: true,
    cell: ({ assistant_id }) => <AssistantName id={assistant_id} />,
  },
  {
    key: 'receiver',
    title: texts.settingTitles.webhook_url,
    isExtra: true,
    cell: ({ last_attempt }) =>
      last_attempt && (
        <span className="cut" title={last_attempt.url}>
          {last_attempt.url}
        </span>
      ),
  },
  { key: 'last', title: texts.deliveries.last, cell: (row) => <LastResponse row={row} /> },
  {
    key: 'next',
    title: texts.deliveries.next,
    isSecondary: true,
    cell: ({ next_attempt_at }) => (next_attempt_at ? <Countdown to={next_attempt_at} /> : <Nothing />),
  },
  { key: 'created', title: texts.sessions.time, cell: ({ created_at }) => <Time at={created_at} /> },
];

/** The call, as in the list of sessions, and what is sent unless it is a result. */
function What({ row: { delivery_id, event, alert, replayed_from, session } }: { row: DeliveryListItem }) {
  const call = session && (firstValue(session.metadata) ?? session.summary_text);
  const title = call ?? alert ?? event;
  const sent = alert ?? event;
  return (
    <div className={styles['line']}>
      <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery_id }} dir="auto" title={title} data-row-link>
        {title}
      </Link>
      {sent !== title && sent !== 'session.completed' && <span className="note nowrap">{sent}</span>}
      {replayed_from && <span className={styles['mark']}>{texts.deliveries.replay}</span>}
    </div>
  );
}

/** A deleted assistant has no name. The cell stays empty until the names are loaded. */
function AssistantName({ id }: { id: string }) {
  const assistants = useAssistantOptions();
  const name = assistants.find(({ value }) => value === id)?.label;
  if (name === undefined) return assistants.length > 0 && <Nothing />;
  return (
    <Link to="/assistants/$assistantId" params={{ assistantId: id }} className="cut" dir="auto" title={name}>
      {name}
    </Link>
  );
}

function LastResponse({ row: { last_attempt } }: { row: DeliveryListItem }) {
  const { status_code = null, failure } = last_attempt ?? {};
  const isCutOff = failure !== null && status_code !== null && status_code < 300;
  if (status_code !== null && !isCutOff) return <code className={failure ? 'bad' : undefined}>HTTP {status_code}</code>;
  if (!failure) return <Nothing />;
  return <span className="nowrap bad">{texts.failures[failure]}</span>;
}
