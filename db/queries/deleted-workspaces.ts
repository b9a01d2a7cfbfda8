/** Deletes workspaces: inaccessible at once, erased in steps. docs/decisions.md, "Leaving". */
import type { TransactionOrKnex } from 'objection';
import { deleteInSteps, now, readRows } from '../statements.ts';
import { ApiKeyModel } from '../models/api-key.ts';
import { AssistantModel } from '../models/assistant.ts';
import { BatchModel } from '../models/batch.ts';
import { MembershipModel } from '../models/membership.ts';
import { SessionModel } from '../models/session.ts';
import { WorkspaceModel } from '../models/workspace.ts';
import { ProviderCallModel } from '../models/provider-call.ts';

/** Spending counts for the installation's budget. The audit trail is kept for a year. */
const KEPT = ['audit_events', 'monthly_spending'];

/** Deletes the members, tokens and assistants of a workspace. With a budget of 0, no provider call starts. */
export async function markWorkspaceDeleted(workspace_id: string, trx: TransactionOrKnex): Promise<void> {
  const end = { name: '', monthly_budget_usd: 0, disabled_at: now(), deleted_at: now() };
  await WorkspaceModel.query(trx).findById(workspace_id).patch(end);
  await AssistantModel.query(trx).delete().where({ workspace_id });
  await BatchModel.query(trx).patch({ status: 'canceling' }).where({ workspace_id, status: 'running' });
  await ApiKeyModel.query(trx).delete().where({ workspace_id });
  await MembershipModel.remove({ workspace_id }, trx);
}

/** Returns deleted workspaces that have not been erased, the earliest deleted first. */
export function findDeletedWorkspaces(limit: number) {
  return WorkspaceModel.query().select('id').whereNotNull('deleted_at').orderBy('deleted_at').limit(limit);
}

/** Erases a deleted workspace, except `KEPT`. Returns false, and changes nothing, if it still has sessions. */
export async function eraseWorkspace(workspace_id: string): Promise<boolean> {
  if (await SessionModel.query().select('id').findOne({ workspace_id })) return false;
  // Frees the reserved budget of running calls.
  await ProviderCallModel.query()
    .patch({ status: 'lost', reserved_usd: null })
    .where({ workspace_id, status: 'running' });
  for (const table of await findTables()) await deleteInSteps(table, 'workspace_id = ?', [workspace_id]);
  await WorkspaceModel.query().deleteById(workspace_id);
  return true;
}

/** Returns the tables with rows of workspaces. A single cascading delete could exceed the statement timeout. */
async function findTables(): Promise<string[]> {
  const rows = await readRows<{ name: string }[]>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id' and not table_name = any(?)`,
    [KEPT],
  );
  return rows.map(({ name }) => name);
}
