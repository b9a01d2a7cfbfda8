import { expect } from 'chai';
import { answerSchema } from '../../../activities/vendors/llm/answer-schema.ts';
import { askModel } from '../../../activities/vendors/llm/ask-model.ts';
import type { ModelAnswer } from '../../../activities/vendors/llm/ask-model.ts';
import { createAssumePrice, createPriceOf } from '../../../activities/vendors/pricing.ts';
import { LLM_PROVIDERS } from '../../../contract/constants.ts';
import type { FieldResults, ResultField } from '../../../contract/result-fields.ts';
import { SchemaRefusalModel } from '../../../db/models/schema-refusal.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { CONVERSATION, field, PUBLISHED, QUOTES, TWENTY, VALUES } from '../fields/fields.ts';
import { keepAnswer, ledgerOf, newSession } from '../sessions/analysis.ts';
import { ANALYSIS, answerJson, answerWell, startFakeVendor } from './fake-vendor.ts';
import type { FakeVendor } from './fake-vendor.ts';
import { VENDORS } from './llm-vendors.ts';

const priceOf = createPriceOf();
const free = { maxUsd: null, installationUsd: null };
const assumePrice = createAssumePrice({ perMtokUsd: 0, perAudioHourUsd: 0 });

const SCORE = field('score', 'integer', { minimum: 1, maximum: 10 });
const TRUE_QUOTE = { field: 'score', turn: 0, quote: 'Good morning' };

