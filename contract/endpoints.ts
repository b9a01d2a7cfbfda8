/** Every endpoint of the API. */
import * as account from './account.ts';
import * as audit from './audit.ts';
import * as assistants from './assistants.ts';
import * as assistantVersions from './assistant-versions.ts';
import * as batches from './batches.ts';
import * as batchItems from './batch-items.ts';
import * as batchComparison from './batch-comparison.ts';
import * as calls from './calls.ts';
import * as deliveries from './deliveries.ts';
import type { Endpoint } from './endpoint.ts';
import * as events from './events.ts';
import * as keys from './keys.ts';
import * as logins from './logins.ts';
import * as ownData from './own-data.ts';
import * as redeliveries from './redeliveries.ts';
import * as requests from './requests.ts';
import * as sessionOperations from './session-operations.ts';
import * as sessionExport from './session-export.ts';
import * as results from './results.ts';
import * as service from './service.ts';
import * as sessions from './sessions.ts';
import * as stats from './stats.ts';
import * as timeline from './timeline.ts';
import * as transcripts from './transcripts.ts';
import * as usage from './usage.ts';

export const ENDPOINTS: readonly Endpoint[] = [
  account,
  ownData,
  audit,
  logins,
  keys,
  assistants,
  assistantVersions,
  results,
  requests,
  sessions,
  sessionOperations,
  sessionExport,
  batches,
  batchItems,
  batchComparison,
  calls,
  timeline,
  transcripts,
  deliveries,
  redeliveries,
  usage,
  stats,
  service,
  events,
].flatMap((resource) => Object.values(resource).filter(isEndpoint));

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}
