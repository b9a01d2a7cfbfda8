/** Resets passwords and proves email addresses with links. docs/decisions.md, "Recovery". */
import type { TransactionOrKnex } from 'objection';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { IdentityModel } from '../../db/models/identity.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import { OneTimeTokenModel } from '../../db/models/one-time-token.ts';
import { UserModel } from '../../db/models/user.ts';
import { invalidAt, refusal } from '../errors.ts';
import { addWorkspace } from '../workspaces/members.ts';
import type { MailDeps } from '../deps.ts';
import { notify, requireMailer } from '../mail/send.ts';
import { confirmText, linkTo, resetText } from '../mail/messages.ts';
import { hashPassword, passwordChanged } from '../guard/passwords.ts';

/** Mails a link if the account exists. Its caller does not wait, so the time of the response reveals no account. */
export async function mailResetLink(
  deps: MailDeps,
  { email, address }: { email: string; address: string },
): Promise<void> {
  const { mailer, publicUrl } = requireMailer(deps);
  const user = await UserModel.findByEmail(email);
  if (!user || user.disabled_at) return;
  await deps.mailLimits.takeReset(email);
  const token = await OneTimeTokenModel.issue('reset', user, user.email);
  await AuditEventModel.recordOwn(user, { action: 'password_reset_asked', address });
  await mailer.send({ to: user.email, ...resetText(linkTo('reset', publicUrl, token)) });
}

/**
 * Sets a new password, which ends all logins. If the link was the first proof of the address, a stranger may have registered it:
 * the link also revokes API tokens and connected single sign-ons, and requests use a new workspace by default.
 */
export async function resetPassword(
  deps: MailDeps,
  { token, new_password, address }: { token: string; new_password: string; address: string },
): Promise<void> {
  const password_hash = await hashPassword(new_password, 'new_password');
  let isFirstProof = false;
  const changed = await UserModel.transaction(async (trx) => {
    const used = await OneTimeTokenModel.use(token, { purpose: 'reset' }, trx);
    if (!used) throw badLink();
    const user = await UserModel.query(trx).findById(used.user_id).throwIfNotFound();
    isFirstProof = used.email !== null && user.email_verified_at === null;
    if (isFirstProof) {
      await UserModel.setEmail(user.id, user.email, { isVerified: true }, trx);
      await ApiKeyModel.revokeCreatedBy(user.id, trx);
      await IdentityModel.query(trx).delete().where({ user_id: user.id });
      await startClean(deps, user, trx);
    }
    const result = await UserModel.setPassword(user, password_hash, trx);
    if (!result) throw passwordChanged();
    return result;
  });
  await AuditEventModel.recordOwn(changed, { action: 'password_reset_done', address });
  const clean = isFirstProof ? ' Requests use a new workspace. Check the members of your other workspaces.' : '';
  notify(deps, changed, `The password of your account was reset.${clean}`);
}

/**
 * Makes a new workspace the default one, because a stranger may have added members, invitations or webhooks to the former ones.
 * Users who own no workspace get none while registration is not open.
 */
async function startClean(
  { config }: MailDeps,
  { id: user_id, name }: UserModel,
  trx: TransactionOrKnex,
): Promise<void> {
  const isOwner = await MembershipModel.query(trx).findOne({ user_id, role: 'owner' });
  if (!isOwner && config.registration !== 'open') return;
  const default_workspace_id = await addWorkspace(config, { user_id, name }, trx);
  await UserModel.query(trx).findById(user_id).patch({ default_workspace_id });
}

/** Mails a link that proves the address. Throws `mail_unavailable`, `rate_limited`, or `conflict` if a change needs a verified address. */
export async function mailEmailLink(
  deps: MailDeps,
  user: UserModel,
  { email, address }: { email: string; address: string },
): Promise<void> {
  const { mailer, publicUrl } = requireMailer(deps);
  const isOwn = email.toLowerCase() === user.email.toLowerCase();
  // Otherwise, accounts that anybody registers could write to strangers.
  if (!isOwn && user.email_verified_at === null) throw refusal('email_unverified:present');
  await deps.mailLimits.takeLink({ userId: user.id, address }, isOwn ? undefined : email);
  const token = await OneTimeTokenModel.issue('email', user, email);
  void mailer.send({ to: email, ...confirmText(linkTo('email', publicUrl, token)) });
}

/** Gives the user the address of the link, proven. Voids all other links, which the former address may have received. */
export async function confirmEmail(deps: MailDeps, userId: string, token: string): Promise<UserModel> {
  const former = await UserModel.query().findById(userId).throwIfNotFound();
  await UserModel.transaction(async (trx) => {
    const used = await OneTimeTokenModel.use(token, { purpose: 'email', user_id: userId }, trx);
    if (used?.email == null) throw badLink();
    const isSet = await UserModel.setEmail(userId, used.email, { isVerified: true }, trx);
    if (!isSet) throw refusal('email_taken:change');
    await OneTimeTokenModel.revokeAll(userId, trx);
  });
  const user = await UserModel.withDetails().findById(userId).throwIfNotFound();
  if (user.email !== former.email) notify(deps, former, 'The email address of your account was changed.');
  return user;
}

const badLink = () => invalidAt('token', 'bad_link');
