import type { FieldValue, ResultField } from '../../contract/fields/result-fields.ts';
import { resultFields } from '../../contract/fields/result-fields.ts';
import { checkScores } from '../../contract/fields/check-scores.ts';
import { scoresOf } from '../../contract/fields/score.ts';
import { field } from '../activities/fields/fields.ts';
import { randomNumbers } from '../support/random-numbers.ts';

const SCHEMA = resultFields().superRefine(checkScores);
const random = randomNumbers(70);
const below = (limit: number) => Math.floor(random() * limit);
const oneOf = <T>(some: readonly T[]): T => some[below(some.length)]!;

/** A question with its points and every answer to it: of numbers, in steps finer than their bands. */
interface Asked {
  question: ResultField;
  points: Record<string, number>;
  /** Returns the points of an answer. */
  earn: (value: FieldValue) => number;
  answers: FieldValue[];
}

function ask(name: string): Asked {
  const evidence = random() < 0.7;
  const type = oneOf(['boolean', 'enum', 'integer', 'number'] as const);
  if (type === 'boolean') {
    const [yes, no] = [1 + below(9), below(3)];
    const points = { true: yes, ...(no > 0 && { false: no }) };
    return {
      question: field(name, type, { evidence }),
      points,
      earn: (value) => (value ? yes : no),
      answers: [true, false],
    };
  }
  if (type === 'enum') {
    const options = ['a', 'B b', 'constructor', 'toString'].slice(0, 2 + below(3));
    const each = options.map((_, index) => (index === 0 ? 5 : below(9)));
    const points = Object.fromEntries(options.map((option, index) => [option, each[index]!] as const));
    if (random() < 0.5) {
      delete points['constructor'];
      each[2] = 0;
    }
    const earn = (value: FieldValue) => each[options.indexOf(value as string)]!;
    return { question: field(name, type, { evidence, options }), points, earn, answers: options };
  }
  // Bands from one of the first numbers, from the middle and from near the end.
  const bands: [from: number, points: number][] = [
    [below(3) - 1, below(4)],
    [4.5 + below(2) / 2, 4],
    [7 + below(3), 10],
  ];
  const points = Object.fromEntries(bands);
  const earn = (value: FieldValue) => bands.findLast(([from]) => from <= Number(value))?.[1] ?? 0;
  const step = type === 'integer' ? 1 : 0.25;
  const answers = Array.from({ length: 10 / step + 1 }, (_, index) => index * step);
  return { question: field(name, type, { evidence, minimum: 0, maximum: 10 }), points, earn, answers };
}

const hundredths = (share: number) => Math.round(share * 10_000) / 100;

