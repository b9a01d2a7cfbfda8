import { DeliveryModel } from '../../../db/models/delivery.ts';
import { WorkerModel } from '../../../db/models/worker.ts';
import { installationSources } from '../../../db/queries/queue.ts';
import { startMetrics, type RunningMetrics } from '../../../runtime/telemetry/metrics.ts';
import { send, sendRaw, testConfig } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createOwner, createSession, createUser } from '../../support/factories.ts';
import { startReceiver } from '../../support/receiver.ts';
import { useTestService } from '../../support/set-up.ts';
import { useStarted } from '../../support/use-started.ts';

const read = async (metrics: RunningMetrics) => (await fetch(metrics.url ?? '')).text();

/** Returns the value of a metric; 0 if it does not exist yet. */
function valueOf(text: string, name: string, labels: Record<string, string> = {}): number {
  const parts = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text
    .split('\n')
    .find(
      (one) =>
        one.startsWith(name) && /^[ {]/.test(one.slice(name.length)) && parts.every((part) => one.includes(part)),
    );
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** Measures the difference, because all services of this process share the counters. */
const risenSince = (before: string) => (text: string, name: string, labels: Record<string, string>) =>
  valueOf(text, name, labels) - valueOf(before, name, labels);

describe('Metrics', () => {
  const service = useTestService({ env: { PROVIDER_RETRY_WINDOW_S: '0' } });
  const metrics = useStarted(() => startMetrics(testConfig({ METRICS_PORT: '0' }).metrics, installationSources));
  const receiver = useStarted(() => startReceiver());

  it('are off without METRICS_PORT, and listen on this machine without METRICS_HOST', async () => {
    const off = await startMetrics(testConfig().metrics, installationSources);
    expect([off.url, off.temporalAddress]).to.deep.equal([undefined, undefined]);
    expect(metrics.url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect((await fetch(new URL('/', metrics.url))).status).to.equal(404);
  });

  it('count the workers of the installation, and are served beside health checks', async () => {
    const silent = { id: 'silent', host: 'h', build_id: null, seen_at: new Date(Date.now() - 60_000) };
    await WorkerModel.query().insert(silent);
    const text = await read(metrics);
    expect(valueOf(text, 'cas_workers', { state: 'silent' })).to.be.greaterThan(0);
    expect(valueOf(text, 'cas_workers', { state: 'alive' })).to.be.greaterThan(0);
    await WorkerModel.query().deleteById(silent.id);
    expect((await fetch(new URL('/healthz', metrics.url))).status).to.equal(200);
  });

  it('count requests and their times by operation and status', async () => {
    const { token } = await createUser();
    const labels = { operation: 'getCurrentUser' };
    const before = await read(metrics);
    for (const known of [token, token, 'nothing']) await send(service.api, 'getCurrentUser', { token: known });
    await sendRaw(service.api, 'GET', '/v1/nothing');
    const risenBy = risenSince(before);
    const text = await eventually(
      () => read(metrics),
      (now) => risenBy(now, 'cas_http_requests_total', { operation: 'none', status: '404' }) === 1,
    );
    expect(risenBy(text, 'cas_http_requests_total', { ...labels, status: '200' })).to.equal(2);
    expect(risenBy(text, 'cas_http_requests_total', { ...labels, status: '401' })).to.equal(1);
    expect(risenBy(text, 'cas_http_request_duration_seconds_count', labels)).to.equal(3);
    expect(text).to.contain('# TYPE cas_http_request_duration_seconds histogram');
    expect(valueOf(text, 'process_resident_memory_bytes')).to.be.greaterThan(1e6);
  });

  it('count provider calls, ended sessions and webhook attempts by result', async () => {
    const { user, token, assistant } = await createOwner({ webhook_url: receiver.url });
    const submit = (text: string) => {
      const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text }] };
      return send(service.api, 'submitTextRequest', { token, body });
    };
    const risenBy = risenSince(await read(metrics));
    const { session_id } = (await submit('Hello.')).body;
    expect((await submit('[provider status=401]')).status).to.equal(502);
    await eventually(async () => (await DeliveryModel.query().findOne({ session_id }))?.status, 'delivered');
    const call = { provider: 'openai', step: 'analysis' };
    const text = await eventually(
      () => read(metrics),
      (now) =>
        risenBy(now, 'cas_delivery_attempts_total', { delivery: 'delivered', failure: 'none' }) === 1 &&
        risenBy(now, 'cas_sessions_ended_total', { status: 'failed' }) === 1,
    );
    expect(risenBy(text, 'cas_provider_calls_total', { ...call, fault: 'none' })).to.equal(1);
    expect(risenBy(text, 'cas_provider_calls_total', { ...call, fault: 'auth' })).to.equal(1);
    expect(risenBy(text, 'cas_provider_call_duration_seconds_count', call)).to.equal(2);
    expect(risenBy(text, 'cas_sessions_ended_total', { status: 'completed' })).to.equal(1);
    expect(text).not.to.contain(session_id).and.not.to.contain(user.id);
  });

  it('show the number of unfinished sessions and the age of the oldest queued one', async () => {
    const { assistant } = await createOwner();
    const before = await read(metrics);
    const queued_at = new Date(Date.now() - 86_400_000);
    const sessions = await Promise.all([
      createSession(assistant, { queued_at }),
      createSession(assistant, { status: 'analyzing' }),
      createSession(assistant, { status: 'completed' }),
    ]);
    const text = await read(metrics);
    for (const [status, more] of [
      ['queued', 1],
      ['analyzing', 1],
      ['transcribing', 0],
    ] as const) {
      expect(valueOf(text, 'cas_sessions', { status }) - valueOf(before, 'cas_sessions', { status })).to.equal(more);
    }
    expect(valueOf(text, 'cas_oldest_queued_session_age_seconds')).to.be.within(86_399, 86_500);
    for (const session of sessions) await session.$query().delete();
  });

  it('show the free space of the disks that are known', async () => {
    const config = testConfig({ METRICS_PORT: '0' });
    const readFreeBytes = async () => ({ recordings: 5e9, database: null });
    const own = await startMetrics(config.metrics, { ...installationSources, readFreeBytes });
    const text = await read(own);
    expect(valueOf(text, 'cas_free_bytes', { disk: 'recordings' })).to.equal(5e9);
    expect(text).not.to.contain('disk="database"');
    await own.stop();
  });

  it('omit database metrics while the database is unavailable', async () => {
    const cut = await startMetrics(testConfig({ METRICS_PORT: '0' }).metrics, {
      findUnfinished: () => Promise.reject(new Error('away')),
      countWorkers: () => Promise.reject(new Error('away')),
      findOpenCircuits: () => Promise.reject(new Error('away')),
    });
    const text = await read(cut);
    expect(text).to.contain('cas_oldest_queued_session_age_seconds Nan').and.to.contain('process_cpu_seconds_total');
    await cut.stop();
  });
});
