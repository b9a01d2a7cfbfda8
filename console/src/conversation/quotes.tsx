/** Quotes within the words around them. */
import { Suspense } from 'react';
import type { Quote, UnfoundQuote } from '../../../contract/fields/result-fields.ts';
import { lazyPart } from '../server/load-file.ts';
import styles from './quotes.module.css';

const LazyUnfound = lazyPart(() => import('./unfound.tsx'), 'Unfound', []);

/** Shows quotes of the model that nobody said. Most results have none. */
export const Unfound = ({ quotes }: { quotes: readonly UnfoundQuote[] | undefined }) =>
  quotes && (
    <Suspense>
      <LazyUnfound quotes={quotes} />
    </Suspense>
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
