/** All endpoints of the API. */
import type { Endpoint } from './values/endpoint.ts';

const RESOURCES = await Promise.all([
  import('./account/account.ts'),
  import('./reviews/accuracy.ts'),
  import('./assistants/assistants.ts'),
  import('./service/attention.ts'),
  import('./account/audit.ts'),
  import('./sessions/batch-comparison.ts'),
  import('./sessions/batches.ts'),
  import('./sessions/deliveries.ts'),
  import('./service/events.ts'),
  import('./account/invitations.ts'),
  import('./account/keys.ts'),
  import('./account/logins.ts'),
  import('./sessions/recording.ts'),
  import('./account/recovery.ts'),
  import('./sessions/requests.ts'),
  import('./service/results.ts'),
  import('./reviews/reviews.ts'),
  import('./account/second-factor.ts'),
  import('./reviews/second-opinions.ts'),
  import('./service/service.ts'),
  import('./sessions/session-filter.ts'),
  import('./sessions/session-operations.ts'),
  import('./sessions/sessions.ts'),
  import('./sessions/shares.ts'),
  import('./account/sso.ts'),
  import('./service/stats.ts'),
  import('./sessions/timeline.ts'),
  import('./sessions/transcripts.ts'),
  import('./service/usage.ts'),
  import('./account/workspaces.ts'),
]);

export const ENDPOINTS: readonly Endpoint[] = RESOURCES.flatMap((resource) =>
  Object.values<unknown>(resource).filter(isEndpoint),
);

/** What each resource exports: its endpoints, by their operation IDs, and schemas. */
export type Resource = (typeof RESOURCES)[number];

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}
