/** The sessions of a batch: those that match its filter and to which its action applies. */
import type { TransactionOrKnex } from 'objection';
import type { BatchAction } from '../../contract/values/constants.ts';
import type { BatchModel } from '../models/batch.ts';
import { SessionModel } from '../models/session.ts';
import { filterSessions } from './filter-sessions.ts';
import type { Sessions } from './filter-sessions.ts';
import type { ListedFilter } from './list-sessions.ts';
import { whereHasWords } from './search-sessions.ts';
import { CAN_RUN_AGAIN } from './session-status.ts';

type Wanted = Pick<BatchModel, 'workspace_id' | 'action' | 'conditions'> & Partial<Pick<BatchModel, 'created_at'>>;

/** Times in JSON are text. */
type StoredFilter = Omit<ListedFilter, 'created_after' | 'created_before'> & {
  created_after?: Date | string | undefined;
  created_before?: Date | string | undefined;
};

/**
 * Selects the sessions, without columns and order. Excludes sessions submitted after the batch. Reanalyses are not reanalyzed,
 * because a second trial would double the first.
 */
export function findSources(
  { workspace_id, action, conditions, created_at }: Wanted,
  trx?: TransactionOrKnex,
): Sessions {
  const { q, created_after, created_before, ...exact } = conditions as StoredFilter;
  const filter = { ...exact, created_after: toDate(created_after), created_before: toDate(created_before) };
  const query = filterSessions(SessionModel.query(trx), workspace_id, filter);
  if (q !== undefined) whereHasWords(query, workspace_id, q);
  if (created_at) query.where('sessions.created_at', '<=', created_at);
  return query.whereRaw(FITTING[action]);
}

const toDate = (moment: Date | string | undefined) => (moment === undefined ? undefined : new Date(moment));

const FITTING: Record<BatchAction, string> = {
  reanalyze: 'sessions.completed_at is not null and sessions.turn_count is not null and source_session_id is null',
  retry: `sessions.status = 'failed' and error ->> 'retryable' = 'true' and ${CAN_RUN_AGAIN}`,
  delete: 'true',
};
