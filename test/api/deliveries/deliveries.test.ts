import { expect } from 'chai';
import { submitTextRequest } from '../../../contract/sessions/requests.ts';
import {
  getDelivery,
  listDeliveries,
  listSessionDeliveries,
  type Delivery,
} from '../../../contract/sessions/deliveries.ts';
import { createAssistant as createAssistantEndpoint } from '../../../contract/assistants/assistants.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { send } from '../../support/api.ts';
import { testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createAssistant,
  createDelivery,
  createSession,
  createUser,
  openAttempt,
  says,
  TEXT_SETTINGS,
} from '../../support/factories.ts';
import { startReceiver, type Answering, type Receiver } from '../../support/receiver.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { useSharedService } from '../../support/shared-service.ts';

const SECRET = 'whsec-never-to-be-seen';

describe('Deliveries', () => {
  const service = useSharedService();
  let receiver: Receiver;
  let workspace_id: string;
  let token: string;
  beforeEach(async () => {
    ({ token, workspaceId: workspace_id } = await createUser());
  });

  const read = async (id: string) => (await send(service.api, getDelivery, { token, params: { id } })).body;

  /** Returns the first delivery of a new session after its first attempt. */
  async function deliver(answer?: Answering): Promise<Delivery> {
    receiver = await stopAfterTest(startReceiver(answer));
    const assistant = await send(service.api, createAssistantEndpoint, {
      token,
      body: { ...TEXT_SETTINGS, webhook_url: `${receiver.url}/hooks?key=value`, webhook_secret: SECRET },
    });
    const { body } = await send(service.api, submitTextRequest, {
      token,
      body: { assistant_id: assistant.body.id, conversation: says('Hello.') },
    });
    return eventually(
      () => read(body.delivery?.delivery_id ?? ''),
      ({ attempts }) => attempts[0]?.outcome != null,
    );
  }

  it('GET /v1/deliveries?delivery_id lists only these, and none of other workspaces', async () => {
    const session = await createSession(await createAssistant(workspace_id));
    const [one, , two] = [await createDelivery(session), await createDelivery(session), await createDelivery(session)];
    const { user } = await createUser();
    const foreign = await createDelivery(await createSession(await createAssistant(user.default_workspace_id)));
    const query = { delivery_id: [one.id, two.id, foreign.id] };
    const { data } = (await send(service.api, listDeliveries, { token, query })).body;
    expect(data.map(({ delivery_id }) => delivery_id)).to.deep.equal([two.id, one.id]);
  });

  describe('GET /v1/deliveries?sort=created_at', () => {
    const list = async (cursor?: string, limit = 2) =>
      (
        await send(service.api, listDeliveries, {
          token,
          query: { sort: 'created_at', limit, ...(cursor && { cursor }) },
        })
      ).body;

    it('is followed by its cursor: each delivery appears once, also one whose transaction ends late', async () => {
      const { next_cursor: start } = await list();
      expect(start, 'of an empty list').to.be.a('string');
      const session = await createSession(await createAssistant(workspace_id));
      const first = [await createDelivery(session), await createDelivery(session), await createDelivery(session)];
      const { late, later } = await testDatabase().db.transaction(async (trx) => {
        const late = DeliveryModel.newId();
        const columns = 'workspace_id, session_id, assistant_id, workflow_id, event, payload';
        await trx.raw(`insert into deliveries (id, ${columns}) select ?, ${columns} from deliveries where id = ?`, [
          late,
          first[0]?.id ?? '',
        ]);
        return { late, later: (await createDelivery(session)).id, ...(await walk()) };
      });
      const { ids, cursor } = await walk();
      expect(ids).to.deep.equal([...first.map(({ id }) => id), late, later]);
      const next = await createDelivery(session);
      expect((await list(cursor ?? undefined)).data.map(({ delivery_id }) => delivery_id)).to.deep.equal([next.id]);

      async function walk() {
        const ids: string[] = [];
        for (let cursor = start; ;) {
          const { data, next_cursor } = await list(cursor ?? undefined);
          ids.push(...data.map(({ delivery_id }) => delivery_id));
          if (data.length === 0) return { ids, cursor: next_cursor };
          cursor = next_cursor;
        }
      }
    });

    it('refuses a cursor of the other order', async () => {
      const { next_cursor } = await list();
      const query = { cursor: next_cursor ?? '' };
      expect((await send(service.api, listDeliveries, { token, query })).paths).to.deep.equal(['cursor']);
    });
  });

  describe('GET /v1/deliveries/{id}', () => {
    it('§6.4 shows each attempt: request, response and duration', async () => {
      const delivery = await deliver((response) => {
        response.setHeader('X-Receiver', 'r').end('thank you');
      });
      expect(delivery).to.include({ event: 'session.completed', status: 'delivered', stop_reason: null });
      expect(delivery).to.include({ next_attempt_at: null });
      expect(delivery.ended_at).to.be.a('string');
      expect(delivery.attempts).to.have.length(1);
      const [attempt] = delivery.attempts;
      expect(attempt).to.include({ attempt: 1, outcome: 'succeeded', failure: null, status_code: 200 });
      expect(attempt).to.include({ url: `${receiver.url}/hooks?key=value`, next_attempt_at: null });
      expect(attempt).to.include({ response_body: 'thank you', response_truncated: false });
      expect(attempt?.response_headers).to.include({ 'x-receiver': 'r' });
      expect(attempt?.duration_ms).to.be.at.least(0);
    });

    it('shows the body that was sent, byte for byte, and the headers without the secret', async () => {
      const delivery = await deliver();
      const sent = receiver.requests[0]?.headers ?? {};
      expect(sent.authorization).to.equal(`Bearer ${SECRET}`);
      const shown = Object.entries(delivery.attempts[0]?.request_headers ?? {});
      const names = shown.map(([name]) => name.toLowerCase());
      expect(names).to.include.members(['authorization', 'content-type', 'x-webhook-event', 'x-webhook-delivery']);
      for (const [name, value] of shown) {
        const isSecret = name.toLowerCase() === 'authorization';
        expect(value, name).to.equal(isSecret ? 'Bearer ***' : sent[name.toLowerCase()]);
      }
      expect(JSON.stringify(delivery)).not.to.contain(SECRET);
      const { payload } = await read(delivery.delivery_id);
      expect(Buffer.from(payload)).to.deep.equal(receiver.requests[0]?.body);
      const rows = await DeliveryAttemptModel.query().where({ delivery_id: delivery.delivery_id });
      expect(JSON.stringify(rows)).not.to.contain(SECRET);
    });

    it('§6.4 shows a failed attempt, and the next one thirty seconds later', async () => {
      const delivery = await deliver((response) => {
        response.writeHead(503, { 'Retry-After': '1' }).end('x'.repeat(20_000));
      });
      expect(delivery).to.include({ status: 'pending', ended_at: null });
      const [attempt] = delivery.attempts;
      expect(attempt).to.include({ outcome: 'failed', failure: 'http_status', status_code: 503 });
      expect(attempt).to.include({ response_body: 'x'.repeat(16 * 1024), response_truncated: true });
      expect(attempt?.next_attempt_at).to.equal(delivery.next_attempt_at);
      const ended = Date.parse(attempt?.started_at ?? '') + (attempt?.duration_ms ?? 0);
      expect(Date.parse(delivery.next_attempt_at ?? '') - ended).to.be.within(29_000, 35_000);
    });

    it('shows attempts in order, also a running one, and why a delivery was stopped', async () => {
      const session = await createSession(await createAssistant(workspace_id));
      const { id } = await createDelivery(session);
      for (const attempt of [2, 1, 3]) await openAttempt(id, attempt);
      const { attempts } = await read(id);
      expect(attempts.map(({ attempt }) => attempt)).to.deep.equal([1, 2, 3]);
      const unknown = { outcome: null, failure: null, status_code: null, duration_ms: null };
      expect(attempts[2]).to.deep.include({ ...unknown, response_headers: null, response_body: null });
      const stopped = { status: 'stopped', stop_reason: 'assistant_deleted', next_attempt_at: null } as const;
      await DeliveryModel.patchPending(id, stopped);
      expect(await read(id)).to.include(stopped);
    });
  });

  describe('GET /v1/sessions/{id}/deliveries', () => {
    it('lists only the deliveries of that session, newest first, with attempts and without payloads', async () => {
      const assistant = await createAssistant(workspace_id);
      const [session, other] = [await createSession(assistant), await createSession(assistant)];
      const ids = [(await createDelivery(session)).id, (await createDelivery(session)).id];
      await createDelivery(other);
      await openAttempt(ids[0] ?? '');
      const statements: string[] = [];
      const note = ({ sql }: { sql: string }) => void statements.push(sql);
      testDatabase().db.on('query', note);
      const { body } = await send(service.api, listSessionDeliveries, { token, params: { id: session.id } });
      testDatabase().db.off('query', note);
      expect(body.data.map(({ delivery_id }) => delivery_id)).to.deep.equal(ids.toReversed());
      expect(body.data.map(({ attempts }) => attempts.length)).to.deep.equal([0, 1]);
      const { payload: _payload, ...listed } = await read(ids[0] ?? '');
      expect(body.data[1]).to.deep.equal(listed);
      expect(body.next_cursor).to.equal(null);
      const page = { token, params: { id: session.id }, query: { limit: 1, cursor: ids[1] ?? '' } };
      const rest = (await send(service.api, listSessionDeliveries, page)).body;
      expect(rest.data.map(({ delivery_id }) => delivery_id)).to.deep.equal([ids[0]]);
      const reads = statements.filter((sql) => sql.includes('"deliveries"') && /"payload"|\*/.test(sql));
      expect(reads, 'no payload is read').to.deep.equal([]);
    });
  });
});
