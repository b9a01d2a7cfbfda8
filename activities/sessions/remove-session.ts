import type { Client } from '@temporalio/client';
import { SessionModel } from '../../db/models/session.ts';
import { eraseSession } from '../../db/queries/erase-session.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';

export interface RemoveSessionDeps {
  audio: AudioStore;
  client: Client;
}

/**
 * Removes a session with its recording, and cancels its workflows. Returns false, and removes nothing, if the session is
 * gone or was restarted since the caller read it. Locks the row and removes the file first, so after a crash the next call
 * finishes the removal.
 */
export async function removeSession(
  { audio, client }: RemoveSessionDeps,
  { id, type, completed_at }: Pick<SessionModel, 'id' | 'type' | 'completed_at'>,
): Promise<boolean> {
  const workflowIds = await SessionModel.transaction(async (trx) => {
    const session = await SessionModel.query(trx).select('id').findOne({ id, completed_at }).forUpdate();
    if (!session) return undefined;
    if (type === 'voice') await audio.remove(id);
    return (await eraseSession(id, trx))?.workflowIds ?? [];
  });
  for (const workflowId of workflowIds ?? []) await cancelWorkflow(client, workflowId);
  return workflowIds !== undefined;
}
