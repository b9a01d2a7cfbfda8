import { compareFields } from '../../../api/reviews/verdicts.ts';
import type { BatchFilter } from '../../../contract/sessions/batches.ts';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { BatchModel } from '../../../db/models/batch.ts';
import { SessionReviewModel } from '../../../db/models/session-review.ts';
import { SessionModel } from '../../../db/models/session.ts';
import type { ReviewedValues } from '../../../db/queries/compare-reviewed.ts';
import { send } from '../../support/api.ts';
import { createExperiment, type MadePair, type Values } from '../../support/experiments.ts';
import { createAnswered, createBatch, createOwner, sessionIdAt } from '../../support/factories.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { useTestApi } from '../../support/set-up.ts';

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
    send(api, 'putSessionReview', { token, params: { id }, body: { answers, ...more } });

  const accuracyOf = async (query = {}) =>
    (await send(api, 'getAssistantAccuracy', { token, params: { id: assistant.id }, query })).body;

  describe('of an assistant', () => {
    const accuracy = accuracyOf;

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

    it('leaves out values of a fallback, of recordings without speech and of a field with another type', async () => {
      const silent = await answer({}, { conversation: [] });
      const fallback = await answer({ resolved: true }, {
        answered_by: [{ step: 'analysis', provider: 'openai', model: null, reason: 'timeout' }],
      } as never);
      const typed = await answer({ resolved: true });
      expect((await review(silent.id, { resolved: null })).body.sampled).to.equal(false);
      await review(fallback.id, { resolved: true });
      await review(typed.id, { resolved: true });
      const counted = await accuracy();
      expect(counted).to.include({ sampled: 1, others: 1, fallback: 1 });
      expect(counted.fields[0]).to.deep.include({ judged: 1, baseline: { value: true, share: 1 } });
      expect(
        (await send(api, 'listSessions', { token, query: { review: 'unsampled', sort: 'random' } })).body.data,
      ).to.deep.equal([]);
      await AssistantModel.query()
        .findById(assistant.id)
        .patch({ fields: [{ ...FIELDS[0]!, type: 'enum', options: ['yes', 'no'] }] });
      expect((await accuracy()).fields).to.deep.equal([]);
    });

    it('names fields by their titles', async () => {
      const fields = [{ ...FIELDS[0]!, title: 'Problem solved' }];
      await AssistantModel.query().findById(assistant.id).patch({ fields });
      const titled = await AssistantModel.query().findById(assistant.id).throwIfNotFound();
      const { id } = await createAnswered(titled, { resolved: true });
      const { body } = await review(id, { resolved: true });
      expect(body.marks['resolved']).to.include({ title: 'Problem solved', mark: 'right' });
      expect((await accuracy()).fields[0]).to.include({ name: 'resolved', title: 'Problem solved' });
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

    const compare = async (id: string) => (await send(api, 'getBatchAccuracy', { token, params: { id } })).body;

    it('compares pairs of a random sample, and counts other pairs, failures and fallbacks apart', async () => {
      const better = { before: { resolved: false }, after: { resolved: true }, right: { resolved: true } };
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
      const none = { former_fallback: 0, is_sample: false, chosen_by: [] };
      expect(counts).to.deep.equal({ sessions: 10, others: 1, failed: 2, fallback: 1, tests: 1, ...none });
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

    const right = { before: { resolved: false }, after: { resolved: true }, right: { resolved: true } };
    const times = (count: number, pair: MadePair) => Array.from({ length: count }, () => pair);
    const byFallback = { answered_by: [{ step: 'analysis', provider: 'openai', model: null, reason: 'timeout' }] };

    it('takes no batch that was chosen by its results or by hand for a random sample', async () => {
      const neutral: BatchFilter[] = [
        { review: 'sampled', metadata: { team: 'a' }, assistant_version: 1, status: 'completed' },
        { review: 'reviewed', created_after: '2026-01-01T00:00:00Z', llm_model: 'gpt-6-luna' },
      ];
      const chosen: BatchFilter[] = [
        { review: 'sampled', corrected: 'resolved' },
        { review: 'corrected' },
        { field: ['resolved:eq:false'] },
        { q: 'parcel' },
        { session_id: ['sess_01kaj4v5rzf1xtm8w3b2c9d0e7'] },
        { min_cost: 1 },
        { status: 'failed' },
      ];
      for (const filter of [...neutral, ...chosen]) {
        const id = await createReanalysis(times(8, right), { filter: { assistant_id: assistant.id, ...filter } });
        const { sessions, others, chosen_by, fields } = await compare(id);
        const isChosen = chosen.includes(filter);
        const name = JSON.stringify(filter);
        expect({ sessions, others }, name).to.deep.equal({ sessions: isChosen ? 0 : 8, others: isChosen ? 8 : 0 });
        expect(fields[0]?.verdict, name).to.equal(isChosen ? 'not_compared' : 'better');
        expect(chosen_by, name).to.have.length(isChosen ? 1 : 0);
      }
    });

    it('compares every reviewed pair of a batch with many sessions that nobody reviewed', async () => {
      const id = await createReanalysis(times(12, right), { completed: 50_000 });
      expect(await compare(id)).to.include({ sessions: 12, is_sample: false });
    });

    it('compares the pairs with the same question, and counts the others', async () => {
      const id = await createReanalysis(times(12, right));
      const former = { ...FIELDS[0]!, description: 'Was it, really?' };
      const [source] = await SessionModel.query()
        .where({ assistant_id: assistant.id })
        .whereNull('source_session_id')
        .limit(1);
      const setFields = (fields: ResultField[]) =>
        SessionModel.query()
          .where({ id: source!.id })
          .patch({
            assistant: SessionModel.raw("jsonb_set(assistant, '{fields}', ?)", JSON.stringify(fields)) as never,
          });
      await setFields([former, FIELDS[1]!]);
      const compared = (await compare(id)).fields[0];
      expect(compared).to.include({ only_after: 11, left_out: 1, question_changed: false, verdict: 'better' });
      // A field that did not exist then, and a field with another type.
      await setFields([{ ...FIELDS[0]!, type: 'string' }]);
      expect((await compare(id)).fields[0]).to.include({ only_after: 11, left_out: 1, verdict: 'better' });
      await SessionReviewModel.query().where({ session_id: source!.id }).patch({ answers: {} });
      expect((await compare(id)).fields[0]).to.include({ only_after: 11, left_out: 0, verdict: 'better' });
    });

    it('compares no former values of a fallback, no recordings without speech, and counts every experiment', async () => {
      const id = await createReanalysis(times(6, right));
      await SessionModel.query()
        .where({ assistant_id: assistant.id })
        .whereNull('source_session_id')
        .patch(byFallback as Partial<SessionModel>);
      expect(await compare(id)).to.include({ sessions: 0, others: 0, fallback: 0, former_fallback: 6 });
      expect(await accuracyOf()).to.include({ sampled: 0, others: 0, fallback: 6 });
      await SessionModel.query().where({ assistant_id: assistant.id }).patch({ answered_by: null, conversation: [] });
      expect(await compare(id)).to.include({ sessions: 0, others: 6, former_fallback: 0 });
      // These reviews were stored as parts of the sample, before recordings without speech were left out.
      expect((await compare(id)).fields[0]).to.deep.include({ only_after: 0, others: { fixed: 6, broken: 0 } });
      expect(await accuracyOf()).to.include({ sampled: 0, others: 6 });
      const [same, other] = [
        await createBatch(assistant.workspace_id, { action: 'reanalyze' }),
        await createReanalysis([right]),
      ];
      await BatchModel.knex().raw(
        `insert into batch_items select ?, source_session_id, session_id, outcome from batch_items where batch_id = ?`,
        [same.id, id],
      );
      expect([(await compare(id)).tests, (await compare(other)).tests]).to.deep.equal([2, 1]);
    });

    it('refuses batches of other actions', async () => {
      const { id } = await createBatch(assistant.workspace_id, { action: 'retry' });
      expect((await send(api, 'getBatchAccuracy', { token, params: { id } })).problem.status).to.equal(409);
    });
  });

  describe('of seeded experiments', () => {
    const SETTINGS = FIELDS.slice(0, 1);

    /** @param rates of wrong answers before and after. */
    function experiment(seed: number, [before, after]: readonly [number, number], size = 200): ReviewedValues[] {
      const chance = randomNumbers(seed);
      return Array.from({ length: size }, () => ({
        answers: { resolved: true },
        sampled: true,
        before: { resolved: chance() >= before },
        after: { resolved: chance() >= after },
        same: ['resolved'],
      }));
    }

    const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

    const compare = (pairs: readonly ReviewedValues[]) => compareFields(SETTINGS, pairs);

    it('the true difference is in the interval in at least 54 of 60', async () => {
      const fields = await Promise.all(seeds.map(async (seed) => (await compare(experiment(seed, [0.2, 0.12])))[0]));
      expect(fields.filter((field) => field!.lower! <= 0.08 && field!.upper! >= 0.08)).to.have.length.at.least(54);
    });

    it('equal prompts get at most 5 verdicts of 60, and a much better one is found in at least 54', async () => {
      const verdicts = (rates: readonly [number, number]) =>
        Promise.all(seeds.map(async (seed) => (await compare(experiment(seed, rates)))[0]?.verdict));
      const differing = (await verdicts([0.15, 0.15])).filter((verdict) => verdict === 'better' || verdict === 'worse');
      expect(differing).to.have.length.at.most(5);
      expect((await verdicts([0.3, 0.1])).filter((verdict) => verdict === 'better')).to.have.length.at.least(54);
      expect((await verdicts([0.1, 0.3])).filter((verdict) => verdict === 'worse')).to.have.length.at.least(54);
    });

    it('sessions that people picked change no figure', async () => {
      const sample = experiment(7, [0.2, 0.2]);
      const picked = experiment(8, [0.9, 0.1]).map((pair) => ({ ...pair, sampled: false }));
      const [alone, both] = [await compare(sample), await compare([...sample, ...picked])];
      expect({ ...both[0], others: null }).to.deep.equal({ ...alone[0], others: null });
    });
  });
});
