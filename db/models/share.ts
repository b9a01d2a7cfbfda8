import { Model } from 'objection';
import type { MemberRole } from '../../contract/values/constants.ts';
import type { SharePart } from '../../contract/values/session-lists.ts';
import { hashSecret } from '../../runtime/secrets/hash-secret.ts';
import { findPage, whereGiven, type PageRequest } from '../page.ts';
import { insertWithin, WorkspaceModel } from './workspace.ts';

/** One row of `shares`: a link to one session or one batch. The token, which has 256 random bits, is not stored. */
export class ShareModel extends Model {
  static override tableName = 'shares';
  declare id: string;
  declare workspace_id: string;
  declare session_id: string | null;
  declare batch_id: string | null;
  /** ID of the user. */
  declare created_by: string;
  declare parts: SharePart[];
  declare token_hash: Buffer;
  declare created_at: Date;
  declare expires_at: Date;

  /** Returns undefined if the workspace has `max` links that have not expired. */
  static async create(
    { token, ...row }: Omit<ShareModel, keyof Model | 'token_hash' | 'created_at'> & { token: string },
    max: number,
  ): Promise<ShareModel | undefined> {
    const { workspace_id } = row;
    return ShareModel.transaction(async (trx) => {
      await WorkspaceModel.lock(workspace_id, trx);
      await ShareModel.query(trx).delete().where({ workspace_id }).whereRaw('expires_at <= now()');
      return insertWithin(trx, ShareModel, { ...row, token_hash: hashSecret(token) }, max);
    });
  }

  static findOwnedPage(
    workspace_id: string,
    filter: { session_id?: string | undefined; batch_id?: string | undefined },
    page: PageRequest,
  ) {
    return findPage(whereGiven(ShareModel.query(), { workspace_id, ...filter }).whereRaw('expires_at > now()'), page);
  }

  /** Finds a link that has not expired, with its creator, who is still a member of the workspace. */
  static findOpen(token: string) {
    return ShareModel.query()
      .select('shares.*', 'users.name as shared_by', 'memberships.role')
      .join('workspaces', 'workspaces.id', 'shares.workspace_id')
      .join('users', 'users.id', 'shares.created_by')
      .joinRaw(
        'join memberships on memberships.workspace_id = shares.workspace_id and memberships.user_id = shares.created_by',
      )
      .where({ token_hash: hashSecret(token) })
      .whereRaw('shares.expires_at > now() and workspaces.disabled_at is null and users.disabled_at is null')
      .first()
      .castTo<OpenShare | undefined>();
  }
}

export type OpenShare = ShareModel & { shared_by: string; role: MemberRole };
