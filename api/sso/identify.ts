/** Finds the user of a person at the provider: by subject, and an address only finds whom to ask. docs/sign-in.md. */
import { email as emailSchema } from '../../contract/account.ts';
import type { SsoError } from '../../contract/sso.ts';
import { IdentityModel } from '../../db/models/identity.ts';
import { UserModel } from '../../db/models/user.ts';
import { notify } from '../account/recovery.ts';
import type { ApiDeps } from '../deps.ts';
import type { Claims } from './provider.ts';

type Deps = Pick<ApiDeps, 'config' | 'mailer'>;

type Outcome =
  | { user: UserModel; isLinked: boolean }
  /** The account exists, and its address is not verified: its password must prove it. */
  | { unproven: UserModel }
  | { refused: SsoError };

export async function identify(deps: Deps, claims: Claims): Promise<Outcome> {
  if (!isAllowed(deps, claims)) return { refused: 'not_allowed' };
  const known = await IdentityModel.use(claims);
  if (known) return known.disabled_at ? { refused: 'account_disabled' } : { user: known, isLinked: false };
  const email = verifiedEmailOf(claims);
  if (email === undefined) return { refused: 'email_unverified' };
  const user = (await UserModel.findByEmail(email)) ?? (await createUser(deps, email, claims));
  if (!user) return { refused: 'no_account' };
  if (user.disabled_at) return { refused: 'account_disabled' };
  if (user.email_verified_at === null)
    return user.password_hash === null ? { refused: 'no_account' } : { unproven: user };
  return (await link(deps, user, claims)) ? { user, isLinked: true } : { refused: 'other_person' };
}

/**
 * Connects a person to the user with the same address, which this proves. Returns false if another user has the identity, or
 * the user's address changed meanwhile.
 */
export async function link(deps: Deps, user: UserModel, claims: Claims): Promise<boolean> {
  if (verifiedEmailOf(claims)?.toLowerCase() !== user.email.toLowerCase()) return false;
  const isLinked = await IdentityModel.link(user.id, claims);
  if (!isLinked) return false;
  await UserModel.setEmail(user.id, user.email, { isVerified: true });
  notify(deps, user, 'Single sign-on was connected to your account.');
  return true;
}

/** Returns the address if the provider verified it. */
const verifiedEmailOf = ({ email, isEmailVerified }: Claims): string | undefined =>
  isEmailVerified ? emailSchema().safeParse(email).data : undefined;

/** Checked at each sign-in, so that a person who left the group stays out. */
function isAllowed({ config: { sso } }: Deps, claims: Claims): boolean {
  const { allowedDomains = [], allowedGroups = [] } = sso ?? {};
  const domain = verifiedEmailOf(claims)?.split('@')[1]?.toLowerCase() ?? '';
  const isDomain = allowedDomains.length === 0 || allowedDomains.includes(domain);
  return isDomain && (allowedGroups.length === 0 || allowedGroups.some((group) => claims.groups?.includes(group)));
}

const MAX_NAME = 200;

/** Creates an account without a password. Of concurrent sign-ins of one person, all get the same. */
async function createUser({ config: { sso, budgets } }: Deps, email: string, { name }: Claims) {
  if (!sso?.autoCreates) return undefined;
  const fields = {
    email,
    name: [...(name ?? email).replaceAll('\u0000', '')].slice(0, MAX_NAME).join(''),
    password_hash: null,
    monthly_budget_usd: budgets.defaultUsd ?? budgets.maxUsd,
  };
  await UserModel.transaction(async (trx) => {
    const user = await UserModel.register(fields, trx);
    if (user) await UserModel.setEmail(user.id, email, { isVerified: true }, trx);
  });
  return UserModel.findByEmail(email);
}
