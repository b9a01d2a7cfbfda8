/** The connection to Temporal and what both API and worker need of it. */
import { Client, isGrpcServiceError } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES, TASK_QUEUE } from '../../contract/workflows.ts';
import type { Config } from '../config.ts';
import type { Log } from '../telemetry/log.ts';
import { installTemporalLog } from './log.ts';
import { temporalTracing } from '../telemetry/tracing.ts';

export interface Temporal {
  connection: NativeConnection;
  client: Client;
  namespace: string;
}

/**
 * Connects to Temporal by the native connection: it is faster than the gRPC-js one, and a worker on the same one allows
 * eager starts (measured: docs/performance.md).
 */
export async function connectTemporal(
  config: Config['temporal'],
  log: Log,
  { metricsAddress }: { metricsAddress?: string | undefined } = {},
): Promise<Temporal> {
  installTemporalLog(log, metricsAddress);
  const { address, namespace, tls, apiKey } = config;
  const connection = await NativeConnection.connect({ address, tls, ...(apiKey && { apiKey }) });
  const tracing = temporalTracing();
  const interceptors = tracing && { workflow: [tracing.clientInterceptor] };
  return {
    connection,
    client: new Client({ connection, namespace, ...(interceptors && { interceptors }) }),
    namespace,
  };
}

/** Registers the search attributes that the namespace lacks. Needs the right to; docs/architecture.md says how to do it by hand. */
export async function ensureSearchAttributes({ connection, namespace }: Temporal): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.filter((name) => !customAttributes?.[name]);
  if (missing.length === 0) return;
  const keyword = 2; // temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])),
  });
}

/** A worker polls at least once a minute. */
const POLLER_ALIVE_MS = 70_000;

/** temporal.api.enums.v1.TaskQueueType; the package that declares it is not a dependency of ours. */
const TASK_QUEUE_TYPE_WORKFLOW = 1 as never;

/** Identities (`pid@host`) of the workers that ask for work. */
export async function findPollers({ connection, namespace }: Temporal, timeoutMs: number): Promise<string[]> {
  const { pollers } = await callInTime(connection, timeoutMs, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: TASK_QUEUE },
      taskQueueType: TASK_QUEUE_TYPE_WORKFLOW,
    }),
  );
  return (pollers ?? [])
    .filter((poller) => Date.now() - Number(poller.lastAccessTime?.seconds ?? 0) * 1_000 < POLLER_ALIVE_MS)
    .map((poller) => poller.identity ?? '');
}

/** Bound of a call to Temporal while a caller of the API waits, who is told within 5 s to try again. */
export const CALL_TIMEOUT_MS = 3_000;

/** Says that a call got no answer in time; it may still reach Temporal. */
class TemporalTimeoutError extends Error {
  override name = 'TemporalTimeoutError';
}

/**
 * Ends when the time is over. The client alone does not: it looks at its deadline between tries only, and while
 * Temporal refuses connections it waits seconds between them.
 */
export async function callInTime<T>(
  temporal: { withDeadline<R>(deadline: number, call: () => Promise<R>): Promise<R> },
  timeoutMs: number,
  call: () => Promise<T>,
): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TemporalTimeoutError(`no answer in ${timeoutMs} ms`)), timeoutMs);
  const answer = temporal.withDeadline(Date.now() + timeoutMs, call);
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}

/** Returns whether Temporal is away or too slow, so that the same call may work later. */
export function isTemporalUnavailable(error: unknown): boolean {
  if (error instanceof TemporalTimeoutError) return true;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!isGrpcServiceError(cause)) return false;
  return UNAVAILABLE_CODES.has(cause.code);
}

/** CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE: https://grpc.io/docs/guides/status-codes/ */
const UNAVAILABLE_CODES = new Set<number>([1, 4, 8, 10, 14]);
