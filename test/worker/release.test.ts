import { PROVIDERS } from '../../contract/values/providers.ts';
import type { RunningApi } from '../../api/start.ts';
import { SIGNALS } from '../../contract/workflows.ts';
import { connectTemporal, ensureSearchAttributes, type Temporal } from '../../runtime/temporal/connect.ts';
import { listReleases, makeCurrent } from '../../worker/release.ts';
import { startWorker, type RunningWorker } from '../../worker/start.ts';
import { send, startTestApi, testConfig, testEnvironment } from '../support/api.ts';
import { errorOf } from '../support/error-of.ts';
import { eventually } from '../support/eventually.ts';
import { createOwner } from '../support/factories.ts';
import { recordedLog, silentLog } from '../support/log.ts';
import { startReceiver } from '../support/receiver.ts';
import { runCommand } from '../support/run-command.ts';
import { useStarted } from '../support/use-started.ts';
import { createNamespace, testTemporal } from '../support/temporal.ts';
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';

const NAMESPACE = 'releases';

describe('Releases of the workers', function () {
  this.timeout(0);
  let temporal: Temporal;
  let api: RunningApi;
  let isReceiverWell = false;
  const workers: RunningWorker[] = [];
  const standIns = useStarted(() => startStandIns());
  const receiver = useStarted(() => startReceiver((response) => response.writeHead(isReceiverWell ? 200 : 503).end()));

  before(async () => {
    const { temporal: shared, address } = await testTemporal();
    await createNamespace(shared, NAMESPACE);
    temporal = await connectTemporal({ address, namespace: NAMESPACE, tls: false, apiKey: undefined }, silentLog);
    await ensureSearchAttributes(temporal, silentLog);
    api = await startTestApi({ env: standInEnvironment(PROVIDERS, standIns.url), temporal });
  });
  after(async () => {
    await api.stop();
    for (const worker of workers) await worker.stop();
    await temporal.connection.close();
  });

  it('are explained before the first one, by --help, and after a wrong option', async () => {
    const { address } = await testTemporal();
    const env = testEnvironment({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: NAMESPACE }) as Record<string, string>;
    const run = (...args: string[]) => runCommand(process.execPath, ['worker/run-release.ts', ...args], env);
    expect((await run('--status')).output).to.match(/^No release yet\. /);
    expect((await run('--help')).output).to.match(/^Usage: npm run release/);
    const wrong = await run('--bogus');
    expect([wrong.code, wrong.errors.includes("Unknown option '--bogus'\nUsage: npm run release")]).to.deep.equal([
      1,
      true,
    ]);
  });

  async function startRelease(buildId: string): Promise<RunningWorker> {
    const env = { ...standInEnvironment(PROVIDERS, standIns.url), WORKER_BUILD_ID: buildId };
    const worker = await startWorker({ config: testConfig(env), temporal, log: silentLog });
    workers.push(worker);
    return worker;
  }

  async function submit(): Promise<string> {
    const {
      token,
      assistant: { id },
    } = await createOwner({ webhook_url: receiver.url });
    const body = { assistant_id: id, conversation: [{ role: 'client', text: 'Hello.' }] };
    return (await send(api, 'submitTextRequest', { token, body, headers: { Prefer: 'respond-async' } })).body
      .session_id;
  }

  async function describeRun(id: string): Promise<{ status: string; buildId: string | undefined }> {
    const { status, raw } = await temporal.client.workflow.getHandle(id).describe();
    const { versioningInfo } = raw.workflowExecutionInfo ?? {};
    return { status: status.name, buildId: versioningInfo?.deploymentVersion?.buildId ?? undefined };
  }

  const readiness = async () => JSON.stringify(await (await fetch(`${api.url}/readyz`)).json());

  it('complete the workflows that they started, while new workflows start on the current release', async () => {
    await startRelease('v1');
    await eventually(readiness, (text) => text.includes('no release of the workers is current'));
    expect(await makeCurrent({ temporal, log: silentLog }, 'v1')).to.equal(undefined);
    await eventually(readiness, (text) => text.includes('"ready"'));
    const old = await submit();
    await eventually(() => receiver.requests.length, 1);
    await startRelease('v2');
    expect(await makeCurrent({ temporal, log: silentLog }, 'v2')).to.equal('v1');
    const young = await submit();
    await eventually(async () => (await describeRun(young)).buildId, 'v2');
    const open = await eventually(
      () => listReleases(temporal),
      (releases) => releases.every(({ openRuns }) => openRuns === 1),
    );
    expect(open.map(({ buildId, status }) => `${buildId} ${status}`)).to.have.members(['v1 draining', 'v2 current']);

    isReceiverWell = true;
    for (const id of [old, young]) await temporal.client.workflow.getHandle(id).signal(SIGNALS.retryNow);
    for (const [id, buildId] of [
      [old, 'v1'],
      [young, 'v2'],
    ] as const) {
      const ended = eventually(
        () => describeRun(id),
        ({ status }) => status !== 'RUNNING',
      );
      expect(await ended).to.deep.equal({ status: 'COMPLETED', buildId });
    }
  });

  it('become current only after one of their workers polls', async () => {
    const failure = await errorOf(makeCurrent({ temporal, log: silentLog }, 'v3', 600));
    expect(failure).to.be.an('error').with.property('message').that.contains('v3');
  });

  it('become current even if responses of Temporal are lost', async () => {
    const { log, text } = recordedLog();
    await startRelease('v4');
    expect(await makeCurrent({ temporal: unheard(temporal), log }, 'v4')).to.equal('v2');
    expect((await listReleases(temporal)).find(({ buildId }) => buildId === 'v4')?.status).to.equal('current');
    expect(text()).to.contain('to make v4 current');
  });

  it('are current only with a live worker', async () => {
    await workers.pop()?.stop();
    await eventually(readiness, (text) => text.includes('no worker of the current release is running'));
    const failure = await errorOf(makeCurrent({ temporal, log: silentLog }, 'v4', 600));
    expect(failure).to.be.an('error').with.property('message').that.contains('v4');
    expect(await makeCurrent({ temporal, log: silentLog }, 'v2')).to.equal('v4');
    await eventually(readiness, (text) => text.includes('"ready"'));
  });
});

/** Returns a Temporal client that loses the first response to each kind of call. */
function unheard(temporal: Temporal): Temporal {
  const lost = new Set<unknown>();
  const service = temporal.connection.workflowService as unknown as Record<
    string,
    (request: object) => Promise<object>
  >;
  const workflowService = new Proxy(service, {
    get: (calls, name: string) => async (request: object) => {
      const answer = await calls[name]?.call(calls, request);
      if (lost.has(name)) return answer;
      lost.add(name);
      throw Object.assign(new Error('4 DEADLINE_EXCEEDED'), { code: 4, details: 'lost', metadata: {} });
    },
  });
  return { ...temporal, connection: { workflowService } as unknown as Temporal['connection'] };
}
