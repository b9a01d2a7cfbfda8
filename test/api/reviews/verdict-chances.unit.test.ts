import { readFileSync } from 'node:fs';
import type { FieldVerdict } from '../../../contract/reviews/accuracy.ts';
import { judge, presentCounts } from '../../../api/reviews/verdicts.ts';
import { randomNumbers } from '../../support/random-numbers.ts';

const SIZES = [30, 60, 100, 200];
const FIELDS = [1, 5, 20];
const TESTS = 1_500;

/** Returns one field of a test. Both settings share `repeated` of the errors of the better one. */
function makeField(
  chance: () => number,
  name: string,
  size: number,
  rates: [number, number],
  repeated: number,
): FieldVerdict {
  const [before, after] = rates;
  const counts = { both: 0, onlyBefore: 0, onlyAfter: 0, neither: 0 };
  for (let pair = 0; pair < size; pair++) {
    const wasWrong = chance() < before;
    // An error of the better settings is one of the former errors with this probability.
    const isWrong = chance() < repeated ? wasWrong && chance() < after / before : chance() < after;
    counts[wasWrong ? (isWrong ? 'neither' : 'onlyAfter') : isWrong ? 'onlyBefore' : 'both']++;
  }
  const rest = { left_out: 0, question_changed: false, others: { fixed: 0, broken: 0 }, verdict: 'unclear' as const };
  return { name, ...presentCounts(counts), ...rest };
}

/** Returns the percentage of tests in which the field `changed` has the verdict. */
function shareFound(verdict: string, size: number, fields: number, rates: [number, number], repeated: number): number {
  const chance = randomNumbers(size * 100 + fields);
  let found = 0;
  for (let test = 0; test < TESTS; test++) {
    const changed = makeField(chance, 'changed', size, rates, repeated);
    const others = Array.from({ length: fields - 1 }, (_, index) =>
      makeField(chance, `equal_${index}`, size, [0.15, 0.15], repeated),
    );
    if (judge([changed, ...others])[0]?.verdict === verdict) found++;
  }
  return (100 * found) / TESTS;
}

describe('Chances of verdicts', () => {
  it('are those of docs/reviews.md, within 4 of 100 tests', () => {
    const rows = readFileSync('docs/reviews.md', 'utf8').match(/^\| \d+ \|( \d+% \|){6}$/gm) ?? [];
    const documented = rows.map((row) => (row.match(/\d+/g) ?? []).map(Number));
    expect(documented.map(([size]) => size)).to.deep.equal(SIZES);
    for (const [size = 0, ...shares] of documented) {
      const settings = [0, 0.7].flatMap((repeated) => FIELDS.map((fields) => ({ repeated, fields })));
      for (const [index, { repeated, fields }] of settings.entries()) {
        const found = shareFound('better', size, fields, [0.2, 0.05], repeated);
        expect(found, `${size} reviews, ${fields} fields, ${repeated} repeated`).to.be.closeTo(shares[index] ?? NaN, 4);
      }
    }
  });

  it('are 80% for a difference of 5 points after as many more reviews as are named, whatever the number of fields', () => {
    for (const fields of [1, 5, 20]) {
      const rest = {
        left_out: 0,
        question_changed: false,
        others: { fixed: 0, broken: 0 },
        verdict: 'unclear' as const,
      };
      const counts = presentCounts({ both: 45, onlyBefore: 6, onlyAfter: 6, neither: 3 });
      const made = Array.from({ length: fields }, (_, index) => ({ name: `field_${index}`, ...counts, ...rest }));
      const size = 60 + (judge(made)[0]?.more_reviews ?? 0);
      // 20% of the pairs differ: 12.5% become right and 7.5% wrong.
      const chance = randomNumbers(fields);
      let found = 0;
      for (let test = 0; test < 400; test++) {
        const draw = (points: number) => {
          const pairs = { both: 0, onlyBefore: 0, onlyAfter: 0, neither: 0 };
          for (let pair = 0; pair < size; pair++) {
            const at = chance();
            pairs[at < 0.1 + points / 2 ? 'onlyAfter' : at < 0.2 ? 'onlyBefore' : 'both']++;
          }
          return { ...presentCounts(pairs), ...rest };
        };
        const tested = made.map(({ name }, index) => ({ name, ...draw(index === 0 ? 0.05 : 0) }));
        if (judge(tested)[0]?.verdict === 'better') found++;
      }
      expect(found / 4, `${fields} fields, ${size} reviews`).to.be.within(72, 92);
    }
  });
});
