import { answerSchema } from '../../../activities/providers/llm/answer-schema.ts';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS } from '../../../contract/values/providers.ts';
import type { FieldResults, ResultField } from '../../../contract/fields/result-fields.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { CONVERSATION, field, PUBLISHED, QUOTES, TWENTY, VALUES } from '../fields/fields.ts';
import { askModel, type ModelAnswer } from '../../../activities/providers/llm/ask-model.ts';
import { ask, ledgerOf, newSession, UNLIMITED } from '../sessions/analysis.ts';
import { errorOf } from '../../support/error-of.ts';
import { ANALYSIS, answerJson, answerWell, useFakeProvider } from './fake-provider.ts';
import { PROVIDERS } from './llm-providers.ts';

const SCORE = field('score', 'integer', { minimum: 1, maximum: 10 });
const AMOUNT = field('amount', 'number');
const TRUE_QUOTE = { field: 'score', turn: 0, quote: 'Good morning' };

const sessionWith = (fields: readonly ResultField[], name: LlmProviderName = 'openai') =>
  newSession(name, { fields: [...fields] }, structuredClone(CONVERSATION));

const answer = (fields: unknown, evidence: unknown = [], name: LlmProviderName = 'openai') =>
  answerWell(name, { text: JSON.stringify({ evidence, fields, ...ANALYSIS }) });

const resultsOf = ({ raw_response }: ModelAnswer) => raw_response as unknown as FieldResults;

for (const name of LLM_PROVIDERS) {
  const row = PROVIDERS[name];

  describe(`Asking ${name} for fields`, () => {
    const fake = useFakeProvider(name);

    it('sends the same bytes whether fields have titles or not', async () => {
      const titled = TWENTY.map((each) => ({ ...each, title: `Заголовок ${each.name}` }));
      const sent: (string | undefined)[][] = [];
      for (const fields of [TWENTY, titled]) {
        const session = await sessionWith(fields, name);
        // A second request corrects the score.
        fake.behave(answer({ ...VALUES, score: [99] }, QUOTES, name), answer(VALUES, QUOTES, name));
        await ask(fake, session);
        // The fence depends on the session.
        sent.push(fake.requests.map(({ body }) => body.toString().replaceAll(/=== conversation \w+ ===/g, '')));
      }
      const [untitled = []] = sent;
      expect(untitled).to.have.length(2);
      expect(sent).to.deep.equal([untitled, untitled]);
    });

    it("sends numbered turns and the strict schema in the provider's format, and returns checked values", async () => {
      const session = await sessionWith(TWENTY, name);
      fake.behave(answer(VALUES, QUOTES, name));
      const given = await ask(fake, session);
      const body = fake.requests[0]!.body.toString();
      expect(body).to.contain('#1 [0:03] client: You took 184 500 soum').and.contain('never use an option');
      const template = row.request({
        model: row.model,
        system: '',
        user: '',
        temperature: null,
        maxOutputTokens: 8_192,
        schema: answerSchema(TWENTY, { encoding: 'strict', roles: false }),
      });
      expect(schemaIn(JSON.parse(body))).to.deep.equal(schemaIn(template));
      expect(given.field_encoding).to.equal('strict');
      const { fields, evidence, ...rest } = given.raw_response;
      expect(rest).to.deep.equal(ANALYSIS);
      expect(fields).to.deep.equal(PUBLISHED);
      expect(evidence).to.have.all.keys('amount', 'days', 'order_id', 'products', 'reason', 'resolved', 'score');
      expect(evidence).to.deep.include({
        amount: {
          verified: true,
          value_in_quote: true,
          dropped: 0,
          quotes: [
            {
              turn: 1,
              role: 'client',
              quote: 'You took 184 500 soum from me',
              match: 'moved',
              context: CONVERSATION[1]!.text,
              start_s: 3,
              end_s: 7,
            },
          ],
        },
        score: {
          verified: false,
          value_in_quote: null,
          dropped: 1,
          quotes: [],
          unfound: [{ quote: 'I am quite satisfied with you', match: 'none' }],
        },
      });
      expect(await ledgerOf(session)).to.have.length(1);
    });

    it('uses rows if the provider refuses the schema, reports that, and remembers it for the same fields', async () => {
      for (const [index, { status, body }] of row.schemaErrors.entries()) {
        const own = `only_here_${name}_${index}`;
        const fields = [SCORE, field(own, 'boolean')];
        const rows = [
          { name: 'score', value: '7' },
          { name: own, value: 'true' },
        ];
        const session = await sessionWith(fields, name);
        fake.behave(answerJson(status, body), answer(rows, [TRUE_QUOTE], name));
        const given = await ask(fake, session);
        expect(given.field_encoding).to.equal('rows');
        expect(resultsOf(given).fields).to.deep.equal({ score: 7, [own]: true });
        const calls = await ledgerOf(session);
        expect(calls.map(({ cost_usd }) => (cost_usd ?? 0) > 0)).to.deep.equal([false, true]);
        fake.behave(answer(rows, [], name));
        expect((await ask(fake, await sessionWith(fields, name))).field_encoding).to.equal('rows');
        expect(fake.requests).to.have.length(1);
      }
    });
  });
}

