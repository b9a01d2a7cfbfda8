/** What `npm run user` does for people who can't recover their account by email. */
import type { AuditAction } from '../../contract/values/constants.ts';
import { email as emailSchema } from '../../contract/account/account.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { IdentityModel } from '../../db/models/identity.ts';
import { LoginModel } from '../../db/models/login.ts';
import { OneTimeTokenModel } from '../../db/models/one-time-token.ts';
import { SecondFactorModel } from '../../db/models/second-factor.ts';
import { UserModel } from '../../db/models/user.ts';
import { StartError } from '../../runtime/process/process.ts';
import type { ApiDeps } from '../deps.ts';
import { linkTo } from '../mail/messages.ts';
import { notify } from '../mail/send.ts';

export type OperatorDeps = Pick<ApiDeps, 'config' | 'mailer'>;

/** Returns a link with which the person sets a new password. The operator hands it out, so it verifies no address. */
export async function createResetLink(email: string, publicUrl: string | undefined): Promise<string> {
  const user = await findAccount(email);
  const token = await OneTimeTokenModel.issue('reset', user, null);
  await record(user, 'password_reset_asked');
  return linkTo('reset', publicUrl ?? '<the origin of your console>', token);
}

/** Marks the address of an account as verified. */
export async function verifyEmail(email: string): Promise<string> {
  const user = await findAccount(email);
  await UserModel.setEmail(user.id, user.email, { isVerified: true });
  await record(user, 'email_confirmed');
  return `Verified the address of ${user.id}.`;
}

/**
 * Changes the address of an account, without verifying it, and revokes all of its links, which the former address may have received.
 * Throws a StartError if the address is invalid or taken. Returns a line for the operator, as the functions below do.
 */
export async function changeEmail(deps: OperatorDeps, email = '', newEmail = ''): Promise<string> {
  const user = await findAccount(email);
  if (!emailSchema().safeParse(newEmail).success) throw new StartError(`${newEmail} is not an email address.`);
  await UserModel.transaction(async (trx) => {
    const isSet = await UserModel.setEmail(user.id, newEmail, { isVerified: false }, trx);
    if (!isSet) throw new StartError('Another account has this email address.');
    await OneTimeTokenModel.revokeAll(user.id, trx);
  });
  await record(user, 'email_changed');
  notify(deps, user, 'The operator of this installation changed the email address of your account.');
  return `Changed the address of ${user.id}.`;
}

/** Turns off the second factor of a person who lost the authenticator app and the recovery codes, and ends their logins. */
export async function removeSecondFactor(deps: OperatorDeps, email = ''): Promise<string> {
  const user = await findAccount(email);
  if (!(await SecondFactorModel.remove(user.id))) throw new StartError('This account has no second factor.');
  await LoginModel.endOthers(user.id);
  await record(user, 'second_factor_off');
  notify(deps, user, 'The operator of this installation turned off the second factor of your account.');
  return `Turned off the second factor of ${user.id}.`;
}

/** Connects the account of a person to their subject at the provider of single sign-on, and ends their logins. */
export async function linkSubject(deps: OperatorDeps, email = '', subject = ''): Promise<string> {
  const { sso } = deps.config;
  if (!sso) throw new StartError('Set OIDC_ISSUER first.');
  const user = await findAccount(email);
  if (!(await IdentityModel.link(user.id, { issuer: sso.issuer, subject, email: null }))) {
    throw new StartError('Another account has this subject.');
  }
  await LoginModel.endOthers(user.id);
  await record(user, 'identity_linked');
  notify(deps, user, 'The operator of this installation connected a single sign-on to your account.');
  return `Connected ${subject} to ${user.id}.`;
}

/** Returns the account with this address. Throws a StartError if there is none. */
export async function findAccount(email: string): Promise<UserModel> {
  const user = await UserModel.findByEmail(email);
  if (!user) throw new StartError('There is no account with this email address.');
  return user;
}

/** Records what the operator did. */
export const record = ({ id: user_id }: UserModel, action: AuditAction, details: Record<string, string> = {}) =>
  AuditEventModel.record({ user_id, action, details });
