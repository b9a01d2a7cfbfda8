/** The values of an assistant's fields, each with the words of the conversation that it follows from. */
import { BadgeCheck, CircleDashed, CircleHelp, CircleX } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type {
  FieldEvidence,
  FieldProblem,
  FieldResults,
  FieldValue,
  Quote,
  ResultField,
} from '../../../../contract/result-fields.ts';
import { Nothing } from '../../components/values.tsx';
import { sayValue } from '../../fields/conditions.ts';
import { formatPosition } from '../../format/durations.ts';
import { texts } from '../../texts/index.ts';
import styles from './fields-table.module.css';

const words = texts.session.fields;

interface FieldsTableProps {
  fields: readonly ResultField[];
  results: FieldResults;
  /** Shows where these words were said; undefined where the conversation is not beside them. */
  onShow: ((quotes: readonly Quote[]) => void) | undefined;
}

export function FieldsTable({ fields, results, onShow }: FieldsTableProps) {
  return (
    <table className={styles['fields']}>
      <caption className="only-said">{words.caption}</caption>
      <colgroup>
        <col className={styles['names']} />
      </colgroup>
      <thead className="only-said">
        <tr>
          <th scope="col">{words.field}</th>
          <th scope="col">{words.value}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name}>
            <th scope="row">
              <span className={styles['name']}>{field.name}</span>
              <span className={styles['question']}>{field.description}</span>
            </th>
            <td>
              <FieldAnswer
                value={results.fields[field.name] ?? null}
                evidence={results.evidence[field.name]}
                problem={results.problems?.[field.name]}
                onShow={onShow}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FieldAnswerProps {
  value: FieldValue | null;
  evidence: FieldEvidence | undefined;
  problem: FieldProblem | undefined;
  onShow: FieldsTableProps['onShow'];
}

function FieldAnswer({ value, evidence, problem, onShow }: FieldAnswerProps) {
  const quotes = evidence?.quotes ?? [];
  return (
    <div className={styles['answer']}>
      {value === null ? (
        <Nothing />
      ) : (
        <Shown look="value" quotes={quotes} onShow={onShow}>
          {sayValue(value, '\n')}
        </Shown>
      )}
      <Mark value={value} evidence={evidence} problem={problem} />
      {quotes.map((quote) => (
        <Shown key={`${quote.turn} ${quote.quote}`} look="quote" quotes={[quote]} onShow={onShow}>
          <span className={styles['at']}>{whereOf(quote)}</span> {quote.quote}
        </Shown>
      ))}
    </div>
  );
}

interface ShownProps {
  look: 'value' | 'quote';
  quotes: readonly Quote[];
  onShow: FieldsTableProps['onShow'];
  children: ReactNode;
}

/** A value or a quotation; a button where there is something to be shown of it. */
function Shown({ look, quotes, onShow, children }: ShownProps) {
  if (!onShow || quotes.length === 0) return <span className={styles[look]}>{children}</span>;
  return (
    <button type="button" className={styles[look]} title={words.show} onClick={() => onShow(quotes)}>
      {children}
    </button>
  );
}

const whereOf = ({ turn, start_s }: Quote) => (start_s === undefined ? words.turn(turn + 1) : formatPosition(start_s));

type Tone = 'good' | 'warn' | 'bad' | 'calm';

/** Says how far the value can be relied on: by an icon and a word, never by a colour alone. */
function Mark({ value, evidence, problem }: Omit<FieldAnswerProps, 'onShow'>) {
  const { icon: Icon, tone, text } = judge(value, evidence, problem);
  return (
    <span className={`${styles['mark']} ${styles[tone]}`}>
      <Icon size={13} aria-hidden />
      {text}
    </span>
  );
}

function judge(
  value: FieldValue | null,
  evidence: FieldEvidence | undefined,
  problem: FieldProblem | undefined,
): { icon: LucideIcon; tone: Tone; text: string } {
  if (problem)
    return { icon: CircleX, tone: 'bad', text: words.problem(words.problems[problem.code], problem.message) };
  if (value === null) return { icon: CircleDashed, tone: 'calm', text: words.notSaid };
  if (!evidence) return { icon: CircleDashed, tone: 'calm', text: words.notChecked };
  const dropped = evidence.dropped > 0 ? ` ${words.dropped(evidence.dropped)}` : '';
  if (!evidence.verified) return { icon: CircleHelp, tone: 'warn', text: words.unverified + dropped };
  const absent = evidence.value_in_quote === false ? ` ${words.valueElsewhere}` : '';
  return { icon: BadgeCheck, tone: 'good', text: words.verified + absent + dropped };
}
