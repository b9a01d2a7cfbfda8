import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from '../../../../clients/typescript/src/index.ts';
import { Status } from '../../components/status.tsx';
import { Duration, Money, Nothing, Time } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import { ResultTab } from '../session/result-tab.tsx';
import styles from './compare.module.css';

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

/** What differs says so in words. */
export function CompareTable({ sessions }: { sessions: readonly [Session, Session] }) {
  const [one, other] = sessions;
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={words.title}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <td />
            {sessions.map(({ session_id, assistant }) => (
              <th key={session_id} scope="col">
                <Link to="/sessions/$sessionId" params={{ sessionId: session_id }}>
                  {assistant.name}
                </Link>
                <br />
                <code>{session_id}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([title, cell, value]) => (
            <tr key={title}>
              <th scope="row">
                {title}
                {value(one) !== value(other) && <span className={styles['differs']}>{words.differs}</span>}
              </th>
              {sessions.map((session) => (
                <td key={session.session_id}>{cell(session) ?? <Nothing />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
