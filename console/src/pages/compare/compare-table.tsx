import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from '../../../../clients/typescript/src/index.ts';
import { SideBySide } from '../../components/side-by-side.tsx';
import { Status } from '../../components/status.tsx';
import { Duration, Money, Time } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import { ResultTab } from '../session/result-tab.tsx';

const words = texts.compare;
const ROWS: readonly [title: string, cell: (session: Session) => ReactNode, value: (session: Session) => unknown][] = [
  [words.status, ({ status }) => <Status name={status} />, ({ status }) => status],
  [texts.session.started, ({ created_at }) => <Time at={created_at} />, () => ''],
  [texts.session.took, (session) => <Duration ms={tookMs(session)} />, () => ''],
  [
    texts.session.cost,
    (session) => <Money usd={session.total_cost} isKnown={session.cost_known} />,
    (session) => session.total_cost,
  ],
  [
    words.provider,
    ({ assistant }) => texts.providers[assistant.llm_provider],
    ({ assistant }) => assistant.llm_provider,
  ],
  [texts.session.model, ({ assistant }) => assistant.llm_model, ({ assistant }) => assistant.llm_model],
  [words.temperature, ({ assistant }) => assistant.temperature, ({ assistant }) => assistant.temperature],
  [words.result, (session) => <ResultTab session={session} />, () => ''],
];

const tookMs = ({ created_at, completed_at }: Session) =>
  completed_at === null ? null : Date.parse(completed_at) - Date.parse(created_at);

interface CompareTableProps {
  sessions: readonly [Session, Session];
  /** What they are called; left out where the names of their assistants tell. */
  names?: readonly [string, string];
}

export function CompareTable({ sessions, names = ['', ''] }: CompareTableProps) {
  const [one, other] = sessions;
  return (
    <SideBySide
      caption={words.title}
      heads={[<Head key="one" session={one} name={names[0]} />, <Head key="other" session={other} name={names[1]} />]}
      rows={ROWS.map(([title, cell, value]) => ({
        title,
        cells: [cell(one), cell(other)],
        mark: value(one) === value(other) ? undefined : words.differs,
      }))}
    />
  );
}

const Head = ({ session: { session_id, assistant }, name }: { session: Session; name: string }) => (
  <>
    <Link to="/sessions/$sessionId" params={{ sessionId: session_id }}>
      {name || assistant.name}
    </Link>
    <br />
    <code>{session_id}</code>
  </>
);
