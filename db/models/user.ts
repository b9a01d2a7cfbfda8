import { Model, type TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { ConsoleLanguage } from '../../contract/values/constants.ts';
import { now, readRows } from '../statements.ts';
import { MembershipModel } from './membership.ts';
import { WorkspaceModel } from './workspace.ts';

export class UserModel extends Model {
  static override tableName = 'users';
  static override jsonAttributes = ['views'];
  declare id: string;
  declare email: string;
  declare name: string;
  /** Language of the console; null: the browser decides. */
  declare language: ConsoleLanguage | null;
  /** Paths of the console by name. */
  declare views: Record<string, string>;
  /** When the user proved that the address is theirs; null: not yet. */
  declare email_verified_at: Date | null;
  /** Argon2id in PHC string format; null: only single sign-on. */
  declare password_hash: string | null;
  /** Stored with each login. A password change increases it, which ends earlier logins. */
  declare credentials_version: number;
  /** The workspace of requests that name none. The user may have left it. */
  declare default_workspace_id: string;
  /** May log in with the password while `PASSWORD_LOGIN` is `admins`, and has no other right. */
  declare is_admin: boolean;
  /** Monthly limit of a workspace in US dollars; null: none. Not a column of `users`. */
  declare monthly_budget_usd: number | null;
  /** Logins with the password need a code. Not a column of `users`. */
  declare has_second_factor: boolean;
  /** Logins and tokens are refused from this time; null: in use. */
  declare disabled_at: Date | null;
  declare created_at: Date;

  /** Creates a user with a workspace. Returns undefined if the email address is taken, in any case. */
  static register(fields: NewUser, trx?: TransactionOrKnex): Promise<UserModel | undefined> {
    return UserModel.insertNew(REGISTER, { ...fields, workspace_id: typeid('ws').toString() }, trx);
  }

  /** Creates a user without a membership. Returns undefined if the email address is taken, in any case. */
  static registerInvited(fields: NewUser & { workspace_id: string }, trx: TransactionOrKnex) {
    return UserModel.insertNew(REGISTER_INVITED, fields, trx);
  }

  private static async insertNew(
    sql: string,
    fields: NewUser & { workspace_id: string },
    trx: TransactionOrKnex = UserModel.knex(),
  ): Promise<UserModel | undefined> {
    try {
      const id = typeid('user').toString();
      const [row] = await readRows<[object]>(sql, { monthly_budget_usd: null, ...fields, id }, trx);
      return UserModel.fromDatabaseJson(row);
    } catch (error) {
      return falseIfTaken(error) || undefined;
    }
  }

  /** Sets the address. Returns false if another user has the address. */
  static setEmail(id: string, email: string, { isVerified }: { isVerified: boolean }, trx?: TransactionOrKnex) {
    return UserModel.query(trx)
      .findById(id)
      .patch({ email, email_verified_at: isVerified ? now() : null })
      .then(() => true, falseIfTaken);
  }

  /** Creates the first account. Returns `late` if there is one already; of concurrent calls, one succeeds. */
  static registerFirst(fields: NewUser): Promise<UserModel | 'late'> {
    return UserModel.transaction(async (trx) => {
      await trx.raw("select pg_advisory_xact_lock(hashtextextended('first_user', 0))");
      if (await UserModel.query(trx).select('id').first()) return 'late';
      return (await UserModel.register(fields, trx)) ?? 'late';
    });
  }

  static findByEmail(email: string) {
    return UserModel.withDetails().findOne(UserModel.raw('lower(email) = lower(?)', email));
  }

  /** Selects users with the budget of this workspace, or of their default one, and whether they have a second factor. */
  static withDetails(workspaceId?: string, trx?: TransactionOrKnex) {
    return UserModel.query(trx).select('users.*', UserModel.raw(DETAILS, workspaceId ?? null));
  }

  /**
   * Locks a row, sets the columns that `change` returns, and the budget of the workspace. Returns undefined if there is no
   * such row.
   */
  static change(
    { userId, workspaceId }: { userId: string; workspaceId: string },
    change: (row: UserModel) => Partial<UserModel>,
  ): Promise<UserModel | undefined> {
    return UserModel.transaction(async (trx) => {
      // Unlike FOR UPDATE, this does not block inserts of rows that reference the user.
      const row = await UserModel.withDetails(workspaceId, trx).findById(userId).forNoKeyUpdate();
      if (!row) return undefined;
      const { monthly_budget_usd, ...columns } = change(row);
      if (Object.keys(columns).length > 0) await row.$query(trx).patch(columns);
      if (monthly_budget_usd !== undefined) {
        await WorkspaceModel.query(trx).findById(workspaceId).patch({ monthly_budget_usd });
      }
      return UserModel.withDetails(workspaceId, trx).findById(userId);
    });
  }

  /** Stores a password hash. Returns undefined, and changes nothing, if the password changed since the user was read. */
  static async setPassword(
    { id, credentials_version }: UserModel,
    password_hash: string,
    trx: TransactionOrKnex,
  ): Promise<UserModel | undefined> {
    const [changed] = await UserModel.query(trx)
      .patch({ password_hash, credentials_version: credentials_version + 1 })
      .where({ id, credentials_version })
      .returning(['users.*', UserModel.raw(DETAILS, null)]);
    return changed;
  }

  /** Disables or enables the user, and the workspaces without another member. Returns the IDs of these. */
  static async setDisabled({ id }: UserModel, isDisabled: boolean): Promise<string[]> {
    const disabled_at = isDisabled ? now() : null;
    return UserModel.transaction(async (trx) => {
      await UserModel.query(trx).findById(id).patch({ disabled_at });
      const alone = await MembershipModel.ofUserAlone(id, trx);
      const ids = alone.map(({ workspace_id }) => workspace_id);
      await WorkspaceModel.query(trx).findByIds(ids).patch({ disabled_at });
      return ids;
    });
  }
}

/** Returns false for the violation of a unique index (23505), and throws any other error. */
function falseIfTaken(error: unknown): false {
  const { code, nativeError } = error as { code?: string; nativeError?: { code?: string } };
  if ((nativeError?.code ?? code) === '23505') return false;
  throw error;
}

export interface NewUser {
  email: string;
  name: string;
  /** null: only single sign-on. */
  password_hash: string | null;
  /** Of the user's workspace. */
  monthly_budget_usd?: number | null;
}

/** Returns the SQL condition that a row was created with the user's present password. Disabled users have none. */
export const hasPresentCredentials = (table: string) => `credentials_version = (
  select credentials_version from users where users.id = ${table}.user_id and disabled_at is null)`;

export const HAS_SECOND_FACTOR =
  'exists (select from second_factors where second_factors.id = users.id and confirmed_at is not null) as has_second_factor';

const DETAILS = `(
    select monthly_budget_usd from workspaces
    where workspaces.id = coalesce(cast(? as text), users.default_workspace_id)) as monthly_budget_usd,
  ${HAS_SECOND_FACTOR}`;

const REGISTER = `
  with own as (
    insert into workspaces (id, name, monthly_budget_usd) values (:workspace_id, :name, :monthly_budget_usd) returning *
  ), person as (
    insert into users (id, email, name, password_hash, default_workspace_id)
    select :id, :email, :name, :password_hash, own.id from own returning *
  ), membership as (
    insert into memberships (user_id, workspace_id, role) select id, default_workspace_id, 'owner' from person
  )
  select person.*, own.monthly_budget_usd, false as has_second_factor from person, own`;

const REGISTER_INVITED = `
  insert into users (id, email, name, password_hash, default_workspace_id)
  values (:id, :email, :name, :password_hash, :workspace_id)
  returning *, (select monthly_budget_usd from workspaces where workspaces.id = default_workspace_id),
    false as has_second_factor`;