for (const name of LLM_PROVIDERS) {
  const row = VENDORS[name];

  describe(`Asking ${name} for fields`, () => {
    let vendor: FakeVendor;
    before(async () => {
      vendor = await startFakeVendor(name);
    });
    after(() => vendor.stop());

    const sessionWith = (fields: readonly ResultField[]) =>
      newSession(name, { fields: [...fields] }, structuredClone(CONVERSATION));

    const ask = (session: SessionModel, budgets = free): Promise<ModelAnswer> =>
      askModel(
        { llm: vendor.providers, priceOf, assumePrice, budgets, maxSessionsInFlight: 50 },
        session,
        new AbortController().signal,
        keepAnswer,
      );

    const answer = (fields: unknown, evidence: unknown = []) =>
      answerWell(name, { text: JSON.stringify({ evidence, fields, ...ANALYSIS }) });

    const resultsOf = ({ raw_response }: ModelAnswer) => raw_response as unknown as FieldResults;

    const bodies = () => vendor.requests.map(({ body }) => body.toString());

    it('asks for twenty of all types by its own strict mode, of numbered turns, and publishes what is checked', async () => {
      const session = await sessionWith(TWENTY);
      vendor.behave(answer(VALUES, QUOTES));
      const given = await ask(session);
      const [body = ''] = bodies();
      expect(body).to.contain('#1 [0:03] client: You took 184 500 soum').and.contain('never take an option');
      const template = row.request({
        ...{ model: row.model, system: '', user: '', temperature: null, maxOutputTokens: 8_192 },
        schema: answerSchema(TWENTY, { encoding: 'strict', roles: false }),
      });
      expect(schemaIn(JSON.parse(body))).to.deep.equal(schemaIn(template));
      expect(given.field_encoding).to.equal('strict');
      const { fields, evidence, ...rest } = given.raw_response;
      expect(rest).to.deep.equal(ANALYSIS);
      expect(fields).to.deep.equal(PUBLISHED);
      expect(Object.keys(evidence as object).sort()).to.deep.equal([
        'amount',
        'days',
        'order_id',
        'products',
        'reason',
        'resolved',
        'score',
      ]);
      expect(evidence).to.deep.include({
        amount: {
          ...{ verified: true, value_in_quote: true, dropped: 0 },
          quotes: [{ turn: 1, quote: 'You took 184 500 soum from me', match: 'moved', start_s: 3, end_s: 7 }],
        },
        score: { verified: false, value_in_quote: null, dropped: 1, quotes: [] },
      });
      expect(await ledgerOf(session)).to.have.length(1);
    });

    for (const [lie, fields, code] of [
      ['a value out of range', { score: [99] }, 'out_of_range'],
      ['another type', { score: ['seven'] }, 'wrong_type'],
      ['a missing field', {}, 'missing'],
      ['two values', { score: [1, 2] }, 'too_many'],
      ['no fields at all', undefined, 'missing'],
    ] as const) {
      it(`asks once more after ${lie}, tells the error and pays for both; a right answer then counts`, async () => {
        const session = await sessionWith([SCORE, field('amount', 'number')]);
        const others = fields && { amount: [5], ...fields };
        vendor.behave(answer(others), answer({ score: [7], amount: [6] }, [TRUE_QUOTE]));
        const given = resultsOf(await ask(session));
        expect(given.fields['score']).to.equal(7);
        expect(given.fields['amount'], 'what fitted stays').to.equal(fields ? 5 : 6);
        expect(given.evidence['score']).to.include({ verified: true });
        expect(given).not.to.have.property('problems');
        expect(bodies()[0]).not.to.contain('An earlier answer');
        expect(bodies()[1]).to.contain('An earlier answer did not fit').and.contain('- score: ');
        const calls = await ledgerOf(session);
        expect(calls.map((call) => [call.status, (call.cost_usd ?? 0) > 0])).to.deep.equal(
          Array(2).fill(['succeeded', true]),
        );
      });

      it(`gives null and the reason after ${lie} twice, and asks no third time`, async () => {
        const session = await sessionWith([SCORE]);
        vendor.behave(answer(fields));
        const given = resultsOf(await ask(session));
        expect(given.fields).to.deep.equal({ score: null });
        expect(given.problems?.['score']?.code).to.equal(code);
        expect(given.evidence).to.deep.equal({});
        expect(vendor.requests).to.have.length(2);
      });
    }

    it('takes an invented quotation and a wrong turn as they are: no second call mends them', async () => {
      vendor.behave(answer({ score: [7] }, [TRUE_QUOTE, { ...TRUE_QUOTE, quote: 'I am your greatest fan' }]));
      const given = resultsOf(await ask(await sessionWith([SCORE])));
      expect(given.evidence['score']).to.deep.include({ verified: true, dropped: 1 });
      vendor.behave(answer({ score: [7] }, [{ ...TRUE_QUOTE, turn: 3 }]));
      const moved = resultsOf(await ask(await sessionWith([SCORE])));
      expect(moved.evidence['score']?.quotes).to.deep.equal([
        { turn: 0, quote: 'Good morning', match: 'moved', start_s: 0, end_s: 2.5 },
      ]);
    });

    it('keeps the paid answer when the second one can not be had', async () => {
      for (const failure of [answerJson(503, row.error(503)), answerJson(200, row.refusals[0])]) {
        vendor.behave(answer({ score: [99] }), failure);
        const given = await ask(await sessionWith([SCORE]));
        expect(resultsOf(given).problems?.['score']?.message).to.equal('99 is more than 10');
        expect(given.summary_text).to.equal(ANALYSIS.summary_text);
      }
    });

    it('goes over to rows when the schema is refused, says so, and remembers it for the same fields', async () => {
      for (const [index, { status, body }] of row.schemaErrors.entries()) {
        const fields = [SCORE, field(`only_here_${name}_${index}`, 'boolean')];
        const rows = [
          { name: 'score', value: '7' },
          { name: fields[1]!.name, value: 'true' },
        ];
        const session = await sessionWith(fields);
        vendor.behave(answerJson(status, body), answer(rows, [TRUE_QUOTE]));
        const given = await ask(session);
        expect(given.field_encoding).to.equal('rows');
        expect(resultsOf(given).fields).to.deep.equal({ score: 7, [fields[1]!.name]: true });
        const calls = await ledgerOf(session);
        expect(calls.map(({ cost_usd }) => (cost_usd ?? 0) > 0)).to.deep.equal([false, true]);
        vendor.behave(answer(rows));
        expect((await ask(await sessionWith(fields))).field_encoding).to.equal('rows');
        expect(vendor.requests).to.have.length(1);
        await SchemaRefusalModel.query()
          .patch({ refused_at: new Date(Date.now() - 25 * 3_600_000) })
          .where({ provider: name });
        vendor.behave(answer({ score: [7], [fields[1]!.name]: [true] }));
        expect((await ask(await sessionWith(fields))).field_encoding, 'a day later').to.equal('strict');
      }
    });

    it('fails, as before, where the vendor refuses rows too', async () => {
      const { status, body } = row.schemaErrors[0]!;
      vendor.behave(answerJson(status, body));
      const error = await ask(await sessionWith([SCORE, field('refused_twice', 'boolean')])).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).to.include({ fault: 'bad_input' });
      expect(vendor.requests).to.have.length(2);
    });

    it('makes prose a result whose fields are all missing', async () => {
      vendor.behave(answerWell(name, { text: 'The client waits.' }));
      const given = await ask(await sessionWith([SCORE]));
      expect(given.summary_text).to.equal('The client waits.');
      expect(given.raw_response).to.deep.include({ text: 'The client waits.', fields: { score: null } });
    });
  });
}

/** Returns the schema in a request's body, wherever the vendor's protocol has it. */
function schemaIn(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  for (const [key, value] of Object.entries(body)) {
    if (key === 'responseSchema' || (key === 'schema' && typeof value === 'object')) return value;
    const inner = schemaIn(value);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
