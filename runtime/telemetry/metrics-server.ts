import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { deliveryAttemptEnded, requestEnded, sessionEnded, sessionRemoved, vendorCallEnded } from './events.ts';
import { addInstallationGauges } from './installation-gauges.ts';
import type { InstallationSources } from './installation-gauges.ts';

/** A scraper's own time-out is 10 s. */
const TEMPORAL_TIMEOUT_MS = 2_000;

/** A request may wait a minute for its result, a call two. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/**
 * How often the delay of the event loop is looked at. By default 100 times a second, which alone costs a process at rest 0.5
 * % of a core; alerts ask for a second.
 */
const LOOP_PRECISION_MS = 100;

/** Serves `/metrics` and `/healthz` until it is stopped. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  sources: InstallationSources,
  temporalAddress: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
  const stopCounting = countEvents(registry);
  const readInstallation = addInstallationGauges(registry, sources);

  async function read(): Promise<string> {
    const [temporal] = await Promise.all([readTemporal(temporalAddress), readInstallation()]);
    return (await registry.metrics()) + temporal;
  }

  const server = createServer((request, response) => {
    // For the probes of a worker, which serves nothing else: one that hangs does not answer.
    if (request.url === '/healthz') return void response.end('ok');
    if (request.url === '/readyz' && sources.countStuck) return void answerReady(response, sources.countStuck);
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shownHost}:${(server.address() as AddressInfo).port}/metrics`,
    async stop() {
      stopCounting();
      registry.clear();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A worker that answers works; runs that stand still need a person, and no restart helps them. */
async function answerReady(response: ServerResponse, countStuck: () => Promise<number | undefined>): Promise<void> {
  const body = JSON.stringify({ status: 'ready', stuck_workflows: (await countStuck()) ?? null });
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
}

/** Counts the events. Returns the function that stops counting. */
function countEvents(registry: Registry): () => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'cas_http_requests_total',
    help: 'Requests that were answered, by operation of the API and status.',
    labelNames: ['operation', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'cas_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer; submissions wait for their result.',
    labelNames: ['operation'] as const,
    buckets: SECONDS,
    registers,
  });
  const calls = new Counter({
    name: 'cas_vendor_calls_total',
    help: 'Calls to vendors that ended; fault "none": with an answer.',
    labelNames: ['provider', 'step', 'fault'] as const,
    registers,
  });
  const callDurations = new Histogram({
    name: 'cas_vendor_call_duration_seconds',
    help: 'Time of one call to a vendor.',
    labelNames: ['provider', 'step'] as const,
    buckets: SECONDS,
    registers,
  });
  const attempts = new Counter({
    name: 'cas_delivery_attempts_total',
    help: 'Webhook attempts that ended, by the state of their delivery then, and by what failed.',
    labelNames: ['delivery', 'failure'] as const,
    registers,
  });
  const sessions = new Counter({
    name: 'cas_sessions_ended_total',
    help: 'Sessions that ended, by how.',
    labelNames: ['status'] as const,
    registers,
  });
  const removals = new Counter({
    name: 'cas_sessions_removed_total',
    help: 'Sessions that were removed because their time was over or their account was deleted.',
    labelNames: ['reason'] as const,
    registers,
  });
  const stops = [
    requestEnded.listen(({ operation = 'none', status, durationMs }) => {
      requests.inc({ operation, status });
      durations.observe({ operation }, durationMs / 1_000);
    }),
    vendorCallEnded.listen(({ provider, step, fault, durationMs }) => {
      calls.inc({ provider, step, fault: fault ?? 'none' });
      callDurations.observe({ provider, step }, durationMs / 1_000);
    }),
    deliveryAttemptEnded.listen(({ status, failure }) =>
      attempts.inc({ delivery: status, failure: failure ?? 'none' }),
    ),
    sessionEnded.listen(({ status }) => sessions.inc({ status })),
    sessionRemoved.listen(({ reason }) => removals.inc({ reason })),
  ];
  return () => stops.forEach((stop) => stop());
}

async function readTemporal(address: string): Promise<string> {
  try {
    const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(TEMPORAL_TIMEOUT_MS) });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}
