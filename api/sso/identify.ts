/**
 * Finds the user of a person at the provider. The subject identifies the user. A verified address only finds the account to
 * connect. docs/sign-in.md.
 */
import type { SsoError } from '../../contract/values/constants.ts';
import { InvitationModel } from '../../db/models/invitation.ts';
import { IdentityModel } from '../../db/models/identity.ts';
import { UserModel } from '../../db/models/user.ts';
import { notify } from '../mail/send.ts';
import type { ApiDeps } from '../deps.ts';
import { domainOf, verifiedEmailOf, type Claims } from './claims.ts';
import type { Given } from './memberships.ts';

type IdentifyDeps = Pick<ApiDeps, 'config' | 'mailer'>;

type Outcome =
  | { user: UserModel; isLinked: boolean }
  /**
   * The account exists. Its password must prove it if its address is not verified, or its second factor if the provider
   * reported none.
   */
  | { unproven: UserModel; needs: 'password' | 'code' }
  | { refused: SsoError };

export async function identify(deps: IdentifyDeps, claims: Claims, given: Given): Promise<Outcome> {
  if (!isAllowed(deps, claims)) return { refused: 'not_allowed' };
  const known = await IdentityModel.use(claims);
  const needsCode = (user: UserModel) => user.has_second_factor && !claims.isStrong;
  if (known?.disabled_at) return { refused: 'account_disabled' };
  if (known) return needsCode(known) ? { unproven: known, needs: 'code' } : { user: known, isLinked: false };
  const email = verifiedEmailOf(claims);
  if (email === undefined) return { refused: 'email_unverified' };
  const user = (await UserModel.findByEmail(email)) ?? (await createUser(deps, { email, claims, given }));
  if (!user) return { refused: 'no_account' };
  if (user.disabled_at) return { refused: 'account_disabled' };
  if (user.email_verified_at === null)
    return user.password_hash === null ? { refused: 'no_account' } : { unproven: user, needs: 'password' };
  if (needsCode(user)) return { unproven: user, needs: 'code' };
  return (await link(deps, user, claims)) ? { user, isLinked: true } : { refused: 'other_person' };
}

/**
 * Connects a person to the user with the same address, which this proves. Returns false if another user has the identity, or
 * the user's address changed meanwhile.
 */
export async function link(deps: IdentifyDeps, user: UserModel, claims: Claims): Promise<boolean> {
  if (verifiedEmailOf(claims)?.toLowerCase() !== user.email.toLowerCase()) return false;
  const isLinked = await IdentityModel.link(user.id, claims);
  if (!isLinked) return false;
  await UserModel.setEmail(user.id, user.email, { isVerified: true });
  notify(deps, user, 'Single sign-on was connected to your account.');
  return true;
}

/** Checked at each sign-in, so that a person who left the group stays out. */
function isAllowed({ config: { sso } }: IdentifyDeps, claims: Claims): boolean {
  const { allowedDomains = [], allowedGroups = [] } = sso ?? {};
  const isDomain = allowedDomains.length === 0 || allowedDomains.includes(domainOf(claims));
  return isDomain && (allowedGroups.length === 0 || allowedGroups.some((group) => claims.groups?.includes(group)));
}

const MAX_NAME = 200;

interface NewPerson {
  email: string;
  claims: Claims;
  given: Given;
}

/**
 * Creates an account without a password, if the operator allows it. It gets a workspace of its own, unless `JOIN` or, in an
 * installation with closed registration, an invitation names another one. Of concurrent sign-ins of one person, all get the same account.
 */
async function createUser(
  { config: { sso, budgets, registration } }: IdentifyDeps,
  { email, claims, given }: NewPerson,
) {
  if (!sso?.autoCreates && given.byDomain.size === 0) return undefined;
  // Where anybody can own a workspace, strangers can invite people and map groups: only the operator names the default one.
  const invitations = registration === 'open' ? [] : await InvitationModel.findOpenFor(email);
  const [workspace_id] = [...given.byDomain.keys(), ...invitations.map((row) => row.workspace_id)];
  const fields = {
    email,
    name: [...(claims.name ?? email).replaceAll('\u0000', '')].slice(0, MAX_NAME).join(''),
    password_hash: null,
    monthly_budget_usd: budgets.defaultUsd ?? budgets.maxUsd,
  };
  await UserModel.transaction(async (trx) => {
    const user =
      workspace_id === undefined
        ? await UserModel.register(fields, trx)
        : await UserModel.registerInvited({ ...fields, workspace_id }, trx);
    if (user) await UserModel.setEmail(user.id, email, { isVerified: true }, trx);
  });
  return UserModel.findByEmail(email);
}
