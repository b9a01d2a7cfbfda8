/** A value of a field with the quotes that support it. */
import { CircleHelp, CircleX } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import type { FieldEvidence, FieldResults, FieldValue, ResultField } from '../../../contract/fields/result-fields.ts';
import { formatValue } from '../fields/conditions.ts';
import { lazyPart } from '../server/load-file.ts';
import { texts } from '../texts/index.ts';
import type { TitleOf } from '../fields/field-title.tsx';
import { ScoreParts } from './score-parts.tsx';
import type { ShowQuotes } from './turns.ts';
import styles from './fields-table.module.css';

const Quotes = lazyPart(() => import('./quotes.tsx'), 'Quotes');

const words = texts.session.fields;

/** The parts of an answer: the model's value and what supports it. */
export interface ShownAnswer {
  field: ResultField;
  /** The model's value. */
  value: FieldValue | null;
  shown: ReactNode;
  evidence: ReactNode;
}

export interface FieldAnswerProps {
  field: ResultField;
  titleOf?: TitleOf;
  results: FieldResults;
  /** Undefined if the page shows no transcript. */
  onShow: ShowQuotes | undefined;
  /** Shows the answer with what people found; undefined if the page shows no review. */
  reviewing?: ((answer: ShownAnswer) => ReactNode) | undefined;
}

/** A value, and one line for each quote that supports it, or why none does. */
export function FieldAnswer({ field, titleOf = String, results, onShow, reviewing = PlainAnswer }: FieldAnswerProps) {
  const { name } = field;
  const value = results.fields[name] ?? null;
  const evidence = results.evidence[name];
  const problem = results.problems?.[name];
  const score = results.scores?.[name];
  const shown = (
    <span className={value === null ? 'note' : styles['value']} dir="auto">
      {value === null ? texts.fields.states.null : formatValue(value, '\n')}
    </span>
  );
  const remark = problem
    ? words.problem(words.problems[problem.code], problem.message)
    : value !== null && evidence && !evidence.verified
      ? sayWhy(evidence)
      : undefined;
  const Icon = problem ? CircleX : CircleHelp;
  return (
    <div className={styles['answer']}>
      {reviewing({
        field,
        value,
        shown: problem && value === null ? <span /> : shown,
        evidence: (
          <>
            {remark && (
              <span className={styles['mark']} style={{ color: `var(--${problem ? 'bad' : 'warn'})` }}>
                <Icon size={13} aria-hidden />
                {remark}
              </span>
            )}
            {score && <ScoreParts score={score} titleOf={titleOf} />}
            {evidence && (
              <Suspense>
                <Quotes {...evidence} onShow={onShow} />
              </Suspense>
            )}
          </>
        ),
      })}
    </div>
  );
}

/** Returns why a value is not verified; undefined if the quotes that nobody said show it. */
function sayWhy({ reason, quotes, dropped, unfound = [] }: FieldEvidence): string | undefined {
  if (reason) return words.problems[reason];
  if (quotes.length > 0) return words.otherSpeaker;
  if (unfound.length > 0) return undefined;
  return dropped > 0 ? words.unverified : words.withoutQuote;
}

const PlainAnswer = ({ shown, evidence }: ShownAnswer) => (
  <>
    {shown}
    {evidence}
  </>
);
