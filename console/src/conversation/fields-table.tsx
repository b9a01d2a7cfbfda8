/** The values of an assistant's fields with the quotes that support them. */
import { BadgeCheck, CircleDashed, CircleHelp, CircleX, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type {
  FieldEvidence,
  FieldProblem,
  FieldResults,
  FieldValue,
  Quote,
  ResultField,
} from '../../../contract/fields/result-fields.ts';
import { Nothing } from '../components/values.tsx';
import { formatValue } from '../fields/conditions.ts';
import { FieldTitle } from '../fields/field-title.tsx';
import { formatPosition } from '../format/durations.ts';
import { wordRole } from '../format/roles.ts';
import { texts } from '../texts/index.ts';
import { InContext, Unfound } from './quotes.tsx';
import type { ShowQuotes } from './turns.ts';
import styles from './fields-table.module.css';

const words = { ...texts.session.fields, model: texts.reviews.model };

/** Shows what people found about a value. */
export interface Reviewing {
  /** @param shown the model's value. */
  value: (field: ResultField, value: FieldValue | null, shown: ReactNode) => ReactNode;
  below: (field: ResultField, value: FieldValue | null) => ReactNode;
  /** Whether a person's answer is shown instead of the model's value. */
  isCorrected: (field: ResultField, value: FieldValue | null) => boolean;
}

interface FieldsTableProps {
  fields: readonly ResultField[];
  results: FieldResults;
  /** Undefined if the page shows no transcript. */
  onShow: ShowQuotes | undefined;
  /** Undefined if the page shows no review. */
  reviewing?: Reviewing | undefined;
}

export function FieldsTable({ fields, ...shown }: FieldsTableProps) {
  return (
    <table className={styles['fields']}>
      <caption className="visually-hidden">{words.caption}</caption>
      <colgroup>
        <col className={styles['names']} />
      </colgroup>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{words.field}</th>
          <th scope="col">{words.value}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name}>
            <th scope="row">
              <span className={styles['name']}>
                <FieldTitle {...field} />
              </span>
              <span className={styles['question']} dir="auto">
                {field.description}
              </span>
            </th>
            <td>
              <FieldAnswer field={field} {...shown} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FieldAnswerProps extends Omit<FieldsTableProps, 'fields'> {
  field: ResultField;
}

/** A value, its quotes, whether the quotes support it, and what people found. */
export function FieldAnswer({ field, results, onShow, reviewing }: FieldAnswerProps) {
  const { name } = field;
  const value = results.fields[name] ?? null;
  const evidence = results.evidence[name];
  const quotes = evidence?.quotes ?? [];
  const { icon: Icon, tone, text } = describeSupport(value, evidence, results.problems?.[name]);
  const shown =
    value === null ? (
      <Nothing />
    ) : (
      <Quotable look="value" quotes={quotes} onShow={onShow}>
        {formatValue(value, '\n')}
      </Quotable>
    );
  return (
    <div className={styles['answer']}>
      {reviewing ? reviewing.value(field, value, shown) : shown}
      <span className={styles['mark']} style={{ color: `var(--${tone})` }}>
        <Icon size={13} aria-hidden />
        {reviewing?.isCorrected(field, value) ? `${words.model} ${text}` : text}
      </span>
      {quotes.map((quote) => (
        <Quotable key={`${quote.turn} ${quote.quote}`} look="quote" quotes={[quote]} onShow={onShow}>
          <span className={styles['at']}>{positionOf(quote)}</span> <InContext {...quote} />
        </Quotable>
      ))}
      <Unfound quotes={evidence?.unfound} />
      {reviewing?.below(field, value)}
    </div>
  );
}

interface QuotableProps {
  look: 'value' | 'quote';
  quotes: readonly Quote[];
  onShow: FieldsTableProps['onShow'];
  children: ReactNode;
}

/** A value or a quote. If the page shows a transcript, it is a button that shows the quotes there. */
function Quotable({ look, quotes, onShow, children }: QuotableProps) {
  const Element = onShow && quotes.length > 0 ? 'button' : 'span';
  const button = Element === 'button' && {
    type: 'button' as const,
    title: words.show,
    onClick: () => onShow?.(quotes),
  };
  return (
    <Element dir="auto" className={styles[look]} {...button}>
      {children}
    </Element>
  );
}

/** Returns when the words were said, and by whom. */
const positionOf = ({ turn, start_s, role }: Quote) =>
  [start_s === undefined ? words.turn(turn + 1) : formatPosition(start_s), ...(role ? [wordRole(role)] : [])].join(
    ' · ',
  );

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
