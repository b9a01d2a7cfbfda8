import { randomBytes } from 'node:crypto';
import { Model, type Transaction } from 'objection';
import type { LinkPurpose } from '../../contract/values/constants.ts';
import { hashSecret } from '../../runtime/secrets/hash-secret.ts';
import { inMs } from '../statements.ts';
import { hasPresentCredentials, type UserModel } from './user.ts';

const LIFETIME_MS = 3_600_000;

/** One row of `one_time_tokens`. The token in the link is not stored. */
export class OneTimeTokenModel extends Model {
  static override tableName = 'one_time_tokens';
  static override idColumn = 'token_hash';
  declare token_hash: Buffer;
  declare purpose: LinkPurpose;
  declare user_id: string;
  /** The address that received the link; null: the operator handed it out. */
  declare email: string | null;
  /** A password change voids the token. */
  declare credentials_version: number;
  declare expires_at: Date;

  /** Returns a new token, valid for an hour, and deletes the user's expired ones. */
  static async issue(
    purpose: LinkPurpose,
    { id: user_id, credentials_version }: UserModel,
    email: string | null,
  ): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await OneTimeTokenModel.query().delete().where({ user_id }).where('expires_at', '<', OneTimeTokenModel.fn.now());
    await OneTimeTokenModel.query().insert({
      token_hash: hashSecret(token),
      purpose,
      user_id,
      email,
      credentials_version,
      expires_at: inMs(LIFETIME_MS),
    });
    return token;
  }

  /** Deletes a valid token and returns its row. Of concurrent calls, one gets the row and the others undefined. */
  static async use(
    token: string,
    fields: { purpose: LinkPurpose; user_id?: string },
    trx: Transaction,
  ): Promise<OneTimeTokenModel | undefined> {
    const [used] = await OneTimeTokenModel.query(trx)
      .delete()
      .where({ token_hash: hashSecret(token), ...fields })
      .where('expires_at', '>', OneTimeTokenModel.fn.now())
      .whereRaw(hasPresentCredentials('one_time_tokens'))
      .returning('*');
    return used;
  }

  static async revokeAll(user_id: string, trx: Transaction): Promise<void> {
    await OneTimeTokenModel.query(trx).delete().where({ user_id });
  }
}
