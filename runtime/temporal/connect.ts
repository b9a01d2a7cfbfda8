/** Connections to Temporal. */
import { Client, isGrpcServiceError, type ConnectionLike } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../../contract/workflows.ts';
import type { Config } from '../settings/config.ts';
import { StartError } from '../process/process.ts';
import type { Log } from '../telemetry/log.ts';
import { temporalTracing } from '../telemetry/tracing.ts';
import { waitUntilThere } from '../process/wait-until-there.ts';
import { connectLater, TemporalAwayError } from './connect-later.ts';
import { installTemporalRuntime } from './runtime.ts';
import { startEagerly } from './start.ts';

/** For starting, signaling and canceling workflows. */
export interface TemporalCaller {
  connection: ConnectionLike;
  client: Client;
  namespace: string;
}

/** For workers, which poll on the native connection. */
export interface Temporal extends TemporalCaller {
  connection: NativeConnection;
  /** Whether workers on the connection receive the runs that this process starts. */
  startsEagerly: boolean;
}

interface TemporalOptions {
  /** Whether a worker of this process shares the connection and receives the runs that this process starts. */
  startsEagerly?: boolean;
}

/**
 * Connects once. Throws if Temporal is unreachable. The native connection is faster than the gRPC-js one, and sharing it
 * with a worker allows eager starts (measured: docs/performance.md).
 */
export async function connectTemporal(
  config: Config['temporal'],
  log: Log,
  options: TemporalOptions = {},
): Promise<Temporal> {
  installTemporalRuntime(log);
  return withClient(await connect(config), config, options);
}

/** Waits until Temporal is reachable and has the namespace, and logs what is missing. */
export async function awaitTemporal(
  config: Config['temporal'],
  log: Log,
  { signal, ...options }: TemporalOptions & { signal?: AbortSignal } = {},
): Promise<Temporal> {
  installTemporalRuntime(log);
  return withClient(await awaitConnection(config, log, signal), config, options);
}

/**
 * Returns immediately and connects in the background. Until then, every call fails with `TemporalAwayError`.
 * `connection.ensureConnected` throws `StartError` if Temporal will never accept these settings.
 */
export function connectTemporalLater(config: Config['temporal'], log: Log): TemporalCaller {
  installTemporalRuntime(log);
  return withClient(
    connectLater((signal) => awaitConnection(config, log, signal)),
    config,
  );
}

const connect = ({ address, tls, apiKey }: Config['temporal']) =>
  NativeConnection.connect({ address, tls, ...(apiKey && { apiKey }) });

async function awaitConnection(config: Config['temporal'], log: Log, signal?: AbortSignal): Promise<NativeConnection> {
  const { address, namespace } = config;
  let connection: NativeConnection | undefined;
  const findMissing = async () => {
    try {
      connection ??= await connect(config);
      await findNamespace({ connection, namespace });
      return undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (isTransportError(error) || isTemporalUnavailable(error))
        return { missing: `Temporal at ${address} (TEMPORAL_ADDRESS, TEMPORAL_TLS)`, reason };
      if (isNotFound(error)) return `the namespace ${namespace} of Temporal (TEMPORAL_NAMESPACE)`;
      throw new StartError(
        `Temporal at ${address} can't be used: ${reason}. Correct TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS or TEMPORAL_API_KEY.`,
      );
    }
  };
  await waitUntilThere(log, findMissing, signal);
  return connection as NativeConnection;
}

/** Returns the text of an error on one line. Errors of gRPC have it in `details`. */
function reasonOf(error: unknown): string {
  const { message, details } = error as Error & { details?: unknown };
  return (typeof details === 'string' && details !== '' ? details : message).replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}

/** Returns whether connecting failed and may succeed later. The SDK does not export the class, and has only texts for codes. */
const isTransportError = (error: unknown) =>
  error instanceof Error && error.name === 'TransportError' && !/does not have (valid auth|perm)/.test(error.message);

function withClient<C extends ConnectionLike>(
  connection: C,
  { namespace }: Config['temporal'],
  { startsEagerly = false }: TemporalOptions = {},
) {
  const tracing = temporalTracing();
  const workflow = [...(tracing ? [tracing.clientInterceptor] : []), ...(startsEagerly ? [startEagerly] : [])];
  const client = new Client({ connection, namespace, interceptors: { workflow } });
  return { connection, namespace, client, startsEagerly };
}

