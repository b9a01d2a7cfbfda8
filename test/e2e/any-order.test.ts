import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { listSessions } from '../../contract/sessions.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { WORKFLOWS } from '../../contract/workflows.ts';
import { WorkerModel } from '../../db/models/worker.ts';
import { freePort } from '../../local/ports.ts';
import { connectTemporal } from '../../runtime/temporal/connect.ts';
import { send, testEnvironment } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createUser } from '../support/factories.ts';
import { silentLog } from '../support/log.ts';
import { runProgram } from '../support/started-service.ts';
import type { StartedProcess } from '../support/started-service.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import { createNamespace, testTemporal } from '../support/temporal.ts';

const NAMESPACE = 'made-later';
const START_TIMEOUT_MS = 60_000;
/** A metric of the service, of its process or of Temporal's SDK. */
const METRIC = /\b(?:cas|nodejs|process|temporal)_\w+/g;

/** In the order in which they are asserted: each test goes on from where the former left off. */
describe('API and worker, started before what they need', () => {
  let postgres: TcpProxy;
  let temporal: TcpProxy;
  let api: StartedProcess;
  let worker: StartedProcess;
  let url: string;
  let env: Record<string, string>;

  before(async function () {
    this.timeout(0);
    const databaseUrl = new URL(testDatabase().url);
    postgres = await startTcpProxy({ port: Number(databaseUrl.port) });
    databaseUrl.host = `127.0.0.1:${postgres.port}`;
    temporal = await startTcpProxy({ port: Number((await testTemporal()).address.split(':')[1]) });
    await Promise.all([postgres.refuse(), temporal.refuse()]);
    env = testEnvironment({
      DATABASE_URL: databaseUrl.href,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      TEMPORAL_NAMESPACE: NAMESPACE,
      METRICS_PORT: String(await freePort()),
    }) as Record<string, string>;
    api = runProgram('api/main.ts', { ...env, METRICS_PORT: String(await freePort()) });
    worker = runProgram('worker/main.ts', env);
  });
  after(async function () {
    this.timeout(0);
    for (const part of [api, worker]) part.signal('SIGTERM');
    await Promise.all([api.ended, worker.ended, postgres.stop(), temporal.stop()]);
  });

  const says = (part: StartedProcess, text: string) =>
    eventually(
      () => part.output(),
      (output) => output.includes(text),
      START_TIMEOUT_MS,
    );

  async function readiness(query = ''): Promise<unknown> {
    const answer = await fetch(`${url}/readyz${query}`);
    return ((await answer.json()) as { problems?: string[] }).problems ?? 'ready';
  }

  const becomes = (expected: unknown) =>
    eventually(readiness, (found) => JSON.stringify(found) === JSON.stringify(expected), START_TIMEOUT_MS);

  it('wait for PostgreSQL, say so, and end with 0 when they are told to', async function () {
    this.timeout(0);
    const ended = runProgram('worker/main.ts', { ...env, METRICS_PORT: '0' });
    for (const part of [api, worker, ended]) await says(part, '"missing":"PostgreSQL"');
    ended.signal('SIGTERM');
    expect(await ended.ended).to.deep.equal({ code: 0, signal: null });
    for (const part of [api, worker]) expect(part.findPids()).not.to.be.empty;
  });

  it('serve what only reads while Temporal is away, and refuse the rest for now', async function () {
    this.timeout(0);
    await postgres.pass();
    await says(api, 'the API listens');
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(api.output())?.[0] ?? '';
    await becomes(['Temporal does not answer', 'no worker is running']);
    expect(await readiness('?exclude=temporal&exclude=worker')).to.equal('ready');
    const { user, token } = await createUser();
    const { id } = await createAssistant(user.id);
    expect((await send({ url }, listSessions, { token })).status).to.equal(200);
    const body = { assistant_id: id, conversation: [{ role: 'client', text: 'Hello.' }] };
    const answer = await send({ url }, submitTextRequest, { token, body });
    expect(answer.problem).to.include({ status: 503, code: 'unavailable' });
    await says(worker, `"missing":"Temporal at 127.0.0.1:${temporal.port}"`);
  });

  it('wait for the namespace, and are ready once it is made', async function () {
    this.timeout(0);
    await temporal.pass();
    await says(worker, `"missing":"the namespace ${NAMESPACE} of Temporal"`);
    await createNamespace((await testTemporal()).temporal, NAMESPACE);
    await becomes('ready');
  });

  it('tell by those names what alerts and the dashboard ask for', async function () {
    this.timeout(0);
    const { address } = await testTemporal();
    const config = { address, namespace: NAMESPACE, tls: false, apiKey: undefined };
    const { client, connection } = await connectTemporal(config, silentLog);
    await client.schedule.getHandle(WORKFLOWS.removeExpiredKeys).trigger();
    await eventually(
      async () => (await client.schedule.getHandle(WORKFLOWS.removeExpiredKeys).describe()).info.recentActions.length,
      (runs) => runs > 0,
    );
    await connection.close();
    const told = await eventually(
      async () => (await fetch(`http://127.0.0.1:${env['METRICS_PORT']}/metrics`)).text(),
      (text) => text.includes('temporal_activity_schedule_to_start_latency_bucket'),
    );
    const names = new Set(told.match(/^(?:# TYPE )?\w+/gm)?.map((name) => name.replace('# TYPE ', '')));
    const asked = ['prometheus/alerts.yaml', 'grafana/dashboard.json'].flatMap(
      (file) => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8').match(METRIC) ?? [],
    );
    expect(asked.length).to.be.greaterThan(20);
    const missing = [...new Set(asked)].filter((name) => !names.has(name) && !names.has(name.replace(/_bucket$/, '')));
    // Told only once a run has met code that does not fit it.
    expect(missing).to.deep.equal(['temporal_workflow_task_execution_failed']);
  });

  it('notice a worker that hangs, and that it is back', async function () {
    this.timeout(0);
    worker.signal('SIGSTOP');
    // What 20 s of silence look like.
    await WorkerModel.query().patch({ seen_at: WorkerModel.raw("seen_at - interval '21 seconds'") });
    await becomes(['no worker is running']);
    worker.signal('SIGCONT');
    await becomes('ready');
  });
});
