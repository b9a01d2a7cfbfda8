import { expect } from 'chai';
import { z } from 'zod';
import type { RunningApi } from '../../api/start.ts';
import { getAssistant, listAssistants } from '../../contract/assistants.ts';
import { getSessionCall } from '../../contract/calls.ts';
import { getDelivery, listDeliveries, listSessionDeliveries } from '../../contract/deliveries.ts';
import { listAuditEvents } from '../../contract/audit.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { listKeys } from '../../contract/keys.ts';
import { listRedeliveries } from '../../contract/redeliveries.ts';
import { SCOPES } from '../../contract/scopes.ts';
import { getSession, listSessions } from '../../contract/sessions.ts';
import { getSessionTimeline } from '../../contract/timeline.ts';
import { getUsage } from '../../contract/usage.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { sendRaw, startTestApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { createAssistant, createDelivery, createSession, createUser } from '../support/factories.ts';

/** A value that no release has yet. */
const NEW = 'of_a_newer_release';

/** Members of answers that no row holds: this release makes them. */
const OWN = ['approximate', 'dry_run', 'group_by', 'interval', 'kind', 'registration', 'token_type'];

/** Returns the names of the members that hold no other values than those which this release lists. */
function findClosed(schema: unknown, name = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((each) => findClosed(each, name));
  if (typeof schema !== 'object' || schema === null) return [];
  const { anyOf = [], ...rest } = schema as { anyOf?: { type?: string; enum?: unknown }[] };
  const isOpen = anyOf.some(({ type, enum: values }) => type === 'string' && values === undefined);
  const closed = 'enum' in rest || 'const' in rest ? [name] : [];
  const inner = Object.entries({ ...rest, anyOf: isOpen ? [] : anyOf });
  return [...closed, ...inner.flatMap(([key, each]) => findClosed(each, KEYWORDS.has(key) ? name : key))];
}

const KEYWORDS = new Set(['anyOf', 'items', 'properties', 'additionalProperties', 'enum', 'const']);

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
    await VendorCallModel.query().insert({ ...call, step: 'analysis' } as never);
    await ApiKeyModel.query()
      .patch({ scopes: [...SCOPES, NEW as never] })
      .where({ user_id });
    await AuditEventModel.record({ user_id, action: NEW as never });
    await RedeliveryModel.create(user_id, { status: NEW as never });
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

  const reads: [Endpoint, (keyof typeof ids | undefined)?, string?][] = [
    [listSessions],
    [getSession, 'session'],
    [getSessionTimeline, 'session'],
    [getSessionCall, 'session'],
    [listSessionDeliveries, 'session'],
    [listDeliveries],
    [getDelivery, 'delivery'],
    [listRedeliveries],
    [listAssistants],
    [getAssistant, 'assistant'],
    [listKeys],
    [listAuditEvents],
    [getUsage, undefined, '?group_by=provider'],
  ];
  for (const [{ operationId, path }, id, query = ''] of reads) {
    it(`are shown as they are by ${operationId}`, async () => {
      const target = path.replace('{id}', id ? ids[id] : '').replace('{call_id}', 'analysis-1') + query;
      const answer = await sendRaw(api, 'GET', target, { token });
      expect(answer.status).to.equal(200);
      expect(JSON.stringify(answer.body)).to.contain(NEW);
    });
  }

  it('are refused by the schema of no answer', () => {
    for (const { operationId, answers } of ENDPOINTS) {
      const closed = Object.values(answers).flatMap((answer) =>
        findClosed(answer && z.toJSONSchema(answer, { unrepresentable: 'any' })),
      );
      expect(
        closed.filter((name) => !OWN.includes(name)),
        operationId,
      ).to.deep.equal([]);
    }
  });

  it('make no request with such a value valid', async () => {
    const settings = { name: 'a', type: 'text', llm_provider: NEW, system_prompt: 's' };
    const headers = { 'Content-Type': 'application/json' };
    const created = await sendRaw(api, 'POST', '/v1/assistants', { token, headers, body: JSON.stringify(settings) });
    expect(created.problem).to.include({ status: 422 });
    expect(created.problem.errors?.map(({ path }) => path)).to.deep.equal(['llm_provider']);
    expect((await sendRaw(api, 'GET', `/v1/sessions?status=${NEW}`, { token })).problem.status).to.equal(422);
  });
});
