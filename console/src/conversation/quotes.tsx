/** One line for each quote: within the words around it, or, if nobody said it, beside the nearest passage. */
import { BadgeCheck, CircleSlash, EqualApproximately, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FieldEvidence, Quote, UnfoundQuote } from '../../../contract/fields/result-fields.ts';
import { formatPosition } from '../format/durations.ts';
import { wordRole } from '../format/roles.ts';
import { texts } from '../texts/index.ts';
import type { ShowQuotes } from './turns.ts';
import styles from './quotes.module.css';

const words = texts.session.fields;

interface QuotesProps extends Partial<FieldEvidence> {
  /** Undefined if the page shows no transcript. */
  onShow: ShowQuotes | undefined;
}

export function Quotes({ quotes = [], unfound = [], verified, value_in_quote, onShow }: QuotesProps) {
  const mark = verified
    ? ({ icon: BadgeCheck, tone: 'good', title: words.verified } as const)
    : ({ icon: CircleSlash, tone: 'warn', title: words.otherSpeaker } as const);
  const Element = onShow ? 'button' : 'span';
  return (
    <>
      {quotes.map((quote) => (
        <Line key={`${quote.turn} ${quote.quote}`} {...mark}>
          <Element
            dir="auto"
            className={styles['quote']}
            {...(onShow && { type: 'button', title: words.show, onClick: () => onShow([quote]) })}
          >
            <span className={styles['at']}>{positionOf(quote)}</span> <InContext {...quote} />
          </Element>
        </Line>
      ))}
      {value_in_quote === false && quotes.length > 0 && <span className="note">{words.answerElsewhere}</span>}
      {unfound.map((quote, index) => (
        <Unfound key={index} {...quote} />
      ))}
    </>
  );
}

interface LineProps {
  icon: LucideIcon;
  tone: 'good' | 'warn';
  title: string;
  children: ReactNode;
}

const Line = ({ icon: Icon, tone, title, children }: LineProps) => (
  <div className={styles['line']}>
    <span title={title} style={{ color: `var(--${tone})` }}>
      <Icon size={13} role="img" aria-label={title} />
    </span>
    {children}
  </div>
);

/** Returns when the words were said, and by whom. */
const positionOf = ({ turn, start_s, role }: Quote) =>
  [start_s === undefined ? words.turn(turn + 1) : formatPosition(start_s), ...(role ? [wordRole(role)] : [])].join(
    ' · ',
  );

/** Words within their context. Older quotes have none. */
function InContext({ quote, context = quote }: Pick<Quote, 'quote' | 'context'>) {
  const [before, ...after] = context.split(quote);
  return after.length === 0 || context === quote ? (
    quote
  ) : (
    <>
      {before}
      <strong className={styles['said']}>{quote}</strong>
      {after.join(quote)}
    </>
  );
}

/** The nearest passage, and what the model wrote, with the differing words of both marked. */
function Unfound({ quote, nearest, context = '' }: UnfoundQuote) {
  const [before = '', ...after] = context.split(nearest ?? '\n');
  return (
    <Line icon={nearest === undefined ? CircleSlash : EqualApproximately} tone="warn" title={words.unfound}>
      <span className={styles['unfound']} dir="auto">
        {nearest !== undefined && (
          <>
            {before}
            <span className={styles['said']}>{markOthers(nearest, quote)}</span>
            {after.join(nearest)}{' '}
          </>
        )}
        {words.unfound} <del>{nearest === undefined ? quote : markOthers(quote, nearest)}</del>
      </span>
    </Line>
  );
}

const WORDS = /(\p{Script=Han}|[\p{L}\p{M}\p{N}]+)/u;

/** Marks the words that the other text does not have. */
function markOthers(text: string, other: string) {
  const known = new Set(other.toLowerCase().split(WORDS));
  // Every other part is a word.
  return text
    .split(WORDS)
    .map((part, index) => (index % 2 === 0 || known.has(part.toLowerCase()) ? part : <mark key={index}>{part}</mark>));
}
