import { Model } from 'objection';

/** One row of `session_originals`: what was replaced in a redacted conversation. */
export class SessionOriginalsModel extends Model {
  static override tableName = 'session_originals';
  /** The session's ID. */
  declare id: string;
  /** Encrypted for this row by `runtime/secrets/secrets.ts`. */
  declare originals: string;
}
