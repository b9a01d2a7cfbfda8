import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { setImmediate as settled } from 'node:timers/promises';
import { createGate, createMemory, MAX_WAITING_PEOPLE } from '../../../api/guard/gate.ts';
import type { ApiError } from '../../../api/errors.ts';
import { send } from '../../support/api.ts';
import { testDatabase, useConnections } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createOwner, createUser, says, TEXT_SETTINGS } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';
import { addVoiceAssistant, sendVoice } from '../../support/voice.ts';

/** Pool size. One workspace can use a third of it at a time. */
const POOL = 9;
const AT_ONCE = POOL / 3;

describe('The request gate of a workspace', () => {
  useConnections();
  it('runs work of one key in order, work of other keys in parallel, and rejects work when 100 calls wait', async () => {
    const gate = createGate(2);
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const begun: number[] = [];
    const run = (index: number) =>
      gate.run('busy', async () => {
        begun.push(index);
        await held;
      });
    const calls = Array.from({ length: 102 }, (_, index) => run(index));
    const error = await run(102).catch((reason: unknown) => reason as ApiError);
    expect(error).to.include({ code: 'rate_limited', status: 429 });
    expect((error as ApiError).extras.retryAfterS).to.equal(1);
    const person = gate.run('busy', async () => 'served', MAX_WAITING_PEOPLE);
    expect(await gate.run('other', async () => 'done')).to.equal('done');
    expect(begun).to.deep.equal([0, 1]);
    letGo();
    await Promise.all(calls);
    expect(await person, 'programs leave room in the queue for people').to.equal('served');
    expect(begun).to.deep.equal(Array.from({ length: 102 }, (_, index) => index));
    const failing = [1, 2].map(() => gate.run('busy', () => Promise.reject(new Error('failed'))).catch(String));
    expect(await gate.run('busy', async () => 'after failures')).to.equal('after failures');
    await Promise.all(failing);
  });
});

describe('Stalled requests of one workspace', () => {
  useConnections();
  const api = useTestApi({ env: { DATABASE_POOL_MAX: String(POOL) } });
  let token: string;
  let id: string;
  afterEach(() => testDatabase().db.removeAllListeners('query'));
  beforeEach(async () => {
    const owner = await createOwner();
    [token, id] = [owner.token, owner.assistant.id];
  });

  const statusOf = (answer: Promise<{ status: number }>) => answer.then(({ status }) => status);
  const read = (as = token) => statusOf(send(api, 'getCurrentUser', { token: as }));
  const rename = () => statusOf(send(api, 'updateAssistant', { token, params: { id }, body: { name: 'B' } }));

  /** Runs `act` while every change of the assistant waits for a lock. `hanging` returns how many changes wait. */
  async function whileLocked(act: (hanging: () => number) => Promise<void>): Promise<void> {
    const { db } = testDatabase();
    let count = 0;
    db.on(
      'query',
      ({ sql }: { sql: string }) => (count += sql.includes('"assistants"') && sql.includes('for update') ? 1 : 0),
    );
    await db.transaction(async (trx) => {
      await trx('assistants').where({ id }).forUpdate();
      count = 0;
      await act(() => count);
    });
  }

  it('use a third of the database connections: other workspaces are served, and none of the twelve is refused', async () => {
    const other = await createUser();
    let changes: Promise<number>[] = [];
    let waiting: Promise<number> | undefined;
    await whileLocked(async (hanging) => {
      changes = Array.from({ length: 12 }, rename);
      await eventually(hanging, AT_ONCE);
      waiting = read();
      for (let i = 0; i < 5; i++) expect(await read(other.token)).to.equal(200);
      expect(hanging()).to.equal(AT_ONCE);
      expect(await Promise.race([waiting, settled('waits')])).to.equal('waits');
    });
    expect(await waiting).to.equal(200);
    for (const status of await Promise.all(changes)) expect(status).to.equal(200);
  });

  it('use one connection if they are uploads that wait for the workspace: other workspaces are served', async () => {
    const other = await createUser();
    const user = await createUser();
    const assistantId = (await addVoiceAssistant(api, user.token)).id;
    const { db } = testDatabase();
    let hanging = 0;
    let begun = 0;
    db.on('query', ({ sql }: { sql: string }) => {
      hanging += sql.includes('lock_recordings') ? 1 : 0;
      // The last statement before the session is stored.
      begun += sql.includes('idempotency') || sql.includes('from assistants') ? 1 : 0;
    });
    let uploads: Promise<number>[] = [];
    await db.transaction(async (trx) => {
      await trx('workspaces').where({ id: user.workspaceId }).forUpdate();
      const upload = () =>
        statusOf(sendVoice(api, { token: user.token, assistantId, headers: { Prefer: 'respond-async' } }));
      begun = 0;
      uploads = Array.from({ length: 12 }, upload);
      await eventually(() => begun >= 12, true);
      await eventually(() => hanging, 1);
      for (let i = 0; i < 5; i++) expect(await read(other.token)).to.equal(200);
      expect(hanging).to.equal(1);
    });
    for (const status of await Promise.all(uploads)) expect(status).to.equal(202);
  });

  it('do not include requests that wait for a result', async () => {
    const gone = new AbortController();
    const body = { assistant_id: id, conversation: says('Hello.') };
    const submit = () => send(api, 'submitTextRequest', { token, body, signal: gone.signal });
    const waiting = Array.from({ length: 4 * AT_ONCE }, () => submit().catch(() => undefined));
    expect(await read()).to.equal(200);
    gone.abort();
    await Promise.all(waiting);
  });
});

