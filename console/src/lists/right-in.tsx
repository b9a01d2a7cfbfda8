import type { AccuracyReport } from 'conversation-analysis-client';
import { Nothing } from '../components/values.tsx';
import { texts } from '../texts/index.ts';

/** Enough reviews to tell good values from bad ones. */
export const ENOUGH = 30;

/** How many reviewed values of an assistant are right, or how many reviews there are while they are too few. */
export function RightIn({ report: { sampled, fields } }: { report: AccuracyReport }) {
  if (sampled === 0) return <Nothing />;
  if (sampled < ENOUGH) return <span className="note nowrap">{texts.accuracy.reviewedOf(sampled, ENOUGH)}</span>;
  const say = (right: number, judged: number) => texts.session.transcript.found(right, judged);
  const sum = (of: 'right' | 'judged') => fields.reduce((total, field) => total + field[of], 0);
  return (
    <span
      className="nowrap"
      title={fields.map(({ name, title, right, judged }) => `${title ?? name}: ${say(right, judged)}`).join('\n')}
    >
      {say(sum('right'), sum('judged'))}
    </span>
  );
}
