/** What a score is made of: unmet conditions, then the answers that cost the most points. */
import type { Score } from '../../../contract/fields/result-fields.ts';
import type { TitleOf } from '../fields/field-title.tsx';
import { formatExact } from '../format/numbers.ts';
import { texts } from '../texts/index.ts';

const words = texts.session.fields;

export function ScoreParts({ score: { low, high, passed, parts, must }, titleOf }: { score: Score; titleOf: TitleOf }) {
  const costs = parts.map(({ points, max, ...part }) => ({
    ...part,
    cost: points === null ? -1 : max - points,
    text: points === null ? texts.fields.states.null : `${points} / ${max}`,
  }));
  const unmet = must.filter(({ met, unverified }) => !met || unverified).map((each) => ({ ...each, text: words.must }));
  const range = low !== null && high !== null && low < high ? ` (${formatExact(low)}–${formatExact(high)})` : '';
  return (
    <>
      {passed !== null && <span>{words.passed[String(passed) as keyof typeof words.passed] + range}</span>}
      {[...unmet, ...costs.sort((a, b) => b.cost - a.cost)].map(({ field, text, unverified }) => (
        <span key={`${field} ${text}`} className={unverified ? 'warn' : 'note'}>
          <bdi>{titleOf(field)}</bdi>: {unverified ? `${text} · ${texts.fields.states.unverified}` : text}
        </span>
      ))}
    </>
  );
}
