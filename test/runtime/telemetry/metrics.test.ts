import { expect } from 'chai';
import { getCurrentUser } from '../../../contract/account.ts';
import { submitTextRequest } from '../../../contract/requests.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { WorkerModel } from '../../../db/models/worker.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { installationSources } from '../../../db/queries/installation.ts';
import { startMetrics } from '../../../runtime/telemetry/metrics.ts';
import type { RunningMetrics } from '../../../runtime/telemetry/metrics.ts';
import { send, sendRaw, testConfig } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, createSession, createUser } from '../../support/factories.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startTestService } from '../../support/service.ts';
import type { TestService } from '../../support/service.ts';

const read = async (metrics: RunningMetrics) => (await fetch(metrics.url ?? '')).text();

/** The value of one line; 0 where there is none yet. */
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

/** Every service of this process counts in the same place. */
const risenSince = (before: string) => (text: string, name: string, labels: Record<string, string>) =>
  valueOf(text, name, labels) - valueOf(before, name, labels);

describe('Metrics', () => {
  let service: TestService;
  let metrics: RunningMetrics;
  before(async function () {
    this.timeout(0);
    service = await startTestService({ env: { PROVIDER_RETRY_WINDOW_S: '0' } });
    metrics = await startMetrics(testConfig({ METRICS_PORT: '0' }).metrics, installationSources);
  });
  after(async () => {
    await metrics.stop();
    await service.stop();
  });

  it('are off unless METRICS_PORT is set, and stay on this machine unless METRICS_HOST says otherwise', async () => {
    const off = await startMetrics(testConfig().metrics, installationSources);
    expect([off.url, off.temporalAddress]).to.deep.equal([undefined, undefined]);
    expect(metrics.url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect((await fetch(new URL('/', metrics.url))).status).to.equal(404);
  });

  it('count the workers of the installation, and answer probes of a process that serves nothing else', async () => {
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
    for (const known of [token, token, 'nothing']) await send(service.api, getCurrentUser, { token: known });
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

  it('count calls to vendors, ended sessions and webhook attempts by what they came to', async () => {
    const receiver = await startReceiver();
    const { user, token } = await createUser();
    const { id: assistant_id } = await createAssistant(user.id, { webhook_url: receiver.url });
    const submit = (said: string) =>
      send(service.api, submitTextRequest, {
        token,
        body: { assistant_id, conversation: [{ role: 'client', text: said }] },
      });
    const risenBy = risenSince(await read(metrics));
    const { session_id } = (await submit('Hello.')).body;
    expect((await submit('[vendor status=401]')).status).to.equal(502);
    await eventually(
      async () => DeliveryModel.query().findOne({ session_id }),
      (delivery) => delivery?.status === 'delivered',
    );
    const call = { provider: 'openai', step: 'analysis' };
    const text = await eventually(
      () => read(metrics),
      (now) =>
        risenBy(now, 'cas_delivery_attempts_total', { delivery: 'delivered', failure: 'none' }) === 1 &&
        risenBy(now, 'cas_sessions_ended_total', { status: 'failed' }) === 1,
    );
    expect(risenBy(text, 'cas_vendor_calls_total', { ...call, fault: 'none' })).to.equal(1);
    expect(risenBy(text, 'cas_vendor_calls_total', { ...call, fault: 'auth' })).to.equal(1);
    expect(risenBy(text, 'cas_vendor_call_duration_seconds_count', call)).to.equal(2);
    expect(risenBy(text, 'cas_sessions_ended_total', { status: 'completed' })).to.equal(1);
    expect(text).not.to.contain(session_id).and.not.to.contain(user.id);
    await receiver.stop();
  });

  it('show how many sessions have not ended, and how long the oldest is queued', async () => {
    const assistant = await createAssistant((await createUser()).user.id);
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
    await SessionModel.query()
      .delete()
      .whereIn(
        'id',
        sessions.map(({ id }) => id),
      );
  });

  it('show the rest while the database is away', async () => {
    const cut = await startMetrics(testConfig({ METRICS_PORT: '0' }).metrics, {
      findUnfinished: () => Promise.reject(new Error('away')),
      countWorkers: () => Promise.reject(new Error('away')),
    });
    const text = await read(cut);
    expect(text).to.contain('cas_oldest_queued_session_age_seconds Nan').and.to.contain('process_cpu_seconds_total');
    await cut.stop();
  });
});