describe('The fields of a response', () => {
  const fake = useFakeProvider('openai');
  const row = PROVIDERS.openai;

  const resultsWith = async (fields: readonly ResultField[] = [SCORE]) =>
    resultsOf(await ask(fake, await sessionWith(fields)));

  for (const [lie, fields, code] of [
    ['a value out of range', { score: [99] }, 'out_of_range'],
    ['another type', { score: ['seven'] }, 'wrong_type'],
    ['a missing field', {}, 'missing'],
    ['two values', { score: [1, 2] }, 'too_many'],
    ['no fields at all', undefined, 'missing'],
  ] as const) {
    it(`are corrected in a second call that names the error, after ${lie}; both calls are charged`, async () => {
      const session = await sessionWith([SCORE, AMOUNT]);
      fake.behave(answer(fields && { amount: [5], ...fields }), answer({ score: [7], amount: [6] }, [TRUE_QUOTE]));
      const given = resultsOf(await ask(fake, session));
      expect(given.fields['score']).to.equal(7);
      expect(given.fields['amount'], 'a valid value stays').to.equal(fields ? 5 : 6);
      expect(given.evidence['score']).to.include({ verified: true });
      expect(given).not.to.have.property('problems');
      const [first, second] = fake.requests.map(({ body }) => body.toString());
      expect(first).not.to.contain('An earlier answer');
      expect(second).to.contain('An earlier answer was invalid').and.contain('- score: ');
      const calls = (await ledgerOf(session)).map((call) => [call.status, (call.cost_usd ?? 0) > 0]);
      expect(calls).to.deep.equal(Array(2).fill(['succeeded', true]));
    });

    it(`are null with the reason after ${lie} twice, without a third call`, async () => {
      fake.behave(answer(fields));
      const given = await resultsWith();
      expect([given.fields, given.evidence]).to.deep.equal([{ score: null }, {}]);
      expect(given.problems?.['score']?.code).to.equal(code);
      expect(fake.requests).to.have.length(2);
    });
  }

  describe('whose worker stops after it stored the response', () => {
    /** Makes the call as a worker that stops before it stores the result. Returns the session for the next worker. */
    async function askAndStop(session: SessionModel, check: () => Promise<unknown> = async () => undefined) {
      await askModel({ llm: fake.providers, ...UNLIMITED }, session, new AbortController().signal);
      await check();
      return SessionModel.query().findById(session.id).throwIfNotFound();
    }

    it('are checked after the response and its cost are stored, and are charged once', async () => {
      const session = await sessionWith([SCORE]);
      fake.behave(answer({ score: [7] }, [TRUE_QUOTE]));
      const reloaded = await askAndStop(session, async () => {
        const [call] = await ledgerOf(session);
        expect(call).to.deep.include({ status: 'succeeded' });
        expect(call?.cost_usd).to.be.above(0);
        expect(JSON.stringify(call?.provider_response)).to.contain('Good morning');
      });
      const given = resultsOf(await ask(fake, reloaded));
      expect(given.fields).to.deep.equal({ score: 7 });
      expect(given.evidence['score']).to.include({ verified: true });
      expect(fake.requests).to.have.length(1);
      expect(await ledgerOf(session)).to.have.length(1);
    });

    it('are read from the first and the second response, each charged once', async () => {
      const session = await sessionWith([SCORE, AMOUNT]);
      fake.behave(answer({ score: [99], amount: [5] }), answer({ score: [7], amount: [6] }, [TRUE_QUOTE]));
      const given = await ask(fake, await askAndStop(session));
      expect(resultsOf(given).fields).to.deep.equal({ score: 7, amount: 5 });
      expect(given).to.include({ field_encoding: 'strict' });
      expect(fake.requests).to.have.length(2);
      expect((await ledgerOf(session)).map(({ status }) => status)).to.deep.equal(['succeeded', 'succeeded']);
    });
  });

  it('cause no second call after an invented quote or a wrong turn', async () => {
    fake.behave(answer({ score: [7] }, [TRUE_QUOTE, { ...TRUE_QUOTE, quote: 'I am your greatest fan' }]));
    expect((await resultsWith()).evidence['score']).to.deep.include({ verified: true, dropped: 1 });
    fake.behave(answer({ score: [7] }, [{ ...TRUE_QUOTE, turn: 3 }]));
    expect((await resultsWith()).evidence['score']?.quotes).to.deep.equal([
      {
        turn: 0,
        role: 'operator',
        quote: 'Good morning',
        match: 'moved',
        context: CONVERSATION[0]!.text,
        start_s: 0,
        end_s: 2.5,
      },
    ]);
    expect(fake.requests).to.have.length(1);
  });

  it('are those of the first response if the second call fails', async () => {
    for (const failure of [answerJson(503, row.error(503)), answerJson(200, row.refusals[0])]) {
      fake.behave(answer({ score: [99] }), failure);
      const given = await ask(fake, await sessionWith([SCORE]));
      expect(resultsOf(given).problems?.['score']?.message).to.equal('99 is more than 10');
      expect(given.summary_text).to.equal(ANALYSIS.summary_text);
    }
  });

  it('fail if the provider also refuses rows and every simpler format', async () => {
    const { status, body } = row.schemaErrors[0]!;
    fake.behave(answerJson(status, body));
    const error = await errorOf(ask(fake, await sessionWith([SCORE, field('refused_twice', 'boolean')])));
    expect(error).to.include({ fault: 'bad_input' });
    expect(fake.requests).to.have.length(4);
  });

  it('are corrected only by an answer with a summary', async () => {
    const flawed = JSON.stringify({ fields: { score: 'x' }, evidence: [], ...ANALYSIS });
    const raw = JSON.stringify({ fields: { score: 7 } });
    fake.behave(...[flawed, raw, raw, raw].map((text) => answerWell('openai', { text })));
    const given = await ask(fake, await sessionWith([SCORE]));
    expect(given.summary_text).to.equal(ANALYSIS.summary_text);
    expect(given.raw_response).to.deep.include({ fields: { score: null } });
    expect(fake.requests).to.have.length(4);
  });
});

/** Returns the schema in a request's body, in the location that the provider's protocol defines. */
function schemaIn(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  for (const [key, value] of Object.entries(body)) {
    if (key === 'responseSchema' || (key === 'schema' && typeof value === 'object')) return value;
    const inner = schemaIn(value);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
