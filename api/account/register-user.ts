import type { register } from '../../contract/account/account.ts';
import type { EndpointInput } from '../../contract/values/endpoint.ts';
import type { Config } from '../../runtime/settings/config.ts';
import { UserModel } from '../../db/models/user.ts';
import type { OpenInvitation } from '../../db/models/invitation.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal } from '../errors.ts';
import { findInvitation, join } from '../workspaces/invitations.ts';
import { notifyOwners } from '../workspaces/members.ts';
import { hashPassword } from '../guard/passwords.ts';

type Registration = EndpointInput<typeof register>['body'];

type NewUser = Omit<Registration, 'invitation'>;

type RegistrationConfig = Pick<Config, 'budgets' | 'passwordLogin' | 'quotas' | 'registration'>;

/**
 * Creates an account if the setting `REGISTRATION` allows it, or an invitation. Throws `registration_closed`, `email_taken`,
 * or the errors of the invitation.
 */
export async function registerUser(
  { config, mailer }: Pick<ApiDeps, 'mailer'> & { config: RegistrationConfig },
  { invitation, ...newUser }: Registration,
  address: string,
): Promise<UserModel> {
  const { passwordLogin, registration, budgets, quotas } = config;
  if (passwordLogin !== 'on') throw closed();
  if (invitation !== undefined) {
    const found = await findInvitation(invitation, newUser.email);
    const user = await registerInvited({ quotas }, found, { newUser, address });
    if (found.role === 'owner') await notifyOwners({ mailer }, found.workspace_id, user);
    return user;
  }
  if (registration === 'open') return addUser({ budgets }, newUser);
  // Checked first, because hashing a password is expensive.
  if (registration === 'closed' || (await UserModel.query().select('id').first())) throw closed();
  const user = await UserModel.registerFirst(await toRow({ budgets }, newUser));
  if (user === 'late') throw closed();
  return user;
}

/** Creates an account without a workspace of its own, which joins that of the invitation. */
async function registerInvited(
  { quotas }: Pick<Config, 'quotas'>,
  invitation: OpenInvitation,
  { newUser: { password, ...fields }, address }: { newUser: NewUser; address: string },
): Promise<UserModel> {
  const row = { ...fields, password_hash: await hashPassword(password), workspace_id: invitation.workspace_id };
  return UserModel.transaction(async (trx) => {
    const user = await UserModel.registerInvited(row, trx);
    if (!user) throw emailTaken();
    await join({ invitation, userId: user.id, max: quotas.members }, { address, actor_id: null }, trx);
    return user;
  });
}

/** Creates an account whatever the setting `REGISTRATION` is. Throws `email_taken`. */
export async function addUser(deps: Pick<Config, 'budgets'>, newUser: NewUser): Promise<UserModel> {
  const user = await UserModel.register(await toRow(deps, newUser));
  if (!user) throw emailTaken();
  return user;
}

async function toRow({ budgets: { defaultUsd, maxUsd } }: Pick<Config, 'budgets'>, { password, ...fields }: NewUser) {
  return { ...fields, monthly_budget_usd: defaultUsd ?? maxUsd, password_hash: await hashPassword(password) };
}

const emailTaken = () => refusal('email_taken:registration');

const closed = () => refusal('closed');
