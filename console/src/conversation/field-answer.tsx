/** A value of a field with the quotes that support it. */
import { BadgeCheck, CircleDashed, CircleHelp, CircleX, type LucideIcon } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import type {
  FieldEvidence,
  FieldProblem,
  FieldResults,
  FieldValue,
  ResultField,
} from '../../../contract/fields/result-fields.ts';
import { Nothing } from '../components/values.tsx';
import { formatValue } from '../fields/conditions.ts';
import { lazyPart } from '../server/load-file.ts';
import { texts } from '../texts/index.ts';
import type { ShowQuotes } from './turns.ts';
import styles from './fields-table.module.css';

const Quotes = lazyPart(() => import('./quotes.tsx'), 'Quotes');

const words = { ...texts.session.fields, model: texts.reviews.model };

/** Shows what people found about a value. */
export interface Reviewing {
  /** @param shown the model's value. */
  value: (field: ResultField, value: FieldValue | null, shown: ReactNode) => ReactNode;
  below: (field: ResultField, value: FieldValue | null) => ReactNode;
  /** Whether a person's answer is shown instead of the model's value. */
  isCorrected: (field: ResultField, value: FieldValue | null) => boolean;
}

export interface FieldAnswerProps {
  field: ResultField;
  results: FieldResults;
  /** Undefined if the page shows no transcript. */
  onShow: ShowQuotes | undefined;
  /** Undefined if the page shows no review. */
  reviewing?: Reviewing | undefined;
}

/** A value, its quotes, whether the quotes support it, and what people found. */
export function FieldAnswer({ field, results, onShow, reviewing }: FieldAnswerProps) {
  const { name } = field;
  const value = results.fields[name] ?? null;
  const evidence = results.evidence[name];
  const quotes = evidence?.quotes ?? [];
  const Element = onShow && quotes.length > 0 ? 'button' : 'span';
  const { icon: Icon, tone, text } = describeSupport(value, evidence, results.problems?.[name]);
  const shown =
    value === null ? (
      <Nothing />
    ) : (
      <Element
        dir="auto"
        className={styles['value']}
        {...(Element === 'button' && { type: 'button', title: words.show, onClick: () => onShow?.(quotes) })}
      >
        {formatValue(value, '\n')}
      </Element>
    );
  return (
    <div className={styles['answer']}>
      {reviewing ? reviewing.value(field, value, shown) : shown}
      <span className={styles['mark']} style={{ color: `var(--${tone})` }}>
        <Icon size={13} aria-hidden />
        {reviewing?.isCorrected(field, value) ? `${words.model} ${text}` : text}
      </span>
      {evidence && (
        <Suspense>
          <Quotes {...evidence} quotes={quotes} onShow={onShow} />
        </Suspense>
      )}
      {reviewing?.below(field, value)}
    </div>
  );
}

function describeSupport(
  value: FieldValue | null,
  evidence: FieldEvidence | undefined,
  problem: FieldProblem | undefined,
): { icon: LucideIcon; tone: 'good' | 'warn' | 'bad' | 'calm'; text: string } {
  if (problem)
    return { icon: CircleX, tone: 'bad', text: words.problem(words.problems[problem.code], problem.message) };
  if (value === null) return { icon: CircleDashed, tone: 'calm', text: words.notMentioned };
  if (!evidence) return { icon: CircleDashed, tone: 'calm', text: words.notChecked };
  const dropped = evidence.dropped > 0 ? ` ${words.dropped(evidence.dropped)}` : '';
  if (!evidence.verified) return { icon: CircleHelp, tone: 'warn', text: words.unverified + dropped };
  const absent = evidence.value_in_quote === false ? ` ${words.valueElsewhere}` : '';
  return { icon: BadgeCheck, tone: 'good', text: words.verified + absent + dropped };
}
