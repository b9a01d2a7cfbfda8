import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from 'conversation-analysis-client';
import { SideBySide } from '../../components/side-by-side.tsx';
import { Status } from '../../components/status.tsx';
import { Duration, Money, Time } from '../../components/values.tsx';
import { formatUsd } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import { ResultTab } from '../session/result-tab.tsx';

const words = texts.compare;
const { settings } = texts.versions;

interface Row {
  title: string;
  cell: (session: Session) => ReactNode;
  /** Returns the value to compare. Rows without this function are never marked as different. */
  valueToCompare?: (session: Session) => unknown;
}

const modelOf = ({ assistant }: Session) => assistant.llm_model;
const temperatureOf = ({ assistant }: Session) => assistant.temperature;

const ROWS: readonly Row[] = [
  {
    title: texts.sessions.status,
    cell: ({ status }) => <Status name={status} />,
    valueToCompare: ({ status }) => status,
  },
  { title: texts.sessions.started, cell: ({ created_at }) => <Time at={created_at} /> },
  { title: texts.sessions.took, cell: (session) => <Duration ms={durationOf(session)} /> },
  {
    title: texts.sessions.cost,
    cell: ({ total_cost, cost_known }) => <Money usd={total_cost} isKnown={cost_known} />,
    valueToCompare: ({ total_cost, cost_known }) => `${formatUsd(total_cost)} ${String(cost_known)}`,
  },
  {
    title: settings.llm_provider,
    cell: ({ assistant }) => texts.providers[assistant.llm_provider],
    valueToCompare: ({ assistant }) => assistant.llm_provider,
  },
  { title: settings.llm_model, cell: modelOf, valueToCompare: modelOf },
  { title: settings.temperature, cell: temperatureOf, valueToCompare: temperatureOf },
  { title: texts.session.tabs.result, cell: (session) => <ResultTab session={session} /> },
];

const durationOf = ({ created_at, completed_at }: Session) =>
  completed_at === null ? null : Date.parse(completed_at) - Date.parse(created_at);

interface CompareTableProps {
  sessions: readonly [Session, Session];
  /** Column names. Default: the names of the assistants. */
  names?: readonly [string, string];
}

export function CompareTable({ sessions, names }: CompareTableProps) {
  const [one, other] = sessions;
  const head = ({ session_id, assistant }: Session, name = assistant.name) => (
    <>
      <Link to="/sessions/$sessionId" params={{ sessionId: session_id }}>
        {name}
      </Link>
      <br />
      <code>{session_id}</code>
    </>
  );
  return (
    <SideBySide
      caption={words.title}
      heads={[head(one, names?.[0]), head(other, names?.[1])]}
      rows={ROWS.map(({ title, cell, valueToCompare }) => ({
        title,
        cells: [cell(one), cell(other)],
        mark: valueToCompare?.(one) === valueToCompare?.(other) ? undefined : words.differs,
      }))}
    />
  );
}
