/** Deletes accounts: inaccessible at once, erased in steps. docs/decisions.md, "Leaving". */
import { now } from '../statements.ts';
import { ApiKeyModel } from '../models/api-key.ts';
import { AssistantModel } from '../models/assistant.ts';
import { BatchModel } from '../models/batch.ts';
import { IdentityModel } from '../models/identity.ts';
import { LoginModel } from '../models/login.ts';
import { SessionModel } from '../models/session.ts';
import { UserModel } from '../models/user.ts';
import { WorkspaceModel } from '../models/workspace.ts';
import { ProviderCallModel } from '../models/provider-call.ts';

/** Spending counts for the installation's budget. The audit trail is kept for a year. */
const KEPT = ['audit_events', 'monthly_spending'];

/** Number of rows that one statement removes. */
const BATCH = 1_000;

/**
 * Deletes tokens, logins and assistants of an account and frees its email address. With a budget of 0, no provider call
 * starts. Returns false, and changes nothing, if the password changed since the user was read, or the account is deleted.
 */
export function markUserDeleted({
  id,
  default_workspace_id: workspace_id,
  credentials_version,
}: UserModel): Promise<boolean> {
  return UserModel.transaction(async (trx) => {
    const marked = await UserModel.query(trx)
      .patch({
        ...{ email: `${id}@deleted.invalid`, name: '', password_hash: '' },
        credentials_version: credentials_version + 1,
        disabled_at: now(),
        deleted_at: now(),
      })
      .where({ id, credentials_version })
      .whereNull('deleted_at');
    if (marked === 0) return false;
    const end = { name: '', monthly_budget_usd: 0, disabled_at: now(), deleted_at: now() };
    await WorkspaceModel.query(trx).findById(workspace_id).patch(end);
    await AssistantModel.query(trx).delete().where({ workspace_id });
    await BatchModel.query(trx).patch({ status: 'canceling' }).where({ workspace_id, status: 'running' });
    await ApiKeyModel.query(trx).delete().where({ workspace_id });
    await LoginModel.query(trx).delete().where({ user_id: id });
    await IdentityModel.query(trx).delete().where({ user_id: id });
    return true;
  });
}

export type DeletedUser = Pick<UserModel, 'id' | 'default_workspace_id'>;

/** Returns deleted accounts that have not been erased, the earliest deleted first. */
export function findDeletedUsers(limit: number) {
  return UserModel.query()
    .select('id', 'default_workspace_id')
    .whereNotNull('deleted_at')
    .orderBy('deleted_at')
    .limit(limit);
}

/** Erases a deleted account, except `KEPT`. Returns false, and changes nothing, if it still has sessions. */
export async function eraseUser({ id, default_workspace_id: workspace_id }: DeletedUser): Promise<boolean> {
  if (await SessionModel.query().select('id').findOne({ workspace_id })) return false;
  // Frees the reserved budget of running calls.
  await ProviderCallModel.query()
    .patch({ status: 'lost', reserved_usd: null })
    .where({ workspace_id, status: 'running' });
  for (const table of await findTables()) await emptyFor(workspace_id, table);
  await UserModel.query().deleteById(id);
  await WorkspaceModel.query().deleteById(workspace_id);
  return true;
}

/** Returns the tables with rows of workspaces. A single cascading delete could exceed the statement timeout. */
async function findTables(): Promise<string[]> {
  const { rows } = await UserModel.knex().raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id' and not table_name = any(?)`,
    [KEPT],
  );
  return rows.map(({ name }) => name);
}

async function emptyFor(workspaceId: string, table: string): Promise<void> {
  const statement = 'delete from ?? where ctid in (select ctid from ?? where workspace_id = ? limit ?)';
  for (;;) {
    const { rowCount } = await UserModel.knex().raw<{ rowCount: number }>(statement, [
      table,
      table,
      workspaceId,
      BATCH,
    ]);
    if (rowCount < BATCH) return;
  }
}
