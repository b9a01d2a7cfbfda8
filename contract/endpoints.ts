/** All endpoints of the API. */
import * as account from './account.ts';
import * as assistants from './assistants.ts';
import * as audit from './audit.ts';
import * as batchComparison from './batch-comparison.ts';
import * as batches from './batches.ts';
import * as deliveries from './deliveries.ts';
import type { Endpoint } from './endpoint.ts';
import * as events from './events.ts';
import * as invitations from './invitations.ts';
import * as keys from './keys.ts';
import * as logins from './logins.ts';
import * as recovery from './recovery.ts';
import * as redeliveries from './redeliveries.ts';
import * as requests from './requests.ts';
import * as results from './results.ts';
import * as secondFactor from './second-factor.ts';
import * as service from './service.ts';
import * as sessionFilter from './session-filter.ts';
import * as sessionOperations from './session-operations.ts';
import * as sessions from './sessions.ts';
import * as sso from './sso.ts';
import * as stats from './stats.ts';
import * as timeline from './timeline.ts';
import * as transcripts from './transcripts.ts';
import * as usage from './usage.ts';
import * as workspaces from './workspaces.ts';

const RESOURCES = [
  account,
  assistants,
  audit,
  batchComparison,
  batches,
  deliveries,
  events,
  invitations,
  keys,
  logins,
  recovery,
  redeliveries,
  requests,
  results,
  secondFactor,
  service,
  sessionFilter,
  sessionOperations,
  sessions,
  sso,
  stats,
  timeline,
  transcripts,
  usage,
  workspaces,
];

export const ENDPOINTS: readonly Endpoint[] = RESOURCES.flatMap((resource) =>
  Object.values(resource).filter(isEndpoint),
);

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}
