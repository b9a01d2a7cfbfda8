/** Quotes within the words around them, and quotes that nobody said beside the nearest passage. */
import type { Quote, UnfoundQuote } from '../../../contract/fields/result-fields.ts';
import { formatPosition } from '../format/durations.ts';
import { wordRole } from '../format/roles.ts';
import { texts } from '../texts/index.ts';
import type { ShowQuotes } from './turns.ts';
import styles from './quotes.module.css';

const words = texts.session.fields;

interface QuotesProps {
  quotes: readonly Quote[];
  unfound?: readonly UnfoundQuote[] | undefined;
  /** Undefined if the page shows no transcript. */
  onShow: ShowQuotes | undefined;
}

export function Quotes({ quotes, unfound, onShow }: QuotesProps) {
  const Element = onShow ? 'button' : 'span';
  return (
    <>
      {quotes.map((quote) => (
        <Element
          key={`${quote.turn} ${quote.quote}`}
          dir="auto"
          className={styles['quote']}
          {...(onShow && { type: 'button', title: words.show, onClick: () => onShow([quote]) })}
        >
          <span className={styles['at']}>{positionOf(quote)}</span> <InContext {...quote} />
        </Element>
      ))}
      <Unfound quotes={unfound} />
    </>
  );
}

/** Returns when the words were said, and by whom. */
const positionOf = ({ turn, start_s, role }: Quote) =>
  [start_s === undefined ? words.turn(turn + 1) : formatPosition(start_s), ...(role ? [wordRole(role)] : [])].join(
    ' · ',
  );

/** Words within their context. Older quotes have none. */
export function InContext({ quote, context = quote }: Pick<Quote, 'quote' | 'context'>) {
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

/** Quotes of the model that nobody said, with the differing words of both sides marked. */
export const Unfound = ({ quotes = [] }: { quotes: readonly UnfoundQuote[] | undefined }) =>
  quotes.map(({ quote, nearest, context = '' }, index) => {
    const [before = '', ...after] = context.split(nearest ?? '\n');
    return (
      <div key={index} className={styles['unfound']} dir="auto">
        {words.unfound} <del>{nearest === undefined ? quote : markOthers(quote, nearest)}</del>
        {nearest !== undefined && (
          <p>
            {words.nearest} {before}
            <span className={styles['said']}>{markOthers(nearest, quote)}</span>
            {after.join(nearest)}
          </p>
        )}
      </div>
    );
  });

const WORDS = /(\p{Script=Han}|[\p{L}\p{M}\p{N}]+)/u;

/** Marks the words that the other text does not have. */
function markOthers(text: string, other: string) {
  const known = new Set(other.toLowerCase().split(WORDS));
  // Every other part is a word.
  return text
    .split(WORDS)
    .map((part, index) => (index % 2 === 0 || known.has(part.toLowerCase()) ? part : <mark key={index}>{part}</mark>));
}
