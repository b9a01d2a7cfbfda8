/** One line for each quote that was said, with its context as the title; below them, what nobody said. */
import { BadgeCheck, CircleHelp, CircleSlash, EqualApproximately, type LucideIcon } from 'lucide-react';
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
  const invented = unfound.filter(({ nearest }) => nearest === undefined);
  return (
    <>
      {quotes.map((quote) => (
        <Line key={`${quote.turn} ${quote.quote}`} {...mark}>
          <Element
            dir="auto"
            className={`${styles['quote']} ${onShow ? 'cut' : ''}`}
            title={contextOf(quote)}
            {...(onShow && { type: 'button', onClick: () => onShow([quote]) })}
          >
            <span className={styles['at']}>{positionOf(quote)}</span> “
            <span className={styles['said']}>{quote.quote}</span>”
          </Element>
        </Line>
      ))}
      {value_in_quote === false && quotes.length > 0 && <span className="note">{words.answerElsewhere}</span>}
      {unfound.map(
        (quote, index) => quote.nearest !== undefined && <Similar key={index} {...quote} nearest={quote.nearest} />,
      )}
      {invented.length > 0 && (
        <details className={styles['invented']}>
          <summary>
            <CircleHelp size={13} aria-hidden />
            {verified || quotes.length > 0 ? words.unfound : words.unverified}
          </summary>
          {invented.map(({ quote }, index) => (
            <p key={index} dir="auto">
              {words.unfound} <del>{quote}</del>
            </p>
          ))}
        </details>
      )}
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

const positionOf = ({ turn, start_s }: Quote) =>
  start_s === undefined ? words.turn(turn + 1) : formatPosition(start_s);

/** Returns who said the words, and the words around them. Older quotes have none. */
const contextOf = ({ role, quote, context = quote }: Quote) => [...(role ? [wordRole(role)] : []), context].join(': ');

/** The nearest passage, and what the model wrote, with the differing words of both marked. */
function Similar({ quote, nearest, context }: UnfoundQuote & { nearest: string }) {
  return (
    <Line icon={EqualApproximately} tone="warn" title={words.unfound}>
      <span className={styles['similar']} dir="auto" title={context}>
        “<span className={styles['said']}>{markOthers(nearest, quote)}</span>” {words.unfound}{' '}
        <del>{markOthers(quote, nearest)}</del>
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
