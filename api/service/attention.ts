/** Finds what needs attention in a workspace. */
import type { Attention } from '../../contract/service/attention.ts';
import { ATTENTION_LIMITS as LIMITS } from '../../contract/values/limits.ts';
import { ProviderQueueSchema } from '../../contract/service/service.ts';
import { FailingReceiverSchema, SessionFailuresSchema } from '../../contract/service/stats.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { findFailingReceivers } from '../../db/queries/failing-receivers.ts';
import { sumAudioBytes, sumTextBytes } from '../../db/queries/owner-limits.ts';
import { findOwnQueue, findWaiting } from '../../db/queries/queue.ts';
import { findSessionFailures } from '../../db/queries/stats.ts';
import type { ApiDeps } from '../deps.ts';
import { hasScope, type Caller } from '../guard/authenticate.ts';
import { presentRow } from '../http/handle.ts';

const NOTHING = { subject: null, since: null, reason: null, next_try_at: null, providers: [], assistant_ids: [] };

type Found = Pick<Attention, 'code' | 'figures' | 'action'> & Partial<Attention>;

/** Returns the facts that the caller may see, since `from`. */
export async function findAttention(
  { config }: Pick<ApiDeps, 'config'>,
  { workspaceId, ...caller }: Caller,
  from: Date,
): Promise<Attention[]> {
  const period = { workspaceId, from, to: new Date() };
  const mayRead = (scope: 'webhooks:read' | 'usage:read') => hasScope(caller, scope);
  const found: Found[][] = await Promise.all([
    findProviders(workspaceId),
    findQueue(workspaceId),
    mayRead('webhooks:read') ? findDeliveries(period) : [],
    findFailures(period),
    mayRead('usage:read') ? findStorage(workspaceId, config.quotas) : [],
    mayRead('usage:read') ? findBudget(workspaceId) : [],
  ]);
  return found.flat().map((each) => ({ ...NOTHING, ...each }));
}

const isOlder = (since: string, limitMs: number) => Date.now() - Date.parse(since) > limitMs;

async function findProviders(workspaceId: string): Promise<Found[]> {
  const waiting = await findWaiting(workspaceId);
  return waiting
    .map((row) => presentRow(ProviderQueueSchema, row))
    .filter(({ since }) => isOlder(since, LIMITS.waitsMs))
    .map(({ provider, reason, since, sessions, next_try_at }) => ({
      code: 'provider_unavailable',
      subject: provider,
      since,
      reason,
      next_try_at,
      figures: { sessions },
      action: 'Wait, or check the provider and its key. The sessions continue when it responds.',
    }));
}

async function findQueue(workspaceId: string): Promise<Found[]> {
  const { waiting: sessions, oldest } = await findOwnQueue(workspaceId);
  const since = oldest?.toISOString();
  if (since === undefined || !isOlder(since, LIMITS.queuedMs)) return [];
  const action = 'Check that workers run, or add workers.';
  return [{ code: 'sessions_queued', since, figures: { sessions }, action }];
}

async function findDeliveries(period: Parameters<typeof findFailingReceivers>[0]): Promise<Found[]> {
  const receivers = await findFailingReceivers(period);
  return receivers
    .map((row) => presentRow(FailingReceiverSchema, row))
    .filter(({ failed, retrying }) => failed + retrying > 0)
    .map(({ host, failed, retrying, assistant_ids, ...receiver }) => ({
      code: 'deliveries_failing',
      subject: host,
      since: receiver.failing_since,
      reason: receiver.last_failure,
      next_try_at: receiver.next_attempt_at,
      figures: {
        failed,
        retrying,
        ...(receiver.last_status_code !== null && { status_code: receiver.last_status_code }),
      },
      assistant_ids,
      action: failed > 0 ? 'Fix the receiver, then redeliver.' : 'Fix the receiver. The next attempt is automatic.',
    }));
}

async function findFailures(period: Parameters<typeof findSessionFailures>[0]): Promise<Found[]> {
  const failures = await findSessionFailures(period);
  const presented = failures.map((row) => presentRow(SessionFailuresSchema, row));
  return presented.map(({ code: subject, count, retryable, providers, last_at }) => ({
    code: 'sessions_failed',
    subject,
    since: last_at,
    figures: { sessions: count, retryable },
    providers,
    action: retryable > 0 ? 'Fix the cause, then retry the sessions.' : 'See the errors of the sessions.',
  }));
}

async function findStorage(workspaceId: string, quotas: ApiDeps['config']['quotas']): Promise<Found[]> {
  const stores = [
    ['recordings', await sumAudioBytes(workspaceId), quotas.storedAudioBytes],
    ['conversations', await sumTextBytes(workspaceId), quotas.storedTextBytes],
  ] as const;
  return stores
    .filter(([, used, limit]) => used >= LIMITS.storageShare * limit)
    .map(([subject, used_bytes, limit_bytes]) => ({
      code: 'storage_nearly_full',
      subject,
      figures: { used_bytes, limit_bytes },
      action: 'Delete sessions, shorten their retention, or raise the limit.',
    }));
}

async function findBudget(workspaceId: string): Promise<Found[]> {
  const { spent_usd, budget_usd } = await WorkspaceModel.findSpending(workspaceId);
  if (budget_usd === null || spent_usd < LIMITS.budgetShare * budget_usd) return [];
  return [{ code: 'budget_nearly_spent', figures: { spent_usd, budget_usd }, action: 'Raise the monthly budget.' }];
}