/** Returns the name and ID of the namespace. Throws if Temporal does not have it. */
export async function findNamespace(
  { connection, namespace }: Pick<TemporalCaller, 'connection' | 'namespace'>,
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<{ name: string; id: string }> {
  const describe = () => connection.workflowService.describeNamespace({ namespace });
  const { namespaceInfo } = await callInTime(connection, timeoutMs, describe);
  return { name: namespace, id: namespaceInfo?.id ?? '' };
}

/**
 * Registers missing search attributes, and waits until Temporal accepts them. Retries while it is unreachable. Without the permission to list them, logs
 * their names: a missing one fails the start of a workflow. Throws `StartError` if some are missing and can't be registered.
 */
export async function ensureSearchAttributes(temporal: Temporal, log: Log): Promise<void> {
  const { connection, namespace } = temporal;
  let areNew = false;
  await waitUntilThere(log, async () => {
    try {
      const missing = await findMissingAttributes(temporal, log);
      if (missing.length > 0) await registerSearchAttributes(temporal, missing);
      areNew ||= missing.length > 0;
      // For seconds, Temporal refuses new attributes: in queries, and of workflows.
      const query = SEARCH_ATTRIBUTES.map((name) => `${name} = ''`).join(' or ');
      if (areNew) await connection.workflowService.countWorkflowExecutions({ namespace, query });
      return undefined;
    } catch (error) {
      // For about a second, parts of Temporal do not find a new namespace.
      const isEarly = isTemporalUnavailable(error) || isNotFound(error) || (areNew && isInvalid(error));
      if (isEarly) return 'the search attributes of Temporal';
      throw error;
    }
  });
}

/** Returns the names of missing search attributes; none if they may not be listed. */
async function findMissingAttributes({ connection, namespace }: Temporal, log: Log): Promise<string[]> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return SEARCH_ATTRIBUTES.filter((name) => !customAttributes?.[name]);
  } catch (error) {
    if (!isRefused(error)) throw error;
    log.warn({ expected: SEARCH_ATTRIBUTES, namespace }, 'the search attributes of Temporal may not be listed');
    return [];
  }
}

async function registerSearchAttributes({ connection, namespace }: Temporal, missing: string[]): Promise<void> {
  const keyword = 2; // temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, keyword]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw new StartError(
      `The namespace ${namespace} of Temporal lacks the search attributes ${missing.join(', ')}, and this worker may not create them. Create them with the type Keyword.`,
    );
  }
}

/** Time limit of a call to Temporal while a client waits, which gets a response within 5 s, also from a busy machine. */
export const CALL_TIMEOUT_MS = 2_500;

/** A call got no response in time. It may still reach Temporal. */
class TemporalTimeoutError extends Error {
  override name = 'TemporalTimeoutError';
}

/**
 * Runs a call with a time limit. The client's own deadline is checked only between tries, which are seconds apart while
 * Temporal refuses connections.
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

/** Returns whether Temporal is unreachable or too slow, so the same call may succeed later. */
export function isTemporalUnavailable(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof TemporalTimeoutError || cause instanceof TemporalAwayError) return true;
  if (!isGrpcServiceError(cause)) return false;
  return UNAVAILABLE_CODES.has(cause.code);
}

/** CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE: https://grpc.io/docs/guides/status-codes/ */
const UNAVAILABLE_CODES = new Set<number>([1, 4, 8, 10, 14]);
/** PERMISSION_DENIED, UNIMPLEMENTED (Temporal Cloud), UNAUTHENTICATED. */
const REFUSED_CODES = new Set<number>([7, 12, 16]);
/** INVALID_ARGUMENT. */
const INVALID_CODES = new Set<number>([3]);
/** NOT_FOUND. */
const NOT_FOUND_CODES = new Set<number>([5]);

/** Returns whether Temporal does not accept the content of a call. */
const isInvalid = (error: unknown) => isGrpcServiceError(error) && INVALID_CODES.has(error.code);

/** Returns whether the process may not make the call. */
const isRefused = (error: unknown) => isGrpcServiceError(error) && REFUSED_CODES.has(error.code);

/** Returns whether what a call names does not exist. */
export const isNotFound = (error: unknown) => isGrpcServiceError(error) && NOT_FOUND_CODES.has(error.code);
