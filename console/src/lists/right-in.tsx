import type { AccuracyReport } from 'conversation-analysis-client';
import { Nothing } from '../components/values.tsx';
import { texts } from '../texts/index.ts';

/** Enough reviews to tell good values from bad ones. */
export const ENOUGH = 30;

/** How many answers to the worst question are right, or how many reviews there are while they are too few. */
export function RightIn({ report: { sampled, fields } }: { report: AccuracyReport }) {
  const worst = fields.filter(({ judged }) => judged > 0).toSorted((a, b) => a.right / a.judged - b.right / b.judged);
  if (worst.length === 0) return <Nothing />;
  if (sampled < ENOUGH) return <span className="note nowrap">{texts.accuracy.reviewedOf(sampled, ENOUGH)}</span>;
  const said = worst.map(
    ({ name, title, right, judged }) => `${title ?? name}: ${texts.session.transcript.found(right, judged)}`,
  );
  return (
    <bdi className="cut" title={said.join('\n')}>
      {said[0]}
    </bdi>
  );
}
