import { typeid } from 'typeid-js';
import { z } from 'zod';
import { getAssistant, listAssistants } from '../../../contract/assistants/assistants.ts';
import { getSessionCall } from '../../../contract/sessions/timeline.ts';
import { getDelivery, listDeliveries, listSessionDeliveries } from '../../../contract/sessions/deliveries.ts';
import { listAuditEvents } from '../../../contract/account/audit.ts';
import type { Endpoint } from '../../../contract/values/endpoint.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { listKeys } from '../../../contract/account/keys.ts';
import { listBatches } from '../../../contract/sessions/batches.ts';
import { TOKEN_SCOPES } from '../../../contract/values/scopes.ts';
import { getSession, listSessions } from '../../../contract/sessions/sessions.ts';
import { getSessionTimeline } from '../../../contract/sessions/timeline.ts';
import { getUsage } from '../../../contract/service/usage.ts';
import { ApiKeyModel } from '../../../db/models/api-key.ts';
import { AuditEventModel } from '../../../db/models/audit-event.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import type { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { sendRaw } from '../../support/api.ts';
import { eraseWorkspace } from '../../../db/queries/deleted-workspaces.ts';
import { eraseSession } from '../../../db/queries/erase-session.ts';
import { testDatabase } from '../../support/database.ts';
import {
  createAssistant,
  createCall,
  createDelivery,
  createSession,
  createUser,
  openAttempt,
  createBatch,
} from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

/** A value that no release has. */
const NEW = 'of_a_newer_release';

/** Response properties that this release computes, so no row contains them. */
const OWN = ['approximate', 'dry_run', 'group_by', 'interval', 'kind', 'registration', 'token_type'];

/** Returns the names of properties that accept only the values of this release. */
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

interface Check {
  table: string;
  name: string;
  definition: string;
}

/** Drops the checks of enumerations, as the migration of a newer release does before it writes such rows. */
async function dropChecks(): Promise<Check[]> {
  const { db } = testDatabase();
  const { rows } = await db.raw<{ rows: Check[] }>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'c' and conname like '%\\_known'`,
  );
  for (const { table, name } of rows) await db.raw('alter table ?? drop constraint ??', [table, name]);
  return rows;
}

async function addChecks(checks: readonly Check[]): Promise<void> {
  for (const { table, name, definition } of checks) {
    await testDatabase().db.raw(`alter table ?? add constraint ?? ${definition}`, [table, name]);
  }
}

describe('Rows of a newer release', () => {
  const api = useTestApi();
  let token: string;
  let owner: Awaited<ReturnType<typeof createUser>>;
  let ids: { assistant: string; session: string; delivery: string };
  let checks: Check[];
  before(async () => {
    checks = await dropChecks();
    owner = await createUser();
    token = owner.token;
    const assistant = await createAssistant(owner.user.default_workspace_id, { webhook_events: [NEW as never] });
    const error = { code: NEW, stage: NEW, provider: NEW, message: 'm', retryable: false };
    const session = await createSession(assistant, {
      status: NEW as never,
      error: error as never,
      completed_at: new Date(),
      roles: { source: NEW as never, map: { client: NEW as never }, evidence: {} },
      assistant: { ...assistant.freeze(), llm_provider: NEW as never },
    });
    const { workspace_id } = session;
    const unknown = { step: NEW, provider: NEW, model: 'm', status: NEW } as never as Partial<ProviderCallModel>;
    await createCall(session, { ...unknown, error: { ...error, fault: NEW, http_status: null } as never });
    await createCall(session, { ...unknown, step: 'analysis' });
    await ApiKeyModel.query()
      .patch({ scopes: [...TOKEN_SCOPES, NEW as never] })
      .where({ workspace_id });
    // Old enough to be removed by the sweep.
    const expired = new Date(0);
    await AuditEventModel.query().insert({
      id: typeid('audit').toString(),
      workspace_id,
      action: NEW as never,
      created_at: expired,
    });
    await createBatch(workspace_id, { action: NEW as never, filter: { status: NEW as never } });
    const delivery = await createDelivery(session);
    await openAttempt(delivery.id);
    await DeliveryAttemptModel.query()
      .patch({ outcome: NEW as never, failure: NEW as never, duration_ms: 1 })
      .where({ delivery_id: delivery.id });
    const { db } = testDatabase();
    await db('deliveries').where({ id: delivery.id }).update({ event: NEW, status: NEW, stop_reason: NEW });
    await db('assistants').where({ id: assistant.id }).update({ llm_provider: NEW });
    ids = { assistant: assistant.id, session: session.id, delivery: delivery.id };
  });
  after(async () => {
    await eraseSession(ids.session);
    await eraseWorkspace(owner.workspaceId);
    await AuditEventModel.removeExpired();
    await addChecks(checks);
  });

  const reads: [Endpoint, (keyof typeof ids | undefined)?, string?][] = [
    [listSessions],
    [getSession, 'session'],
    [getSessionTimeline, 'session'],
    [getSessionCall, 'session'],
    [listSessionDeliveries, 'session'],
    [listDeliveries],
    [getDelivery, 'delivery'],
    [listBatches],
    [listAssistants],
    [getAssistant, 'assistant'],
    [listKeys],
    [listAuditEvents],
    [getUsage, undefined, '?group_by=provider'],
  ];
  it('are shown unchanged by every read', async () => {
    for (const [{ operationId, path }, id, query = ''] of reads) {
      const target = path.replace('{id}', id ? ids[id] : '').replace('{call_id}', 'analysis-1') + query;
      const answer = await sendRaw(api, 'GET', target, { token });
      expect(answer.status, operationId).to.equal(200);
      expect(JSON.stringify(answer.body), operationId).to.contain(NEW);
    }
  });

  it('match the schemas of all responses', () => {
    for (const { operationId, answers } of ENDPOINTS) {
      const schemas = Object.values(answers).map(
        (answer) => answer && z.toJSONSchema(answer, { unrepresentable: 'any' }),
      );
      const closed = schemas.flatMap((schema) => findClosed(schema)).filter((name) => !OWN.includes(name));
      expect(closed, operationId).to.deep.equal([]);
    }
  });

  it('do not make such values valid in requests', async () => {
    const settings = { name: 'a', type: 'text', llm_provider: NEW, system_prompt: 's' };
    const headers = { 'Content-Type': 'application/json' };
    const created = await sendRaw(api, 'POST', '/v1/assistants', { token, headers, body: JSON.stringify(settings) });
    expect([created.status, ...created.paths]).to.deep.equal([422, 'llm_provider']);
    expect((await sendRaw(api, 'GET', `/v1/sessions?status=${NEW}`, { token })).problem.status).to.equal(422);
  });
});
