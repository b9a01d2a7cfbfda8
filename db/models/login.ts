import { Model, type TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { LoginKind, LoginMethod, MemberRole, SignInPolicy } from '../../contract/values/constants.ts';
import { hashSecret } from '../../runtime/secrets/hash-secret.ts';
import { now, runPrepared } from '../statements.ts';
import { findPage, type PageRequest } from '../page.ts';
import { hasPresentCredentials } from './user.ts';

/** A login expires after this time without use: docs/decisions.md, "Logins". */
const IDLE = "interval '24 hours'";

/** ASVS 7.5.1. */
const PROVED = "interval '10 minutes'";

type NewLogin = Pick<LoginModel, 'user_id' | 'kind' | 'credentials_version' | 'address' | 'user_agent' | 'expires_at'> &
  Partial<Pick<LoginModel, 'is_strong' | 'method' | 'proved_at'>> & { secret: string };

/** One row of `logins`. The secret, which is the cookie's value or the token's `jti`, is not stored. */
export class LoginModel extends Model {
  static override tableName = 'logins';
  declare id: string;
  declare user_id: string;
  declare kind: LoginKind;
  declare secret_hash: Buffer;
  declare credentials_version: number;
  declare address: string;
  declare user_agent: string | null;
  declare created_at: Date;
  declare last_used_at: Date;
  declare expires_at: Date;
  declare ended_at: Date | null;
  /** When the person last proved their identity to this login; null: never. */
  declare proved_at: Date | null;
  /** The person used a second factor. */
  declare is_strong: boolean;
  declare method: LoginMethod;

  /** Stores a login and deletes the user's expired ones. */
  static async start({ secret, ...fields }: NewLogin): Promise<LoginModel> {
    await LoginModel.query().delete().where({ user_id: fields.user_id }).where('expires_at', '<', LoginModel.fn.now());
    return LoginModel.query()
      .insert({ id: typeid('login').toString(), secret_hash: hashSecret(secret), proved_at: now(), ...fields })
      .returning('*');
  }

  /**
   * Returns the active login with this secret. Its use is stored at most once a minute.
   * @param workspaceId undefined: the user's default workspace.
   */
  static async authenticate(secret: string, workspaceId: string | undefined): Promise<AuthenticatedLogin | undefined> {
    const bindings = { hash: hashSecret(secret), workspaceId: workspaceId ?? null };
    const [login] = await runPrepared<AuthenticatedLogin>(AUTHENTICATE, bindings);
    if (login?.is_stale) await LoginModel.query().findById(login.id).patch({ last_used_at: now() });
    return login;
  }

  /**
   * Returns whether the login is active, and gives its user this role in the workspace.
   * @param workspaceId empty: a user without a workspace.
   */
  static async isLive(id: string, workspaceId: string, role: MemberRole | undefined): Promise<boolean> {
    const isMember = LoginModel.raw(
      `exists (
        select from memberships join workspaces on workspaces.id = workspace_id and workspaces.disabled_at is null
        where memberships.user_id = logins.user_id and workspace_id = ?
          and case when ${LACKS} is null then role end is not distinct from cast(? as text))`,
      [workspaceId, role ?? null],
    );
    const live = findLive().select('id').findById(id);
    return (await (workspaceId === '' ? live : live.where(isMember))) !== undefined;
  }

  /** Ends the user's other logins. */
  static async endOthers(user_id: string, keptId?: string): Promise<void> {
    const others = LoginModel.query().where({ user_id }).whereNull('ended_at').patch({ ended_at: now() });
    await (keptId === undefined ? others : others.whereNot({ id: keptId }));
  }

  static findOwned(userId: string, id: string) {
    return findLive().findOne({ id, user_id: userId });
  }

  static findOwnedPage(userId: string, page: PageRequest) {
    return findPage(findLive().where({ user_id: userId }), page);
  }

  /** Stores that the person proved their identity to this login. */
  static async prove(id: string, { isStrong }: { isStrong: boolean }): Promise<void> {
    await LoginModel.query()
      .findById(id)
      .patch({ proved_at: now(), ...(isStrong && { is_strong: true }) });
  }

  /** Ends an active login of the user. Returns false if there is none with this ID. */
  static async endOwned(userId: string, id: string): Promise<boolean> {
    return (await findLive().where({ id, user_id: userId }).patch({ ended_at: now() })) === 1;
  }

  /** Keeps the login that changed the password active. */
  static async adopt(id: string, credentials_version: number, trx: TransactionOrKnex): Promise<void> {
    await LoginModel.query(trx).findById(id).patch({ credentials_version });
  }
}

export interface AuthenticatedLogin extends Pick<LoginModel, 'id' | 'user_id' | 'kind' | 'is_strong' | 'method'> {
  /** null: the user is not a member of the workspace, or it is disabled. */
  workspace_id: string | null;
  role: MemberRole | null;
  /** The owner whose limits the workspace counts for; null: none. */
  owner_id: string | null;
  /** The policy of the workspace that the login does not satisfy. */
  lacks: SignInPolicy | null;
  /** The person proved their identity less than ten minutes ago. */
  is_proved: boolean;
  /** The last use was stored more than a minute ago. */
  is_stale: boolean;
}

/** The policy of the workspace that the login does not satisfy; null: none. */
const LACKS = `case
    when workspaces.sign_in = 'second_factor' and not logins.is_strong then 'second_factor'
    when workspaces.sign_in = 'sso' and logins.method <> 'sso' then 'sso' end`;

const AUTHENTICATE = `
  select logins.id, logins.user_id, logins.kind, logins.method, logins.is_strong, logins.last_used_at < now() - interval '1 minute' as is_stale,
    coalesce(logins.proved_at > now() - ${PROVED}, false) as is_proved, joined.workspace_id, joined.role,
    owner_of(joined.workspace_id) as owner_id,
    ${LACKS} as lacks
  from logins
  join users on users.id = logins.user_id and users.disabled_at is null
    and users.credentials_version = logins.credentials_version
  left join (memberships joined join workspaces on workspaces.id = joined.workspace_id and workspaces.disabled_at is null)
    on joined.user_id = users.id and joined.workspace_id = coalesce(cast(:workspaceId as text), users.default_workspace_id)
  where logins.secret_hash = :hash and logins.ended_at is null and logins.expires_at > now()
    and logins.last_used_at > now() - ${IDLE}`;

function findLive() {
  return LoginModel.query()
    .whereNull('ended_at')
    .where('expires_at', '>', LoginModel.fn.now())
    .where('last_used_at', '>', LoginModel.raw(`now() - ${IDLE}`))
    .whereRaw(hasPresentCredentials('logins'));
}
