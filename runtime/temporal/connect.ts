/** The connections to Temporal and what both API and worker need of them. */
import { Client, isGrpcServiceError } from '@temporalio/client';
import type { ConnectionLike } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../../contract/workflows.ts';
import type { Config } from '../config.ts';
import type { Log } from '../telemetry/log.ts';
import { temporalTracing } from '../telemetry/tracing.ts';
import { waitUntilThere } from '../wait-until-there.ts';
import { connectLater, TemporalAwayError } from './connect-later.ts';
import { installTemporalRuntime } from './runtime.ts';
import { startEagerly } from './start-eagerly.ts';

/** What the API needs of Temporal: it starts, signals and cancels. */
export interface TemporalCaller {
  connection: ConnectionLike;
  client: Client;
  namespace: string;
}

/** What a worker needs as well: it asks for work on the native connection. */
export interface Temporal extends TemporalCaller {
  connection: NativeConnection;
  /** Whether a worker on the connection is handed the runs that this process starts. */
  startsEagerly: boolean;
}

export interface TemporalOptions {
  /** Where the SDK is to serve its own metrics. */
  metricsAddress?: string | undefined;
  /** Whether a worker of this process shares the connection: it is then handed the runs that this process starts. */
  startsEagerly?: boolean;
}

/**
 * Connects once, and throws where Temporal is away. The native connection is faster than the gRPC-js one, and a worker on
 * the same one allows eager starts (measured: docs/performance.md).
 */
export async function connectTemporal(
  config: Config['temporal'],
  log: Log,
  options: TemporalOptions = {},
): Promise<Temporal> {
  installTemporalRuntime(log, options.metricsAddress);
  return withClient(await connect(config), config, options);
}

/** Connects as soon as Temporal is there and has the namespace, and says what it waits for. */
export async function awaitTemporal(
  config: Config['temporal'],
  log: Log,
  options: TemporalOptions = {},
): Promise<Temporal> {
  installTemporalRuntime(log, options.metricsAddress);
  return withClient(await awaitConnection(config, log), config, options);
}

/** Returns at once and connects when Temporal is there; until then every call fails as one to Temporal that is away. */
export function connectTemporalLater(
  config: Config['temporal'],
  log: Log,
  options: TemporalOptions = {},
): TemporalCaller {
  installTemporalRuntime(log, options.metricsAddress);
  const connection = connectLater((signal) =>
    awaitConnection(config, log, signal).catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, 'cannot connect to Temporal');
      throw err;
    }),
  );
  return withClient(connection, config, options);
}

const connect = ({ address, tls, apiKey }: Config['temporal']) =>
  NativeConnection.connect({ address, tls, ...(apiKey && { apiKey }) });

async function awaitConnection(config: Config['temporal'], log: Log, signal?: AbortSignal): Promise<NativeConnection> {
  const { address, namespace } = config;
  let connection: NativeConnection | undefined;
  const findMissing = async () => {
    try {
      connection ??= await connect(config);
      await findNamespace({ connection, namespace }, CALL_TIMEOUT_MS);
      return undefined;
    } catch (error) {
      if (isTransportError(error) || isTemporalUnavailable(error)) return `Temporal at ${address}`;
      if (isNotFound(error)) return `the namespace ${namespace} of Temporal`;
      throw error;
    }
  };
  await waitUntilThere(log, findMissing, signal);
  return connection as NativeConnection;
}

/** Returns whether a connection could not be made; the SDK means its class for itself. */
const isTransportError = (error: unknown) => error instanceof Error && error.name === 'TransportError';

function withClient<C extends ConnectionLike>(
  connection: C,
  { namespace }: Config['temporal'],
  { startsEagerly = false }: TemporalOptions,
) {
  const tracing = temporalTracing();
  const workflow = [...(tracing ? [tracing.clientInterceptor] : []), ...(startsEagerly ? [startEagerly] : [])];
  const client = new Client({ connection, namespace, interceptors: { workflow } });
  return { connection, namespace, client, startsEagerly };
}

/** Resolves when Temporal answers and has the namespace. */
export async function findNamespace(
  { connection, namespace }: Pick<TemporalCaller, 'connection' | 'namespace'>,
  timeoutMs: number,
): Promise<void> {
  await callInTime(connection, timeoutMs, () => connection.workflowService.describeNamespace({ namespace }));
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
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof TemporalTimeoutError || cause instanceof TemporalAwayError) return true;
  if (!isGrpcServiceError(cause)) return false;
  return UNAVAILABLE_CODES.has(cause.code);
}

/** CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE: https://grpc.io/docs/guides/status-codes/ */
const UNAVAILABLE_CODES = new Set<number>([1, 4, 8, 10, 14]);
const NOT_FOUND_CODES = new Set<number>([5]);

const isNotFound = (error: unknown) => isGrpcServiceError(error) && NOT_FOUND_CODES.has(error.code);