describe('Large JSON bodies', () => {
  useConnections();
  const api = useTestApi();
  const SETTINGS = { ...TEXT_SETTINGS, system_prompt: 'x'.repeat(99_000) };
  let token: string;
  let open: ClientRequest[] = [];
  beforeEach(async () => {
    token = (await createUser()).token;
    open = [];
  });
  afterEach(() => open.forEach((call) => call.destroy()));

  const create = (as = token, fields = {}) =>
    send(api, 'createAssistant', { token: as, body: { ...SETTINGS, ...fields } }).then(({ status }) => status);

  /** Begins a request with a body of 100 kB that never arrives. */
  async function stall(): Promise<ClientRequest> {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      'Content-Length': 100_000,
      Expect: '100-continue',
    };
    const call = request(`${api.url}/api/v1/assistants`, { method: 'POST', headers });
    open.push(call);
    call.on('error', () => undefined).write('{');
    // The API sends 100-continue when it reads the body.
    await once(call, 'continue');
    return call;
  }

  it('are read two at a time per workspace; small bodies and other workspaces do not wait', async () => {
    const [first] = [await stall(), await stall()];
    let isCreated = false;
    const waiting = create().then((status) => {
      isCreated = true;
      return status;
    });
    expect(await create((await createUser()).token)).to.equal(201);
    expect(await create(token, { system_prompt: 'x' })).to.equal(201);
    expect(isCreated).to.equal(false);
    first.destroy();
    expect(await waiting).to.equal(201);
  });
});

/** Returns the code of the error that `act` throws. */
const refusalOf = (act: () => void) => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as ApiError).code;
  }
};

describe('The memory for large bodies', () => {
  useConnections();
  it('gives a workspace a quarter, counted by received bytes until the response', () => {
    const memory = createMemory(400);
    const [first, second] = [memory.open('a'), memory.open('a')];
    first.add(60);
    second.add(40);
    expect(refusalOf(() => second.add(1))).to.equal('rate_limited');
    expect(refusalOf(() => memory.open('b').add(100))).to.equal(undefined);
    second.release();
    expect(refusalOf(() => first.add(40))).to.equal(undefined);
  });

  it('refuses further bytes with 503 when all of it is used', () => {
    const memory = createMemory(400);
    for (const workspace of ['a', 'b', 'c', 'd']) memory.open(workspace).add(100);
    expect(refusalOf(() => memory.open('e').add(1))).to.equal('unavailable');
  });
});
