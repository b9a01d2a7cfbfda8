import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import { getAssistant, listAssistants } from '../../contract/assistants.ts';
import { getDelivery, listDeliveries, listSessionDeliveries } from '../../contract/deliveries.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { getSession, listSessions } from '../../contract/sessions.ts';
import { getSessionTimeline } from '../../contract/timeline.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { sendRaw, startTestApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { createAssistant, createDelivery, createSession, createUser } from '../support/factories.ts';

/** A value that no release has yet. */
const NEW = 'of_a_newer_release';

describe('Rows that a newer release wrote', () => {
  let api: RunningApi;
  let token: string;
  let ids: { assistant: string; session: string; delivery: string };
  before(async function () {
    this.timeout(0);
    api = await startTestApi();
    const owner = await createUser();
    token = owner.token;
    const assistant = await createAssistant(owner.user.id, { webhook_events: [NEW as never] });
    const error = { code: NEW, stage: NEW, provider: NEW, message: 'm', retryable: false };
    const session = await createSession(assistant, {
      ...{ status: NEW as never, error: error as never, completed_at: new Date() },
      roles: { source: NEW as never, map: { client: NEW as never }, evidence: {} },
      assistant: { ...assistant.freeze(), llm_provider: NEW as never },
    });
    const { id: session_id, user_id, assistant_id } = session;
    const call = { session_id, user_id, assistant_id, step: NEW, provider: NEW, model: 'm', attempt: 1, status: NEW };
    await VendorCallModel.query().insert({ ...call, error: { ...error, fault: NEW, http_status: null } } as never);
    const delivery = await createDelivery(session);
    const attempt = { delivery_id: delivery.id, attempt: 1, url: 'http://127.0.0.1/', request_headers: {} };
    await DeliveryAttemptModel.open(attempt);
    await DeliveryAttemptModel.query().patch({ outcome: NEW as never, failure: NEW as never, duration_ms: 1 });
    await testDatabase()
      .db('deliveries')
      .where({ id: delivery.id })
      .update({ event: NEW, status: NEW, stop_reason: NEW });
    await testDatabase().db('assistants').where({ id: assistant.id }).update({ llm_provider: NEW });
    ids = { assistant: assistant.id, session: session.id, delivery: delivery.id };
  });
  after(() => api.stop());

  const reads: [Endpoint, keyof typeof ids | undefined][] = [
    [listSessions, undefined],
    [getSession, 'session'],
    [getSessionTimeline, 'session'],
    [listSessionDeliveries, 'session'],
    [listDeliveries, undefined],
    [getDelivery, 'delivery'],
    [listAssistants, undefined],
    [getAssistant, 'assistant'],
  ];
  for (const [{ operationId, path }, id] of reads) {
    it(`are shown as they are by ${operationId}`, async () => {
      const answer = await sendRaw(api, 'GET', path.replace('{id}', id ? ids[id] : ''), { token });
      expect(answer.status).to.equal(200);
      expect(JSON.stringify(answer.body)).to.contain(NEW);
    });
  }

  it('make no request with such a value valid', async () => {
    const settings = { name: 'a', type: 'text', llm_provider: NEW, system_prompt: 's' };
    const headers = { 'Content-Type': 'application/json' };
    const created = await sendRaw(api, 'POST', '/v1/assistants', { token, headers, body: JSON.stringify(settings) });
    expect(created.problem).to.include({ status: 422 });
    expect(created.problem.errors?.map(({ path }) => path)).to.deep.equal(['llm_provider']);
    expect((await sendRaw(api, 'GET', `/v1/sessions?status=${NEW}`, { token })).problem.status).to.equal(422);
  });
});
