/** The connection to Temporal and what both API and worker need of it. */
import { Client, isGrpcServiceError } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../contract/workflows.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { installTemporalLog } from './temporal-log.ts';

export interface Temporal {
  connection: NativeConnection;
  client: Client;
  namespace: string;
}

/** The native connection: faster than the gRPC-js one, and a worker on the same one allows eager starts (measured: docs/performance.md). */
export async function connectTemporal(config: Config['temporal'], log: Log): Promise<Temporal> {
  installTemporalLog(log);
  const { address, namespace, tls, apiKey } = config;
  const connection = await NativeConnection.connect({ address, tls, ...(apiKey && { apiKey }) });
  return { connection, client: new Client({ connection, namespace }), namespace };
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

/** Temporal is away or too slow; the same call may work later. */
export function isTemporalUnavailable(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!isGrpcServiceError(cause)) return false;
  return UNAVAILABLE_CODES.has(cause.code);
}

/** CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE: https://grpc.io/docs/guides/status-codes/ */
const UNAVAILABLE_CODES = new Set<number>([1, 4, 8, 10, 14]);
