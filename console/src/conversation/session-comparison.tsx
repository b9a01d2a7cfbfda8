import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from 'conversation-analysis-client';
import { areEqualValues } from '../../../contract/fields/equal-values.ts';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import { Comparison, type ComparedRow } from '../components/comparison.tsx';
import { Panel } from '../components/page.tsx';
import { Money, Time } from '../components/values.tsx';
import { FieldTitle, useFieldTitles } from '../fields/field-title.tsx';
import { answerOf, reviewState } from '../server/review.ts';
import { texts } from '../texts/index.ts';
import { FieldAnswer } from './field-answer.tsx';
import { partsOf, splitFields } from './result-tab.tsx';
import { settingRows, settingsOf } from '../analysis-settings/setting-rows.tsx';

const words = texts.compare;
const { marks } = texts.experiment;

interface SessionComparisonProps {
  sessions: readonly [Session, Session];
  /** The name of the second session, whose settings may not be saved. Default: its version. */
  name?: string;
}

const nameOf = ({ assistant_version: version }: Session) =>
  version === null ? texts.batches.overrides : texts.versions.of(version);

/** Compares the outcome, the values of each field, and the settings of two sessions. */
export function SessionComparison({ sessions, name }: SessionComparisonProps) {
  const [one, other] = sessions;
  const titleOf = useFieldTitles(other.assistant.id, [
    ...(one.assistant.fields ?? []),
    ...(other.assistant.fields ?? []),
  ]);
  const enabled = other.source_session_id === one.session_id && Boolean(one.assistant.fields?.length);
  const { data: state } = useQuery({ ...reviewState(one.session_id), enabled });
  const head = (session: Session, title = nameOf(session)) => (
    <>
      {/* In another tab, because the form of a trial may not be saved. */}
      <Link to="/sessions/$sessionId" params={{ sessionId: session.session_id }} target={name && '_blank'}>
        {title}
      </Link>
      <br />
      <span className="note">
        <Time at={session.created_at} /> · <Money usd={session.total_cost} isKnown={session.cost_known} />
      </span>
    </>
  );
  const results = sessions.map((session) => splitFields(session, titleOf));
  const parts = results.map(({ result }) => partsOf(result ?? {}).map((part) => ({ ...part, key: part.title })));
  /** Says what became of an answer that a person has given. */
  const markOf = ({ name: key, type }: ResultField) => {
    const given = state && answerOf(state.review, key);
    if (given === undefined || given === 'unsure') return null;
    const [wasRight, isRight] = results.map(({ fields }) =>
      areEqualValues(type, fields?.results.fields[key] ?? null, given.value),
    );
    if (isRight && wasRight) return null;
    const mark = isRight ? 'right' : wasRight ? 'wrong' : 'stillWrong';
    return <div className={mark === 'right' ? '' : 'bad'}>{marks[mark]}</div>;
  };
  const answers = compareParts(
    results.map(({ fields }) =>
      (fields?.fields ?? []).map((field) => ({
        key: field.name,
        title: (
          <>
            <FieldTitle {...field} />
            {markOf(field)}
          </>
        ),
        value: fields?.results.fields[field.name],
        content: fields && <FieldAnswer {...{ field, titleOf }} results={fields.results} onShow={undefined} />,
      })),
    ),
  );
  const settings = settingsOf(one.assistant.type).filter((each) => each !== 'fields');
  const rows = [...answers, ...compareParts(parts), ...settingRows(one.assistant, other.assistant, settings)];
  const changed = answers.filter(({ isDifferent }) => isDifferent).length;
  const comparison = <Comparison caption={words.withOriginal} heads={[head(one), head(other, name)]} rows={rows} />;
  return (
    <>
      {answers.length > 0 && <strong>{words.changed(changed, answers.length)}</strong>}
      {rows.some(({ isDifferent }) => isDifferent) ? comparison : <Panel>{comparison}</Panel>}
    </>
  );
}

type ComparedPart = Pick<ComparedRow, 'key' | 'title'> & { value?: unknown; content: ReactNode };

/** Returns a row for each part of the results, from the parts of each session. */
function compareParts(columns: readonly (readonly ComparedPart[])[]): ComparedRow[] {
  const all = new Map(columns.flat().map(({ key, title }) => [key, title]));
  return [...all].map(([key, title]) => {
    const pair = columns.map((column) => column.find((part) => part.key === key));
    const [one, other] = pair.map((part) => JSON.stringify(part?.value ?? null));
    return { key: `result.${key}`, title, cells: pair.map((part) => part?.content), isDifferent: one !== other };
  });
}
