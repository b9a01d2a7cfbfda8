import { readFileSync } from 'node:fs';
import { WORKFLOWS } from '../../contract/workflows.ts';
import { WorkerModel } from '../../db/models/worker.ts';
import { connectTemporal } from '../../runtime/temporal/connect.ts';
import { send, testEnvironment } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createOwner } from '../support/factories.ts';
import { silentLog } from '../support/log.ts';
import { runProgram, type StartedProcess } from '../support/started-service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { createNamespace, testTemporal } from '../support/temporal.ts';

const NAMESPACE = 'made-later';
const START_TIMEOUT_MS = 60_000;
/** Pattern of a metric of the service, its process or Temporal's SDK. */
const METRIC = /\b(?:cas|nodejs|process|temporal)_\w+/g;

/** Steps of one start. Each test continues after the previous one. */
describe('An API and a worker that start before PostgreSQL and Temporal', function () {
  this.timeout(0);
  let postgres: TcpProxy;
  let temporal: TcpProxy;
  let api: StartedProcess;
  let worker: StartedProcess;
  let url: string;
  let env: Record<string, string>;

  before(async () => {
    const databaseUrl = new URL(testDatabase().url);
    postgres = await startTcpProxy({ port: Number(databaseUrl.port) });
    databaseUrl.host = `127.0.0.1:${postgres.port}`;
    temporal = await startTcpProxy({ port: Number((await testTemporal()).address.split(':')[1]) });
    await Promise.all([postgres.refuse(), temporal.refuse()]);
    env = testEnvironment({
      DATABASE_URL: databaseUrl.href,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      TEMPORAL_NAMESPACE: NAMESPACE,
      METRICS_PORT: '0',
    }) as Record<string, string>;
    api = runProgram('api/main.ts', env);
    worker = runProgram('worker/main.ts', env);
  });
  after(async () => {
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

  it('wait for PostgreSQL, report it, and exit with code 0 on SIGTERM', async () => {
    const ended = runProgram('worker/main.ts', env);
    for (const part of [api, worker, ended]) await says(part, '"missing":"PostgreSQL (DATABASE_URL)"');
    ended.signal('SIGTERM');
    expect(await ended.ended).to.deep.equal({ code: 0, signal: null });
    for (const part of [api, worker]) expect(part.findPids()).not.to.be.empty;
  });

  it('serve reads while Temporal is unavailable, and return 503 to other requests', async () => {
    await postgres.pass();
    await says(api, 'API is listening');
    url = /http:\/\/127\.0\.0\.1:\d+(?=")/.exec(api.output())?.[0] ?? '';
    await becomes(['Temporal does not respond', 'no worker is running']);
    expect(await readiness('?exclude=temporal&exclude=worker')).to.equal('ready');
    const {
      token,
      assistant: { id },
    } = await createOwner();
    expect((await send({ url }, 'listSessions', { token })).status).to.equal(200);
    const body = { assistant_id: id, conversation: [{ role: 'client', text: 'Hello.' }] };
    const answer = await send({ url }, 'submitTextRequest', { token, body });
    expect(answer.problem).to.include({ status: 503, code: 'unavailable' });
    await says(worker, `"missing":"Temporal at 127.0.0.1:${temporal.port} `);
  });

  it('wait for the namespace, and are ready after it is created', async () => {
    await temporal.pass();
    await says(worker, `"missing":"the namespace ${NAMESPACE} of Temporal (TEMPORAL_NAMESPACE)"`);
    await createNamespace((await testTemporal()).temporal, NAMESPACE);
    await becomes('ready');
  });

  it('have all metrics of the alerts and the dashboard', async () => {
    const { address } = await testTemporal();
    const config = { address, namespace: NAMESPACE, tls: false, apiKey: undefined };
    const { client, connection } = await connectTemporal(config, silentLog);
    const schedule = client.schedule.getHandle(WORKFLOWS.removeExpiredKeys);
    // The worker creates its schedules in the background, so they may not exist yet.
    await eventually(() => schedule.trigger().catch((error: unknown) => error), undefined);
    await eventually(
      async () => (await schedule.describe()).info.recentActions.length,
      (runs) => runs > 0,
    );
    await connection.close();
    const metricsUrl = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(worker.output())?.[0] ?? '';
    const told = await eventually(
      async () => (await fetch(metricsUrl)).text(),
      (text) => text.includes('temporal_activity_schedule_to_start_latency_bucket'),
    );
    const names = new Set(told.match(/^(?:# TYPE )?\w+/gm)?.map((name) => name.replace('# TYPE ', '')));
    const asked = ['prometheus/alerts.yaml', 'grafana/dashboard.json'].flatMap(
      (file) => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8').match(METRIC) ?? [],
    );
    expect(asked.length).to.be.greaterThan(20);
    const missing = [...new Set(asked)].filter((name) => !names.has(name) && !names.has(name.replace(/_bucket$/, '')));
    // This metric exists only after a workflow did not match the worker's code.
    expect(missing).to.deep.equal(['temporal_workflow_task_execution_failed']);
  });

  it('detect a hung worker, and its recovery', async () => {
    worker.signal('SIGSTOP');
    // Simulates 20 s without a heartbeat.
    await WorkerModel.query().patch({ seen_at: WorkerModel.raw("seen_at - interval '21 seconds'") });
    await becomes(['no worker is running']);
    worker.signal('SIGCONT');
    await becomes('ready');
  });
});
