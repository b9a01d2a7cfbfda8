import { Model } from 'objection';
import type { Opinion } from '../../contract/reviews/second-opinions.ts';
import type { FieldType } from '../../contract/values/constants.ts';

/** One row of `second_opinions`: what two people said about a session independently. */
export class SecondOpinionModel extends Model {
  static override tableName = 'second_opinions';
  static override idColumn = 'session_id';
  static override jsonAttributes = ['first', 'second', 'agreement'];
  declare session_id: string;
  declare workspace_id: string;
  /** The review when the second opinion was given. */
  declare first: Opinion;
  declare second: Opinion;
  /** From a random order of reviewed sessions. */
  declare sampled: boolean;
  /** The fields that both answered. */
  declare agreement: Record<string, { type: FieldType; same: boolean }>;
  declare differing: string[];
  declare decided_by: string | null;
}
