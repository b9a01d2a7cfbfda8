import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from 'conversation-analysis-client';
import { Comparison, type ComparedRow } from '../components/comparison.tsx';
import { Status } from '../components/status.tsx';
import { Duration, Money, Time } from '../components/values.tsx';
import { FieldTitle, useFieldTitles, type TitleOf } from '../fields/field-title.tsx';
import { formatUsd } from '../format/numbers.ts';
import { texts } from '../texts/index.ts';
import { FieldAnswer } from './field-answer.tsx';
import { partsOf, splitFields } from './result-tab.tsx';
import { settingRows, settingsOf } from '../analysis-settings/setting-rows.tsx';

const words = texts.compare;

interface SessionComparisonProps {
  sessions: readonly [Session, Session];
  /** Column names. */
  names: readonly [string, string];
}

/** Compares the outcome, the values of each field, and the settings of two sessions. */
export function SessionComparison({ sessions, names }: SessionComparisonProps) {
  const [one, other] = sessions;
  const titleOf = useFieldTitles(other.assistant.id, [
    ...(one.assistant.fields ?? []),
    ...(other.assistant.fields ?? []),
  ]);
  const rowOf = (title: string, cell: (session: Session) => ReactNode, value?: (session: Session) => unknown) => ({
    key: title,
    title,
    cells: [cell(one), cell(other)],
    isDifferent: JSON.stringify(value?.(one)) !== JSON.stringify(value?.(other)),
  });
  const head = ({ session_id, created_at }: Session, name: string) => (
    <>
      <Link to="/sessions/$sessionId" params={{ sessionId: session_id }}>
        {name}
      </Link>
      <br />
      <span className="note">
        <Time at={created_at} />
      </span>
    </>
  );
  const settings = settingsOf(one.assistant.type).filter((name) => name !== 'fields');
  return (
    <Comparison
      caption={words.title}
      heads={[head(one, names[0]), head(other, names[1])]}
      rows={[
        rowOf(
          texts.sessions.status,
          ({ status }) => <Status name={status} />,
          ({ status }) => status,
        ),
        ...resultRows(sessions, titleOf),
        rowOf(
          texts.sessions.cost,
          ({ total_cost, cost_known }) => <Money usd={total_cost} isKnown={cost_known} />,
          ({ total_cost, cost_known }) => [formatUsd(total_cost), cost_known],
        ),
        rowOf(texts.sessions.took, (session) => <Duration ms={durationOf(session)} />),
        ...settingRows(one.assistant, other.assistant, settings),
      ]}
    />
  );
}

const durationOf = ({ created_at, completed_at }: Session) =>
  completed_at === null ? null : Date.parse(completed_at) - Date.parse(created_at);

/** Returns a row for each field, and for each other part of the results. */
function resultRows(sessions: readonly Session[], titleOf: TitleOf): ComparedRow[] {
  const results = sessions.map((session) => splitFields(session, titleOf));
  const answers = results.map(({ fields }) =>
    (fields?.fields ?? []).map((field) => ({
      key: field.name,
      title: <FieldTitle {...field} />,
      value: fields?.results.fields[field.name],
      content: fields && <FieldAnswer {...{ field, titleOf }} results={fields.results} onShow={undefined} />,
    })),
  );
  const parts = results.map(({ result }) => partsOf(result ?? {}).map((part) => ({ ...part, key: part.title })));
  return [answers, parts].flatMap((columns) => {
    const all = new Map(columns.flat().map(({ key, title }) => [key, title]));
    return [...all].map(([key, title]) => {
      const pair = columns.map((column) => column.find((part) => part.key === key));
      const [one, other] = pair.map((part) => JSON.stringify(part?.value ?? null));
      return { key: `result.${key}`, title, cells: pair.map((part) => part?.content), isDifferent: one !== other };
    });
  });
}
