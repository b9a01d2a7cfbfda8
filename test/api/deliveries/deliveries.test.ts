import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { send } from '../../support/api.ts';
import { testDatabase } from '../../support/database.ts';
import { createAssistant, createDelivery, createSession, createUser, openAttempt } from '../../support/factories.ts';
import { SECRET, useDeliveries } from './use-deliveries.ts';

describe('Deliveries', () => {
  const own = useDeliveries();
  const { service, read, newAssistant, deliver } = own;
  const newSession = async () => createSession(await createAssistant(own.workspace_id));

  it('GET /v1/deliveries?delivery_id lists only these, and none of other workspaces', async () => {
    const session = await newSession();
    const [one, , two] = [await createDelivery(session), await createDelivery(session), await createDelivery(session)];
    const { user } = await createUser();
    const foreign = await createDelivery(await createSession(await createAssistant(user.default_workspace_id)));
    const query = { delivery_id: [one.id, two.id, foreign.id] };
    const { data } = (await send(service.api, 'listDeliveries', { token: own.token, query })).body;
    expect(data.map(({ delivery_id }) => delivery_id)).to.deep.equal([two.id, one.id]);
  });

  describe('GET /v1/deliveries?sort=created_at', () => {
    const list = async (cursor?: string, limit = 2) =>
      (
        await send(service.api, 'listDeliveries', {
          token: own.token,
          query: { sort: 'created_at', limit, ...(cursor && { cursor }) },
        })
      ).body;

    it('is followed by its cursor: each delivery appears once, also one whose transaction ends late', async () => {
      const { next_cursor: start } = await list();
      expect(start, 'of an empty list').to.be.a('string');
      const session = await newSession();
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
      expect((await send(service.api, 'listDeliveries', { token: own.token, query })).paths).to.deep.equal(['cursor']);
    });
  });

  describe('GET /v1/deliveries', () => {
    const list = async (query: Record<string, string | number> = {}) =>
      (await send(service.api, 'listDeliveries', { token: own.token, query })).body;
    const idsOf = async (query: Record<string, string | number>) =>
      (await list(query)).data.map(({ delivery_id }) => delivery_id);

    it("filters by status, assistant, session and time, and lists only the user's own", async () => {
      const sessions = [await createSession(await newAssistant()), await createSession(await newAssistant())] as const;
      const [old, stopped, other] = [
        await createDelivery(sessions[0]),
        await createDelivery(sessions[0]),
        await createDelivery(sessions[1]),
      ];
      const stranger = await createUser();
      await createDelivery(await createSession(await createAssistant(stranger.user.default_workspace_id)));
      await old.$query().patch({ created_at: new Date('2026-01-01T00:00:00Z') });
      await DeliveryModel.patchPending(stopped.id, { status: 'stopped', next_attempt_at: null });
      expect(await idsOf({})).to.deep.equal([other.id, stopped.id, old.id]);
      expect(await idsOf({ status: 'stopped' })).to.deep.equal([stopped.id]);
      expect(await idsOf({ assistant_id: sessions[1].assistant_id })).to.deep.equal([other.id]);
      expect(await idsOf({ session_id: sessions[0].id })).to.deep.equal([stopped.id, old.id]);
      expect(await idsOf({ created_before: '2026-01-01T02:00:00.001+02:00' })).to.deep.equal([old.id]);
      expect(await idsOf({ created_after: '2026-01-01T00:00:00Z', status: 'pending' })).to.deep.equal([
        other.id,
        old.id,
      ]);
      expect(await idsOf({ created_after: '2026-01-01T00:00:00.001Z', session_id: sessions[0].id })).to.deep.equal([
        stopped.id,
      ]);
    });

    it('counts attempts, and pages', async () => {
      const session = await createSession(await newAssistant());
      const ids = [(await createDelivery(session)).id, (await createDelivery(session)).id].reverse();
      for (const attempt of [1, 2]) await openAttempt(ids[0]!, attempt);
      const first = await list({ limit: 1 });
      await createDelivery(session);
      const second = await list({ limit: 1, cursor: first.next_cursor ?? '' });
      const counts = [...first.data, ...second.data].map((each) => `${each.delivery_id} ${each.attempt_count}`);
      expect(counts).to.deep.equal([`${ids[0]} 2`, `${ids[1]} 0`]);
      expect(second.next_cursor).to.equal(null);
    });

    it('answers 422 to invalid times and statuses', async () => {
      const invalid = [{ created_after: 'yesterday' }, { created_before: '2026-13-01T00:00:00Z' }, { status: 'x' }];
      for (const query of invalid) {
        expect((await send(service.api, 'listDeliveries', { token: own.token, query })).paths).to.deep.equal(
          Object.keys(query),
        );
      }
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
      expect(attempt).to.include({ url: `${own.receiver.url}/hook?key=value`, next_attempt_at: null });
      expect(attempt).to.include({ response_body: 'thank you', response_truncated: false });
      expect(attempt?.response_headers).to.include({ 'x-receiver': 'r' });
      expect(attempt?.duration_ms).to.be.at.least(0);
    });

    it('shows the body that was sent, byte for byte, and the headers without the secret', async () => {
      const delivery = await deliver();
      const sent = own.receiver.requests[0]?.headers ?? {};
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
      expect(Buffer.from(payload)).to.deep.equal(own.receiver.requests[0]?.body);
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
      const session = await newSession();
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

  it('GET /v1/sessions/{id}/deliveries lists only the deliveries of that session, newest first, with attempts and without payloads', async () => {
    const assistant = await createAssistant(own.workspace_id);
    const [session, other] = [await createSession(assistant), await createSession(assistant)];
    const ids = [(await createDelivery(session)).id, (await createDelivery(session)).id];
    await createDelivery(other);
    await openAttempt(ids[0] ?? '');
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => void statements.push(sql);
    testDatabase().db.on('query', note);
    const { body } = await send(service.api, 'listSessionDeliveries', {
      token: own.token,
      params: { id: session.id },
    });
    testDatabase().db.off('query', note);
    expect(body.data.map(({ delivery_id }) => delivery_id)).to.deep.equal(ids.toReversed());
    expect(body.data.map(({ attempts }) => attempts.length)).to.deep.equal([0, 1]);
    const { payload: _payload, ...listed } = await read(ids[0] ?? '');
    expect(body.data[1]).to.deep.equal(listed);
    expect(body.next_cursor).to.equal(null);
    const page = { token: own.token, params: { id: session.id }, query: { limit: 1, cursor: ids[1] ?? '' } };
    const rest = (await send(service.api, 'listSessionDeliveries', page)).body;
    expect(rest.data.map(({ delivery_id }) => delivery_id)).to.deep.equal([ids[0]]);
    const reads = statements.filter((sql) => sql.includes('"deliveries"') && /"payload"|\*/.test(sql));
    expect(reads, 'no payload is read').to.deep.equal([]);
  });
});
