/** All endpoints of the API. */
import * as accuracy from './reviews/accuracy.ts';
import * as account from './account/account.ts';
import * as assistants from './assistants/assistants.ts';
import * as attention from './service/attention.ts';
import * as audit from './account/audit.ts';
import * as batchComparison from './sessions/batch-comparison.ts';
import * as batches from './sessions/batches.ts';
import * as deliveries from './sessions/deliveries.ts';
import type { Endpoint } from './values/endpoint.ts';
import * as events from './service/events.ts';
import * as invitations from './account/invitations.ts';
import * as keys from './account/keys.ts';
import * as logins from './account/logins.ts';
import * as recording from './sessions/recording.ts';
import * as recovery from './account/recovery.ts';
import * as requests from './sessions/requests.ts';
import * as results from './service/results.ts';
import * as reviews from './reviews/reviews.ts';
import * as secondFactor from './account/second-factor.ts';
import * as secondOpinions from './reviews/second-opinions.ts';
import * as service from './service/service.ts';
import * as sessionFilter from './sessions/session-filter.ts';
import * as sessionOperations from './sessions/session-operations.ts';
import * as sessions from './sessions/sessions.ts';
import * as shares from './sessions/shares.ts';
import * as sso from './account/sso.ts';
import * as stats from './service/stats.ts';
import * as timeline from './sessions/timeline.ts';
import * as transcripts from './sessions/transcripts.ts';
import * as usage from './service/usage.ts';
import * as workspaces from './account/workspaces.ts';

const RESOURCES = [
  account,
  accuracy,
  assistants,
  attention,
  audit,
  batchComparison,
  batches,
  deliveries,
  events,
  invitations,
  keys,
  logins,
  recording,
  recovery,
  requests,
  results,
  reviews,
  secondFactor,
  secondOpinions,
  service,
  sessionFilter,
  sessionOperations,
  sessions,
  shares,
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
