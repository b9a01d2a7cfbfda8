import { expect } from 'chai';
import { performance } from 'node:perf_hooks';
import { getSession } from '../../contract/sessions.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { eraseSession } from '../../db/queries/erase-session.ts';
import { send, startTestApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createOwner, createSession, createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const COMPLETED = { status: 'completed', summary_text: 's', raw_response: {}, temperature_applied: true } as const;

describe('GET /v1/sessions/{id}?wait=N', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  const read = (id: string, wait: number | string, on = api) =>
    send(on, getSession, { token, params: { id }, query: { wait } });

  const finish = (id: string) => SessionModel.transaction((trx) => SessionModel.finish(id, COMPLETED, trx));

  /** Counts the reads of sessions until `stop`; every waiting call has made one when it begins to wait. */
  function countReads() {
    const { db } = testDatabase();
    let reads = 0;
    const count = ({ sql }: { sql: string }) => void (reads += sql.includes('from "sessions"') ? 1 : 0);
    db.on('query-response', (_rows: unknown, query: { sql: string }) => count(query));
    return { reads: () => reads, stop: () => db.removeAllListeners('query-response') };
  }

  it('answers when the session ends', async () => {
    const { id } = await createSession(assistant);
    const queries = countReads();
    try {
      const answer = read(id, 60);
      await eventually(queries.reads, (count) => count === 1);
      await finish(id);
      expect((await answer).body).to.include({ status: 'completed', summary_text: 's' });
    } finally {
      queries.stop();
    }
  });

  it('answers at once when it has ended, or without a wait', async () => {
    const ended = await createSession(assistant, { status: 'failed', completed_at: new Date() });
    expect((await read(ended.id, 60)).body.status).to.equal('failed');
    const queued = await createSession(assistant);
    expect((await read(queued.id, 0)).body.status).to.equal('queued');
  });

  it('answers after N seconds with the session as it stands', async () => {
    const { id } = await createSession(assistant, { status: 'analyzing' });
    const started = performance.now();
    const { status, body } = await read(id, 1);
    expect([status, body.status]).to.deep.equal([200, 'analyzing']);
    expect(performance.now() - started).to.be.greaterThan(990);
  });

  it('lets hundreds wait without asking the database meanwhile', async function () {
    this.timeout(60_000);
    const sessions = await Promise.all(Array.from({ length: 300 }, () => createSession(assistant)));
    const queries = countReads();
    try {
      const answers = sessions.map(({ id }) => read(id, 60));
      await eventually(queries.reads, (count) => count === sessions.length);
      // Proof that nobody asks again: a call of a second passes, and only it has read.
      await read((await createSession(assistant)).id, 1);
      expect(queries.reads()).to.equal(sessions.length + 2);
      for (const { id } of sessions) await finish(id);
      const bodies = (await Promise.all(answers)).map(({ body }) => body);
      expect(bodies.map(({ session_id }) => session_id)).to.deep.equal(sessions.map(({ id }) => id));
      expect(bodies.filter(({ status }) => status !== 'completed')).to.deep.equal([]);
    } finally {
      queries.stop();
    }
  });

  it('is answered with the session as it stands when the service shuts down', async () => {
    const leaving = await startTestApi();
    const { id } = await createSession(assistant);
    const queries = countReads();
    try {
      const answers = Array.from({ length: 20 }, () => read(id, 60, leaving));
      await eventually(queries.reads, (count) => count === answers.length);
      await leaving.stop();
      for (const { status, body } of await Promise.all(answers))
        expect([status, body.status]).to.deep.equal([200, 'queued']);
    } finally {
      queries.stop();
    }
  });

  it("waits no longer than the server's own bound", async () => {
    const bounded = await startTestApi({ env: { REQUEST_WAIT_S: '1' } });
    try {
      const { id } = await createSession(assistant);
      expect((await read(id, 60, bounded)).body.status).to.equal('queued');
    } finally {
      await bounded.stop();
    }
  });

  it('is 404 at once for a session that is not there, or is deleted meanwhile', async () => {
    const { id } = await createSession(assistant);
    const stranger = await createUser();
    const foreign = await send(api, getSession, { token: stranger.token, params: { id }, query: { wait: 60 } });
    expect(foreign.problem.code).to.equal('not_found');
    const queries = countReads();
    try {
      const answer = read(id, 60);
      await eventually(queries.reads, (count) => count === 1);
      await eraseSession(id);
      expect((await answer).problem.code).to.equal('not_found');
    } finally {
      queries.stop();
    }
  });

  it('takes 0 to 60 seconds', async () => {
    const { id } = await createSession(assistant, { status: 'canceled', completed_at: new Date() });
    expect((await read(id, 60)).status).to.equal(200);
    for (const wait of [-1, 61, 1.5, 'long', '1e400']) {
      const { problem } = await read(id, wait);
      expect(
        problem.errors?.map(({ path }) => path),
        String(wait),
      ).to.deep.equal(['wait']);
    }
  });
});
