import { randomBytes } from 'node:crypto';
import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import * as contract from '../../contract/account/invitations.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { InvitationModel, type OpenInvitation } from '../../db/models/invitation.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import { UserModel } from '../../db/models/user.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import type { ApiDeps, MailDeps } from '../deps.ts';
import { invitationText, linkTo } from '../mail/messages.ts';
import { requireMailer } from '../mail/send.ts';
import { ApiError, requireFound, refusal } from '../errors.ts';
import { requireScope } from '../guard/authenticate.ts';
import { DEFAULT_PAGE, handle, presentPage, presentRow } from '../http/handle.ts';
import { notifyOwners } from './members.ts';
import { readWorkspace } from './present.ts';

export const invitationRoutes = (deps: MailDeps, { quotas } = deps.config) => [
  handle(contract.createInvitation, async ({ body: { email, role }, workspaceId, userId, ...caller }) => {
    if (role === 'owner') requireScope(caller, 'workspace:own', 'an owner');
    const inviter = await UserModel.query().findById(userId).throwIfNotFound();
    if (deps.mailer && inviter.email_verified_at === null) throw refusal('email_unverified');
    const token = randomBytes(32).toString('base64url');
    const ids = { id: typeid('inv').toString(), workspace_id: workspaceId, invited_by: userId };
    const invitation = await InvitationModel.create({ ...ids, email, role, token }, quotas.invitations);
    if (!invitation) throw refusal('invitations_limit', { max: quotas.invitations });
    return {
      ...presentInvitation(invitation),
      token,
      url: deps.config.publicUrl === undefined ? null : linkTo('invitation', deps.config.publicUrl, token),
      mailed: await mailLink(deps, { inviter, address: caller.address }, { email, token }),
    };
  }),

  handle(contract.listInvitations, async ({ query: { limit = DEFAULT_PAGE, cursor }, workspaceId }) =>
    presentPage(await InvitationModel.findOwnedPage(workspaceId, { limit, cursor }), presentInvitation),
  ),

  handle(contract.revokeInvitation, async ({ params, workspaceId }) => {
    const key = { id: params.invitation_id, workspace_id: workspaceId };
    requireFound((await InvitationModel.query().delete().where(key)) === 1, 'invitation');
  }),

  handle(contract.previewInvitation, async ({ body }) => {
    const { email, role, expires_at, workspace_name, invited_by_name } = await findInvitation(body.token);
    return { email, role, expires_at: expires_at.toISOString(), workspace_name, invited_by_name };
  }),

  handle(contract.acceptInvitation, async ({ body, userId, login, address }) => {
    const user = await UserModel.query().findById(userId).throwIfNotFound();
    const invitation = await findInvitation(body.token, user.email);
    await accept(deps, { invitation, user, address, actor_id: login?.id ?? null });
    return readWorkspace(userId, invitation.workspace_id);
  }),
];

/**
 * Mails the link if the installation sends emails, and the limits of emails allow it.
 * Returns whether it does.
 */
async function mailLink(
  deps: MailDeps,
  { inviter, address }: { inviter: UserModel; address: string },
  { email, token }: { email: string; token: string },
): Promise<boolean> {
  if (!deps.mailer) return false;
  try {
    const { mailer, publicUrl } = requireMailer(deps);
    await deps.mailLimits.takeInvitation({ userId: inviter.id, address }, email);
    void mailer.send({ to: email, ...invitationText(inviter.email, linkTo('invitation', publicUrl, token)) });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/**
 * Returns an open invitation, or throws one error for unknown, accepted, revoked and expired ones.
 * @param email of the user who wants to accept it. Throws `conflict` if the invitation is for another address.
 */
export async function findInvitation(token: string, email?: string): Promise<OpenInvitation> {
  const invitation = (await InvitationModel.findOpen(token)) as OpenInvitation | undefined;
  if (!invitation) throw gone();
  if (email === undefined || email.toLowerCase() === invitation.email.toLowerCase()) return invitation;
  throw refusal('other_invitee', { email: invitation.email, own: email });
}

interface Acceptance {
  invitation: OpenInvitation;
  user: UserModel;
  address: string;
  actor_id: string | null;
}

async function accept(
  deps: Pick<ApiDeps, 'config' | 'mailer'>,
  { invitation, user, ...origin }: Acceptance,
): Promise<void> {
  await UserModel.transaction(async (trx) => {
    await UserModel.query(trx).select('id').findById(user.id).forNoKeyUpdate();
    await join({ invitation, userId: user.id, max: deps.config.quotas.members }, origin, trx);
  });
  if (invitation.role === 'owner') await notifyOwners(deps, invitation.workspace_id, user);
}

/** Accepts all invitations of a person whose address the provider of single sign-on verified. Returns the joined workspaces. */
export async function acceptAll(
  deps: Pick<ApiDeps, 'config' | 'log' | 'mailer'>,
  user: UserModel,
  address: string,
): Promise<string[]> {
  const joined: string[] = [];
  for (const invitation of await InvitationModel.findOpenFor(user.email)) {
    try {
      await accept(deps, { invitation, user, address, actor_id: null });
      joined.push(invitation.workspace_id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      deps.log.warn({ workspace_id: invitation.workspace_id, code: error.code }, 'could not accept an invitation');
    }
  }
  return joined;
}

interface Joining {
  invitation: OpenInvitation;
  userId: string;
  /** Members of a workspace. */
  max: number;
}

/** Makes the user a member, with the role of the invitation. Of concurrent calls, one succeeds. */
export async function join(
  { invitation: { id, workspace_id, role }, userId: user_id, max }: Joining,
  origin: { address: string; actor_id: string | null },
  trx: TransactionOrKnex,
): Promise<void> {
  await WorkspaceModel.lock(workspace_id, trx);
  if (!(await InvitationModel.take(id, trx))) throw gone();
  const isAdded = await MembershipModel.add({ workspace_id, user_id, role }, max, trx);
  if (!isAdded) throw refusal('members_limit', { max });
  const joined = { action: 'member_joined', object_id: user_id, details: { role, invitation_id: id } } as const;
  await AuditEventModel.record({ workspace_id, actor_user_id: user_id, ...origin, ...joined }, trx);
}

const gone = () => refusal('invitation_ended');

const presentInvitation = (row: InvitationModel) =>
  presentRow(contract.InvitationSchema, { ...row, invitation_id: row.id });
