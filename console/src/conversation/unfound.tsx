/** Quotes that nobody said, beside the nearest passage. */
import type { UnfoundQuote } from '../../../contract/fields/result-fields.ts';
import { piecesOf } from '../../../contract/fields/fold.ts';
import { texts } from '../texts/index.ts';
import styles from './quotes.module.css';

const words = texts.session.fields;

/** Quotes of the model that nobody said, with the differing words of both sides marked. */
export const Unfound = ({ quotes }: { quotes: readonly UnfoundQuote[] }) =>
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

/** Marks the words that the other text does not have. */
function markOthers(text: string, other: string) {
  const known = new Set([...piecesOf(other)].flatMap((piece) => piece.words));
  const differing = [...piecesOf(text)].filter((piece) => !piece.words.every((word) => known.has(word)));
  return [
    ...differing.flatMap(({ start, end }, index) => [
      text.slice(differing[index - 1]?.end ?? 0, start),
      <mark key={start}>{text.slice(start, end)}</mark>,
    ]),
    text.slice(differing.at(-1)?.end ?? 0),
  ];
}
