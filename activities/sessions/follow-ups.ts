/** Starts the follow-ups of a session: docs/results.md, "Follow-ups". */
import type { Client } from '@temporalio/client';
import type { TransactionOrKnex } from 'objection';
import type { FollowUp, SkippedFollowUp } from '../../contract/assistants/follow-ups.ts';
import type { FieldRow } from '../../contract/fields/field-rows.ts';
import type { LlmProviderName } from '../../contract/values/constants.ts';
import { kindsMissing } from '../../contract/values/redaction.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { insertFollowUp, type Copied } from '../../db/queries/reanalysis.ts';
import { startSession, type StartableSession } from '../../runtime/temporal/start.ts';
import { meetsConditions } from '../alerts/match-alerts.ts';

/**
 * Returns the follow-ups whose conditions the result of a session meets. Reanalyses, trials, sessions of batches and follow-ups have
 * none.
 */
export function matchFollowUps(
  session: SessionModel,
  followUps: readonly FollowUp[] | null,
  rows: readonly FieldRow[],
) {
  const { source_session_id, first_session_id, batch_id, trial } = session;
  if (!followUps || (source_session_id ?? first_session_id ?? batch_id) !== null || trial) return [];
  return followUps.filter(({ when }) => meetsConditions(when, { fields: session.assistant.fields, rows }));
}

/**
 * Stores the sessions of the follow-ups, in the transaction that ends the first one, and returns them. Stores which of them are
 * skipped, because their assistant is deleted or redacts less than the first session.
 */
export async function insertFollowUps(
  { isSimulated }: { isSimulated: (provider: LlmProviderName) => boolean },
  { id, workspace_id, assistant: first, created_by }: SessionModel,
  followUps: readonly FollowUp[],
  trx: TransactionOrKnex,
): Promise<Copied[]> {
  const ids = followUps.map(({ assistant_id }) => assistant_id);
  const found = await AssistantModel.findExisting(workspace_id, trx).findByIds(ids);
  const skipped = ids.flatMap((assistant_id): SkippedFollowUp[] => {
    const assistant = found.find((each) => each.id === assistant_id);
    if (!assistant) return [{ assistant_id, reason: 'deleted' }];
    return kindsMissing(first.redaction, assistant.redaction).length > 0
      ? [{ assistant_id, reason: 'redacts_less' }]
      : [];
  });
  if (skipped.length > 0) await SessionModel.query(trx).findById(id).patch({ skipped_follow_ups: skipped });
  const inserted: Copied[] = [];
  for (const assistant of found) {
    if (skipped.some(({ assistant_id }) => assistant_id === assistant.id)) continue;
    const simulated = isSimulated(assistant.llm_provider);
    inserted.push(...(await insertFollowUp(id, assistant, { simulated, created_by }, trx)));
  }
  return inserted;
}

export async function startFollowUps(client: Client, followUps: readonly StartableSession[]): Promise<void> {
  await Promise.all(followUps.map((each) => startSession(client, each)));
}
