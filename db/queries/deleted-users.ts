/** Accounts that are deleted: gone for everybody at once, and removed bit by bit. docs/decisions.md, "Leaving". */
import { now } from '../clock.ts';
import { ApiKeyModel } from '../models/api-key.ts';
import { AssistantModel } from '../models/assistant.ts';
import { BatchModel } from '../models/batch.ts';
import { LoginModel } from '../models/login.ts';
import { SessionModel } from '../models/session.ts';
import { UserModel } from '../models/user.ts';
import { VendorCallModel } from '../models/vendor-call.ts';

/** Tables whose rows of one user may be many. Sessions go before, one by one, and the rest with the user's own row. */
const TABLES = ['deliveries', 'redeliveries', 'batches', 'idempotency_keys', 'vendor_calls', 'deleted_assistants'];

/** Rows that one statement removes. */
const BATCH = 1_000;

/**
 * Ends an account. From then on its tokens and logins are void, its address is free, no call to a vendor opens, for its
 * budget is 0, and nothing is posted, for its assistants are gone. Returns false, and changes nothing, if the password
 * was changed since the user was read, or the account is deleted already.
 */
export function markUserDeleted({ id, credentials_version }: UserModel): Promise<boolean> {
  return UserModel.transaction(async (trx) => {
    const marked = await UserModel.query(trx)
      .patch({
        ...{ email: `${id}@deleted.invalid`, name: '', password_hash: '', monthly_budget_usd: 0 },
        credentials_version: credentials_version + 1,
        disabled_at: now(),
        deleted_at: now(),
      })
      .where({ id, credentials_version })
      .whereNull('deleted_at');
    if (marked === 0) return false;
    await AssistantModel.query(trx).delete().where({ user_id: id });
    await BatchModel.query(trx).patch({ status: 'canceling' }).where({ user_id: id, status: 'running' });
    await ApiKeyModel.query(trx).delete().where({ user_id: id });
    await LoginModel.query(trx).delete().where({ user_id: id });
    return true;
  });
}

/** Returns deleted accounts of which something is left, the one deleted first at the front. */
export function findDeletedUsers(limit: number) {
  return UserModel.query().select('id').whereNotNull('deleted_at').orderBy('deleted_at').limit(limit);
}

/**
 * Removes what is left of a deleted account whose sessions are gone. What it cost in a month stays in the sums that
 * the installation's budget is held to, and its audit trail until it is a year old. Returns false, and keeps the account,
 * if it has a session all the same.
 */
export async function eraseUser(id: string): Promise<boolean> {
  if (await SessionModel.query().select('id').findOne({ user_id: id })) return false;
  // What running calls reserved counts no more.
  await VendorCallModel.query().patch({ status: 'lost', reserved_usd: null }).where({ user_id: id, status: 'running' });
  for (const table of TABLES) await emptyFor(id, table);
  await UserModel.query().deleteById(id);
  return true;
}

async function emptyFor(userId: string, table: string): Promise<void> {
  const statement = 'delete from ?? where ctid in (select ctid from ?? where user_id = ? limit ?)';
  for (;;) {
    const { rowCount } = await UserModel.knex().raw<{ rowCount: number }>(statement, [table, table, userId, BATCH]);
    if (rowCount < BATCH) return;
  }
}
