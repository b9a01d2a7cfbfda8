import type { Batch, BatchEstimate } from '../../contract/sessions/batches.ts';
import { LLM_PROVIDER_FACTS, urlVariable } from '../../contract/values/providers.ts';
import { SessionModel } from '../../db/models/session.ts';
import { field } from '../activities/fields/fields.ts';
import { ANALYSIS, answerJson } from '../activities/providers/fake-provider.ts';
import { PROVIDERS } from '../activities/providers/llm-providers.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { COMPLETED, createOwner, createSession, createUser, says } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import { startTestService } from '../support/service.ts';
import { useStarted } from '../support/use-started.ts';

const USAGE = { prompt_tokens: 20_000, completion_tokens: 2_000, total_tokens: 22_000 };
const SESSIONS = 200;
const AWAITED = 20;

describe('Economy', () => {
  /** What the provider does with requests for half the price. */
  let flex: 'a fifth' | 'full' | 'unsold' | 'sold' = 'a fifth';
  const asked = { flex: 0, refused: 0, standard: 0 };
  beforeEach(() => void Object.assign(asked, { flex: 0, refused: 0, standard: 0 }));
  const provider = useStarted(() =>
    startReceiver((response, request) => {
      const isFlex = (JSON.parse(request.body.toString()) as { service_tier?: string }).service_tier === 'flex';
      asked[isFlex ? 'flex' : 'standard'] += 1;
      // The schema of the fields, which is refused without a name.
      const isStrict = request.body.includes('"resolved":{');
      if (isFlex ? flex === 'unsold' || (flex === 'sold' && isStrict) : flex === 'sold')
        return answerJson(400, { error: { message: 'Not available for this model.', type: 'invalid_request_error' } })(
          response,
          request,
        );
      if (isFlex && (flex === 'full' || (flex === 'a fifth' && asked.flex % 5 === 0))) {
        asked.refused += 1;
        const error = { message: 'Resource unavailable', type: 'server_error', code: 'resource_unavailable' };
        return answerJson(429, { error })(response, request);
      }
      const text = JSON.stringify({ fields: { resolved: [true] }, ...ANALYSIS });
      const body = PROVIDERS.openai.answer({ text, usage: USAGE }) as object;
      answerJson(200, { ...body, service_tier: isFlex ? 'flex' : 'default' })(response, request);
    }),
  );
  const service = useStarted(() =>
    startTestService({ env: { [urlVariable(LLM_PROVIDER_FACTS.openai)]: provider.url + PROVIDERS.openai.basePath } }),
  );
  const MODEL = { llm_provider: 'openai', llm_model: 'gpt-6-luna' } as const;

  const submit = async (token: string, assistant_id: string, headers = {}) =>
    (
      await send(service.api, 'submitTextRequest', {
        token,
        body: { assistant_id, conversation: says('Late.') },
        headers,
      })
    ).body;

  it('analyzes a batch for half the price although a fifth of the requests is refused, and no awaited request asks for it', async function () {
    this.timeout(0);
    flex = 'a fifth';
    const { token, assistant } = await createOwner(MODEL);
    for (let each = 0; each < SESSIONS; each += 50) {
      await Promise.all(Array.from({ length: 50 }, () => createSession(assistant, COMPLETED)));
    }
    const filter = { assistant_id: assistant.id };
    const body = { action: 'reanalyze', filter, economy: true } as const;
    const start = (more: object) => send(service.api, 'createBatch', { token, body: { ...body, ...more } });
    const { batch_id, economy } = (await start({})).body as Batch;
    expect(economy).to.equal(true);
    const read = async () => (await send(service.api, 'getBatch', { token, params: { id: batch_id } })).body;
    await eventually(read, ({ completed }) => completed > 10, 120_000);
    // The assistant is economical too; but somebody waits.
    await send(service.api, 'updateAssistant', { token, params: { id: assistant.id }, body: { economy: true } });
    const before = asked.standard;
    const awaited = await Promise.all(Array.from({ length: AWAITED }, () => submit(token, assistant.id)));
    expect(asked.standard - before).to.equal(AWAITED);
    const standard = awaited[0]!.total_cost;
    const ended = await eventually(read, ({ status }) => status === 'completed', 240_000);
    expect(ended).to.include({ completed: SESSIONS, failed: 0 });
    expect(asked.refused).to.be.above(SESSIONS / 5 - 2);
    expect(asked.flex - asked.refused).to.equal(SESSIONS);
    expect(ended.cost_usd / (SESSIONS * standard)).to.be.within(0.48, 0.52);
    const estimate = (await start({ dry_run: true })).body as BatchEstimate;
    expect(estimate.economy_cost_usd).to.be.closeTo(estimate.expected_cost_usd! / 2, 0.001);
    expect((await send(service.api, 'createBatch', { token, body: { ...body, action: 'retry' } })).paths).to.deep.equal(
      ['economy'],
    );
  });

  it('waits for capacity for an hour that outlives a restart, then pays the standard price, and the timeline says so', async () => {
    flex = 'full';
    const { token, assistant } = await createOwner({ ...MODEL, economy: true });
    const { session_id: id } = await submit(token, assistant.id, { Prefer: 'respond-async' });
    const read = async () => (await send(service.api, 'getSession', { token, params: { id } })).body;
    await eventually(read, ({ waiting_for }) => waiting_for !== null);
    expect(asked.standard).to.equal(0);
    expect((await send(service.api, 'getInfo', { token })).body.waiting).to.deep.equal([]);
    // The hour is what the row says.
    const waiting = SessionModel.raw(
      `jsonb_set(waiting, '{since}', to_jsonb(cast(waiting ->> 'since' as timestamptz) - interval '1 hour'))`,
    );
    await SessionModel.query()
      .patch({ waiting: waiting as never })
      .where({ id });
    const session = await eventually(read, ({ status }) => status === 'completed', 60_000);
    expect(session.assistant.economy).to.equal(true);
    const { data } = (await send(service.api, 'getSessionTimeline', { token, params: { id } })).body;
    const calls = data.filter(({ kind, step }) => kind === 'call' && step === 'analysis');
    expect(new Set(calls.slice(0, -1).map(({ tier }) => tier))).to.deep.equal(new Set(['flex']));
    expect(calls.at(-1)).to.include({ tier: 'standard', status: 'succeeded' });
  });

  it('is asked for once a day of a model that does not sell it, whatever it answers, and fields stay as they are asked for', async () => {
    flex = 'unsold';
    const fields = [field('resolved', 'boolean', { evidence: false })];
    const { token, assistant } = await createOwner({ ...MODEL, llm_model: 'gpt-5.4', economy: true, fields });
    for (const expected of [
      { flex: 1, standard: 1 },
      { flex: 1, standard: 2 },
    ]) {
      const { session_id: id } = await submit(token, assistant.id, { Prefer: 'respond-async' });
      const read = async () => (await send(service.api, 'getSession', { token, params: { id } })).body;
      const { left_out } = await eventually(read, ({ status }) => status === 'completed');
      expect(asked).to.include(expected);
      expect(left_out).to.deep.equal([{ step: 'analysis', parameter: 'service_tier' }]);
    }
  });

  it('stays with a model whose schema is refused', async () => {
    flex = 'sold';
    const fields = [field('resolved', 'boolean', { evidence: false })];
    const { token, assistant } = await createOwner({ ...MODEL, llm_model: 'gpt-5.2', economy: true, fields });
    for (let each = 0; each < 2; each++) {
      const { session_id: id } = await submit(token, assistant.id, { Prefer: 'respond-async' });
      const read = async () => (await send(service.api, 'getSession', { token, params: { id } })).body;
      const { left_out } = await eventually(read, ({ status }) => status === 'completed');
      // Asked once without the tier, which was refused as well.
      expect([asked.standard, left_out]).to.deep.equal([1, null]);
    }
  });

  it('is absent from responses of others', async () => {
    const { token } = await createUser();
    const body = { name: 'a', type: 'text', ...MODEL, system_prompt: 'Summarize.' } as const;
    const { id } = (await send(service.api, 'createAssistant', { token, body })).body;
    const change = async (economy: boolean | null) =>
      (await send(service.api, 'updateAssistant', { token, params: { id }, body: { economy } })).body;
    expect(await change(true)).to.include({ economy: true, version: 1 });
    expect(await change(null)).not.to.have.property('economy');
    expect((await send(service.api, 'getAssistant', { token, params: { id } })).body).not.to.have.property('economy');
  });
});
