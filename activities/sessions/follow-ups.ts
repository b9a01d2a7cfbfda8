/** Starts the follow-ups of a session: docs/results.md, "Follow-ups". */
import type { TransactionOrKnex } from 'objection';
import type { FollowUp } from '../../contract/assistants/follow-ups.ts';
import type { FieldRow } from '../../contract/fields/field-rows.ts';
import type { LlmProviderName } from '../../contract/values/constants.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { insertFollowUp, type Copied } from '../../db/queries/reanalysis.ts';
import { meetsConditions } from '../alerts/match-alerts.ts';

/**
 * Returns the follow-ups whose conditions the result of a session meets. Retries, reanalyses, trials and follow-ups have none, and so has
 * every session of a batch.
 */
export function matchFollowUps(
  session: SessionModel,
  followUps: readonly FollowUp[] | null,
  rows: readonly FieldRow[],
) {
  const { source_session_id, first_session_id, earlier_runs, trial } = session;
  if (!followUps || (source_session_id ?? first_session_id) !== null || earlier_runs.length > 0 || trial) return [];
  return followUps.filter(({ when }) => meetsConditions(when, { fields: session.assistant.fields, rows }));
}

/** Stores the sessions of the follow-ups, in the transaction that ends the first one, and which assistants are deleted. Returns the sessions. */
export async function insertFollowUps(
  { isSimulated }: { isSimulated: (provider: LlmProviderName) => boolean },
  { id, workspace_id, created_by }: SessionModel,
  followUps: readonly FollowUp[],
  trx: TransactionOrKnex,
): Promise<Copied[]> {
  const ids = followUps.map(({ assistant_id }) => assistant_id);
  const found = await AssistantModel.findExisting(workspace_id, trx).findByIds(ids);
  const skipped = ids.filter((each) => !found.some((assistant) => assistant.id === each));
  if (skipped.length > 0) await SessionModel.query(trx).findById(id).patch({ skipped_follow_ups: skipped });
  const inserted: Copied[] = [];
  for (const assistant of found) {
    const simulated = isSimulated(assistant.llm_provider);
    inserted.push(...(await insertFollowUp(id, assistant, { simulated, created_by }, trx)));
  }
  return inserted;
}