describe('A score', () => {
  it('equals an independent calculation for 10,000 random forms', () => {
    const seen = { true: 0, false: 0, open: 0, null: 0 };
    for (let form = 0; form < 10_000; form++) {
      const asked = Array.from({ length: 1 + below(5) }, (_, index) => ask(`q${index}`));
      const given = asked.map((each) => ({
        ...each,
        value: random() < 0.2 ? null : oneOf(each.answers),
        state: !each.question.evidence ? 'none' : oneOf(['verified', 'unverified', 'decided']),
      }));
      const pass = below(101);
      const needed = random() < 0.3 ? given[0]! : undefined;
      const must = needed && [`q0:${needed.question.type === 'boolean' ? 'eq:true' : 'null'}`];
      const score = field('s', 'score', {
        of: asked.map(({ question, points }) => ({ field: question.name, points })),
        pass,
        ...(must && { must }),
      });
      const fields = [...asked.map(({ question }) => question), score];
      expect(SCHEMA.safeParse(fields).error).to.equal(undefined);
      const byName = (some: typeof given) =>
        Object.fromEntries(some.map(({ question, value }) => [question.name, value]));
      const people = given.filter(({ state }) => state === 'decided');
      const quoted = given.filter(({ state }) => state !== 'none');
      const evidence = quoted.map(
        ({ question, state }) => [question.name, { verified: state === 'verified' }] as const,
      );
      // What the model said where a person decided has no influence.
      const values = {
        ...byName(given),
        ...Object.fromEntries(people.map((each) => [each.question.name, oneOf(each.answers)])),
      };
      const results = { fields: values, evidence: Object.fromEntries(evidence) };
      const found = scoresOf(fields, results, byName(people))['s']!;

      let [earned, worst, best, most] = [0, 0, 0, 0];
      for (const { earn, answers, value, state } of given) {
        if (value === null) continue;
        const each = answers.map(earn);
        most += Math.max(...each);
        earned += earn(value);
        worst += state === 'unverified' ? Math.min(...each) : earn(value);
        best += state === 'unverified' ? Math.max(...each) : earn(value);
      }
      const share = (points: number) => (most === 0 ? null : hundredths(points / most));
      const [value, low, high] = [share(earned), share(worst), share(best)];
      const isMet = !needed || needed.value === null || needed.value === true;
      const isSure = !needed || needed.value === null || needed.state !== 'unverified';
      const verdict = () => {
        if (!isMet && isSure) return false;
        if (low === null || high === null) return null;
        if (high < pass) return false;
        return low >= pass && isSure ? true : 'open';
      };
      const passed = verdict();
      expect(found).to.include({ value, low, high, passed });
      seen[String(passed) as keyof typeof seen]++;
    }
    // Every verdict occurs often.
    expect(Math.min(...Object.values(seen))).to.be.above(100);
  });

  it('is refused, with its name, if it uses what has no points', () => {
    const questions = [
      field('resolved', 'boolean'),
      field('reason', 'enum', { options: ['billing', 'other'] }),
      field('tone', 'integer', { minimum: 1, maximum: 10 }),
      field('city', 'string'),
    ];
    const refused = (of: Partial<ResultField>, others: readonly ResultField[] = questions) => {
      const of_ = { of: [{ field: 'resolved', points: { true: 1 } }], pass: 80 };
      const { error } = SCHEMA.safeParse([...others, field('quality', 'score', { ...of_, ...of })]);
      return error?.issues.map(({ path, message }) => `${path.slice(1).join('.')} ${message}`).join('; ');
    };
    const points = (name: string, given: Record<string, number>) => refused({ of: [{ field: name, points: given }] });
    expect(refused({})).to.equal(undefined);
    expect(points('tone', { '1': 0, '5': 5, '8.5': 10 })).to.equal(undefined);
    expect(refused({}, questions.slice(1))).to.equal(
      'of the score quality uses resolved, which is no boolean, enum or number field of the assistant',
    );
    for (const name of ['city', 'quality', 'gone'])
      expect(points(name, { true: 1 })).to.contain(`of the score quality uses ${name}`);
    expect(points('resolved', { yes: 1 })).to.equal('of yes is not an answer to resolved');
    expect(points('reason', { Billing: 1 })).to.equal('of Billing is not an answer to reason');
    // Each number has one spelling, so bands cannot overlap.
    for (const key of ['5..7', '05', '5.0', 'NaN'])
      expect(points('tone', { [key]: 1 })).to.equal(`of ${key} is not an answer to tone`);
    const twice = [1, 2].map((earned) => ({ field: 'resolved', points: { true: earned } }));
    expect(refused({ of: twice })).to.equal('of must name each field only once');
    for (const none of [{}, { true: 0, false: 0 }]) expect(points('resolved', none)).to.contain('no points');
    expect(points('tone', { '11': 5 })).to.contain('no points');
    expect(refused({ must: ['gone:eq:1'] })).to.equal(
      'must the score quality has the condition gone:eq:1, which fits no field that is answered',
    );
    for (const condition of ['quality:lt:5', 'reason:gt:5', 'resolved:eq:yes'])
      expect(refused({ must: [condition] })).to.contain('quality');
    expect(refused({ must: ['city:eq:\ud800'] })).to.contain('must.0');
    expect(refused({ of: undefined })).to.contain('of is required');
    expect(refused({ pass: undefined })).to.contain('pass is required');
    expect(refused({ minimum: 1 })).to.contain('only the types integer and number have bounds');
    const stray = SCHEMA.safeParse([field('resolved', 'boolean', { pass: 80 })]);
    expect(stray.error?.issues[0]?.message).to.equal('only the type score has pass');
  });
});
