import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { listen } from '../process/listen.ts';
import {
  deliveryAttemptEnded,
  mailEnded,
  requestEnded,
  sessionEnded,
  sessionRemoved,
  providerCallEnded,
} from './events.ts';
import { addInstallationGauges, type InstallationSources } from './installation-gauges.ts';

/** Shorter than a scraper's own timeout of 10 s. */
const TEMPORAL_TIMEOUT_MS = 2_000;

/** A request may wait a minute for its result, a call to a provider two. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Interval of event-loop measurements. The default of 10 ms costs 0.5 % of a core; alerts need a second. */
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
    // Probes of a worker, which serves nothing else. A worker that hangs does not respond.
    if (request.url === '/healthz') return void response.end('ok');
    if (request.url === '/readyz' && sources.countStuck) return void answerReady(response, sources.countStuck);
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  await listen(server, { host, port }, 'METRICS_');
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

/** Always ready: stuck workflows need an operator, and a restart does not help. */
async function answerReady(response: ServerResponse, countStuck: () => Promise<number | undefined>): Promise<void> {
  const body = JSON.stringify({ status: 'ready', stuck_workflows: (await countStuck()) ?? null });
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
}

/** Counts the events. Returns the function that stops counting. */
function countEvents(registry: Registry): () => void {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter<L>({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Histogram<L>({ name, help, labelNames, buckets: SECONDS, registers });
  const requests = counter('cas_http_requests_total', 'Requests by operation and status.', 'operation', 'status');
  const durations = histogram(
    'cas_http_request_duration_seconds',
    'Duration of requests. Submissions wait for their result.',
    'operation',
  );
  const calls = counter(
    'cas_provider_calls_total',
    'Ended calls to providers; fault "none": answered.',
    ...(['provider', 'step', 'fault'] as const),
  );
  const callDurations = histogram(
    'cas_provider_call_duration_seconds',
    'Duration of calls to providers.',
    ...(['provider', 'step'] as const),
  );
  const attempts = counter(
    'cas_delivery_attempts_total',
    'Ended webhook attempts by status of the delivery and failure.',
    ...(['delivery', 'failure'] as const),
  );
  const sessions = counter('cas_sessions_ended_total', 'Ended sessions by status.', 'status');
  const removals = counter('cas_sessions_removed_total', 'Removed sessions by reason: retention or account.', 'reason');
  const mails = counter('cas_mails_total', 'Emails by outcome: sent or failed.', 'outcome');
  const stops = [
    requestEnded.subscribe(({ operation = 'none', status, durationMs }) => {
      requests.inc({ operation, status });
      durations.observe({ operation }, durationMs / 1_000);
    }),
    providerCallEnded.subscribe(({ provider, step, fault, durationMs }) => {
      calls.inc({ provider, step, fault: fault ?? 'none' });
      callDurations.observe({ provider, step }, durationMs / 1_000);
    }),
    deliveryAttemptEnded.subscribe(({ status, failure }) =>
      attempts.inc({ delivery: status, failure: failure ?? 'none' }),
    ),
    sessionEnded.subscribe(({ status }) => sessions.inc({ status })),
    sessionRemoved.subscribe(({ reason }) => removals.inc({ reason })),
    mailEnded.subscribe(({ outcome }) => mails.inc({ outcome })),
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
