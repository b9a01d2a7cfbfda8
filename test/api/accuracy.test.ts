import { expect } from 'chai';
import { compareFields } from '../../api/reviews/verdicts.ts';
import { getAssistantAccuracy, getBatchAccuracy } from '../../contract/reviews/accuracy.ts';
import { putSessionReview } from '../../contract/reviews/reviews.ts';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import type { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { ReviewedPair } from '../../db/queries/compare-reviewed.ts';
import { send } from '../support/api.ts';
import { createExperiment, type MadePair, type Values } from '../support/experiments.ts';
import { createAnswered, createBatch, createOwner, sessionIdAt } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const FIELDS: ResultField[] = [
  { name: 'resolved', type: 'boolean', description: 'Was it?', evidence: true },
  { name: 'reason', type: 'string', description: 'Why?', evidence: false },
];

describe('Accuracy', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner({ fields: FIELDS }));
  });

  const answer = (values: Values, fields: Partial<SessionModel> & { unverified?: string[] } = {}) =>
    createAnswered(assistant, { resolved: null, reason: null, ...values }, fields);

  const review = (id: string, answers: Values, more: object = { sampled: true }) =>
    send(api, putSessionReview, { token, params: { id }, body: { answers, ...more } });

  describe('of an assistant', () => {
    const accuracy = async (query = {}) =>
      (await send(api, getAssistantAccuracy, { token, params: { id: assistant.id }, query })).body;

    it('counts reviews of a random sample by mark, quotes and version, and others apart', async () => {
      const right = await answer({ resolved: true });
      const wrong = await answer({ resolved: true }, { unverified: ['resolved'] });
      const missed = await answer({});
      const invented = await answer({ resolved: true }, { assistant_version: 2 });
      const unsure = await answer({ resolved: true });
      const picked = await answer({ resolved: true });
      await review(right.id, { resolved: true });
      await review(wrong.id, { resolved: false });
      await review(missed.id, { resolved: false });
      await review(invented.id, { resolved: null });
      await review(unsure.id, {}, { unsure: ['resolved'], sampled: true });
      await review(picked.id, { resolved: false }, {});
      const { sampled, others, fields } = await accuracy();
      expect({ sampled, others }).to.deep.equal({ sampled: 5, others: 1 });
      expect(fields).to.have.length(1);
      const counts = { right: 1, judged: 4, share: 0.25, wrong: 1, missed: 1, invented: 1, unsure: 1 };
      expect(fields[0]).to.deep.include({ name: 'resolved', ...counts, baseline: { value: false, share: 0.5 } });
      expect(fields[0]?.verified).to.include({ right: 1, judged: 2 });
      expect(fields[0]?.unverified).to.include({ right: 0, judged: 1 });
      expect(fields[0]?.others).to.include({ right: 0, judged: 1 });
      const versions = fields[0]?.by_version.map(({ version, judged }) => ({ version, judged }));
      expect(versions).to.deep.equal([
        { version: 2, judged: 1 },
        { version: 1, judged: 3 },
      ]);
      expect((await accuracy({ version: 2 })).fields[0]).to.include({ judged: 1, invented: 1 });
    });

    it('counts the sessions of a period, by their day', async () => {
      const created_at = new Date('2026-03-05T23:30:00Z');
      const { id } = await answer({ resolved: true }, { id: sessionIdAt(created_at), created_at });
      await review(id, { resolved: true });
      expect((await accuracy({ from: '2026-03-05', to: '2026-03-05' })).sampled).to.equal(1);
      expect((await accuracy({ from: '2026-03-06', to: '2026-03-07' })).sampled).to.equal(0);
      expect((await accuracy()).sampled).to.equal(0);
    });
  });

  describe('of a batch', () => {
    const createReanalysis = (pairs: readonly MadePair[], batch: Partial<BatchModel> = {}) =>
      createExperiment(api, { token, assistant }, pairs.map(withNulls), batch);

    /** Completes the values of both sessions. */
    const withNulls = ({ before, after, ...pair }: MadePair): MadePair => ({
      ...pair,
      before: { resolved: null, reason: null, ...before },
      after: { resolved: null, reason: null, ...after },
    });

    const compare = async (id: string) => (await send(api, getBatchAccuracy, { token, params: { id } })).body;

    it('compares pairs of a random sample, and counts other pairs, failures and fallbacks apart', async () => {
      const better = { before: { resolved: false }, after: { resolved: true }, right: { resolved: true } };
      const byFallback = { answered_by: [{ step: 'analysis', provider: 'openai', model: null, reason: 'timeout' }] };
      const id = await createReanalysis(
        [
          ...Array.from({ length: 9 }, () => better),
          { before: { resolved: true }, after: { resolved: true }, right: { resolved: true } },
          { ...better, sampled: false },
          { ...better, fields: byFallback as Partial<SessionModel> },
        ],
        { failed: 2 },
      );
      const { fields, ...counts } = await compare(id);
      expect(counts).to.deep.equal({ sessions: 10, others: 1, failed: 2, fallback: 1, is_sample: false, tests: 1 });
      const resolved = fields.find(({ name }) => name === 'resolved');
      expect(resolved).to.deep.include({ both: 1, only_before: 0, only_after: 9, neither: 0, verdict: 'better' });
      expect(resolved).to.deep.include({ question_changed: false, others: { fixed: 1, broken: 0 } });
      expect(resolved?.p_adjusted).to.be.closeTo(0.5 ** 9, 1e-9);
    });

    it('does not compare a changed question or long texts', async () => {
      const long = 'the client wants to know when the parcel comes';
      const id = await createReanalysis([
        { before: { resolved: true, reason: long }, after: { reason: long }, right: { resolved: true, reason: long } },
      ]);
      expect((await compare(id)).fields.map(({ verdict }) => verdict)).to.deep.equal(['unclear', 'not_compared']);
      const change = async (changed: object) => {
        const fields = JSON.stringify([{ ...FIELDS[0]!, ...changed }, FIELDS[1]!]);
        const settings = SessionModel.raw("jsonb_set(assistant, '{fields}', ?)", fields);
        await SessionModel.query()
          .where({ batch_id: id })
          .patch({ assistant: settings as never });
        return (await compare(id)).fields;
      };
      expect((await change({ title: 'Another title' }))[0]).to.include({ verdict: 'unclear', question_changed: false });
      const [resolved] = await change({ description: 'Is it?' });
      expect(resolved).to.include({ name: 'resolved', verdict: 'not_compared', question_changed: true });
    });

    it('refuses batches of other actions', async () => {
      const { id } = await createBatch(assistant.workspace_id, { action: 'retry' });
      expect((await send(api, getBatchAccuracy, { token, params: { id } })).problem.status).to.equal(409);
    });
  });

  describe('of seeded experiments', () => {
    const SETTINGS = [{ before: FIELDS.slice(0, 1), after: FIELDS.slice(0, 1) }];

    /** Returns numbers from 0 to 1: mulberry32. */
    function random(seed: number): () => number {
      let state = seed;
      return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
      };
    }

    /** @param rates of wrong answers before and after. */
    function experiment(seed: number, [before, after]: readonly [number, number], size = 200): ReviewedPair[] {
      const chance = random(seed);
      return Array.from({ length: size }, () => ({
        answers: { resolved: true },
        sampled: true,
        before: { resolved: chance() >= before },
        after: { resolved: chance() >= after },
        fallback: false,
      }));
    }

    const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

    it('the true difference is in the interval in at least 54 of 60', () => {
      const inside = seeds.filter((seed) => {
        const [field] = compareFields(experiment(seed, [0.2, 0.12]), SETTINGS);
        return field !== undefined && field.lower! <= 0.08 && field.upper! >= 0.08;
      });
      expect(inside).to.have.length.at.least(54);
    });

    it('equal prompts get at most 5 verdicts of 60, and a much better one is found in at least 54', () => {
      const verdicts = (rates: readonly [number, number]) =>
        seeds.map((seed) => compareFields(experiment(seed, rates), SETTINGS)[0]?.verdict);
      const differing = verdicts([0.15, 0.15]).filter((verdict) => verdict === 'better' || verdict === 'worse');
      expect(differing).to.have.length.at.most(5);
      expect(verdicts([0.3, 0.1]).filter((verdict) => verdict === 'better')).to.have.length.at.least(54);
      expect(verdicts([0.1, 0.3]).filter((verdict) => verdict === 'worse')).to.have.length.at.least(54);
    });

    it('sessions that people picked change no figure', () => {
      const sample = experiment(7, [0.2, 0.2]);
      const picked = experiment(8, [0.9, 0.1]).map((pair) => ({ ...pair, sampled: false }));
      const [alone, both] = [compareFields(sample, SETTINGS), compareFields([...sample, ...picked], SETTINGS)];
      expect({ ...both[0], others: null }).to.deep.equal({ ...alone[0], others: null });
    });
  });
});
