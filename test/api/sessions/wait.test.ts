import { expect } from 'chai';
import { performance } from 'node:perf_hooks';
import { getSession } from '../../../contract/sessions/sessions.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { eraseSession } from '../../../db/queries/erase-session.ts';
import { finishSession } from '../../../db/queries/session-status.ts';
import { send, startTestApi } from '../../support/api.ts';
import { testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { COMPLETED, createOwner, createSession } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

describe('GET /v1/sessions/{id}?wait=N', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  const read = (id: string, wait: number | string, on = api) =>
    send(on, getSession, { token, params: { id }, query: { wait } });

  const finish = (id: string) => SessionModel.transaction((trx) => finishSession(id, COMPLETED, { trx }));

  /** Returns how often sessions have been read so far. Each request reads once before it waits. */
  let countReads: () => number;
  beforeEach(() => {
    let reads = 0;
    testDatabase().db.on('query-response', (_rows: unknown, { sql }: { sql: string }) => {
      reads += sql.includes('from "sessions"') ? 1 : 0;
    });
    countReads = () => reads;
  });
  afterEach(() => testDatabase().db.removeAllListeners('query-response'));

  it('responds when the session ends', async () => {
    const { id } = await createSession(assistant);
    const answer = read(id, 60);
    await eventually(countReads, 1);
    await finish(id);
    expect((await answer).body).to.include({ status: 'completed', summary_text: 's' });
  });

  it('responds immediately if the session has ended, or without wait', async () => {
    const ended = await createSession(assistant, { status: 'failed', completed_at: new Date() });
    expect((await read(ended.id, 60)).body.status).to.equal('failed');
    const queued = await createSession(assistant);
    expect((await read(queued.id, 0)).body.status).to.equal('queued');
  });

  it("returns the session's current state after N seconds, or after the server's maximum", async () => {
    const { id } = await createSession(assistant, { status: 'analyzing' });
    const started = performance.now();
    const { status, body } = await read(id, 1);
    expect([status, body.status]).to.deep.equal([200, 'analyzing']);
    expect(performance.now() - started).to.be.greaterThan(990);
    const bounded = await stopAfterTest(startTestApi({ adjust: ({ http }) => void (http.waitMs = 1_000) }));
    expect((await read(id, 60, bounded)).body.status).to.equal('analyzing');
  });

  it('reads nothing from the database while it waits', async () => {
    const sessions = await Promise.all(Array.from({ length: 50 }, () => createSession(assistant)));
    const answers = sessions.map(({ id }) => read(id, 60));
    await eventually(countReads, sessions.length);
    // This request waits for a second, and reads before and after. Nothing else may read in between.
    await read((await createSession(assistant)).id, 1);
    expect(countReads()).to.equal(sessions.length + 2);
    for (const { id } of sessions) await finish(id);
    const bodies = (await Promise.all(answers)).map(({ body }) => body);
    expect(bodies.map(({ session_id }) => session_id)).to.deep.equal(sessions.map(({ id }) => id));
    expect(bodies.filter(({ status }) => status !== 'completed')).to.deep.equal([]);
  });

  it("returns the session's current state when the API stops", async () => {
    const leaving = await startTestApi();
    const { id } = await createSession(assistant);
    const answers = Array.from({ length: 5 }, () => read(id, 60, leaving));
    await eventually(countReads, answers.length);
    await leaving.stop();
    for (const { status, body } of await Promise.all(answers)) {
      expect([status, body.status]).to.deep.equal([200, 'queued']);
    }
  });

  it('returns 404 when the session is deleted in the meantime', async () => {
    const { id } = await createSession(assistant);
    const answer = read(id, 60);
    await eventually(countReads, 1);
    await eraseSession(id);
    expect((await answer).problem.code).to.equal('not_found');
  });

  it('accepts 0 to 60 seconds', async () => {
    const { id } = await createSession(assistant, { status: 'canceled', completed_at: new Date() });
    expect((await read(id, 60)).status).to.equal(200);
    for (const wait of [-1, 61, 1.5, 'long', '1e400']) {
      expect((await read(id, wait)).paths, String(wait)).to.deep.equal(['wait']);
    }
  });
});
