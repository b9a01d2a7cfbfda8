import { Model, type TransactionOrKnex } from 'objection';
import type { MemberRole } from '../../contract/values/constants.ts';
import { hashSecret } from '../../runtime/secrets/hash-secret.ts';
import { inMs } from '../statements.ts';
import { findPage, type PageRequest } from '../page.ts';
import { insertWithin, WorkspaceModel } from './workspace.ts';

const LIFETIME_MS = 7 * 24 * 3_600_000;

/** One row of `invitations`. The token, which has 256 random bits, is not stored. */
export class InvitationModel extends Model {
  static override tableName = 'invitations';
  declare id: string;
  declare workspace_id: string;
  /** Only a user with this address can accept the invitation. */
  declare email: string;
  declare role: MemberRole;
  declare token_hash: Buffer;
  declare invited_by: string;
  declare created_at: Date;
  declare expires_at: Date;

  /** Replaces the invitation of the address. Returns undefined if the workspace has `max` open ones. */
  static async create(
    {
      token,
      ...row
    }: Pick<InvitationModel, 'id' | 'workspace_id' | 'email' | 'role' | 'invited_by'> & { token: string },
    max: number,
  ): Promise<InvitationModel | undefined> {
    const { workspace_id, email } = row;
    return InvitationModel.transaction(async (trx) => {
      await WorkspaceModel.lock(workspace_id, trx);
      await InvitationModel.query(trx)
        .delete()
        .where({ workspace_id })
        .whereRaw('(lower(email) = lower(?) or expires_at <= now())', [email]);
      const stored = { ...row, token_hash: hashSecret(token), expires_at: inMs(LIFETIME_MS) };
      return insertWithin(trx, InvitationModel, stored, max);
    });
  }

  static findOwnedPage(workspace_id: string, page: PageRequest) {
    const open = InvitationModel.query().where({ workspace_id }).where('expires_at', '>', InvitationModel.fn.now());
    return findPage(open, page);
  }

  /** Finds an invitation that has not expired, with the names of the workspace and the inviter. */
  static findOpen(token: string) {
    return InvitationModel.selectOpen().findOne({ token_hash: hashSecret(token) });
  }

  static findOpenFor(email: string) {
    return InvitationModel.selectOpen()
      .whereRaw('lower(invitations.email) = lower(?)', email)
      .orderBy('invitations.workspace_id');
  }

  private static selectOpen() {
    return InvitationModel.query()
      .select('invitations.*', 'workspaces.name as workspace_name', 'users.name as invited_by_name')
      .join('workspaces', 'workspaces.id', 'invitations.workspace_id')
      .join('users', 'users.id', 'invitations.invited_by')
      .where('expires_at', '>', InvitationModel.fn.now())
      .whereNull('workspaces.disabled_at')
      .castTo<OpenInvitation[]>();
  }

  /** Removes an invitation that a user accepts. Returns false if another request did so. */
  static async take(id: string, trx: TransactionOrKnex): Promise<boolean> {
    return (await InvitationModel.query(trx).deleteById(id)) === 1;
  }
}

export type OpenInvitation = InvitationModel & { workspace_name: string; invited_by_name: string };
