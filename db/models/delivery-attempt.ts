import { Model } from 'objection';
import type { DeliveryFailure } from '../../contract/constants.ts';

/** One row of `delivery_attempts`, written before the POST and again when it ends. */
export class DeliveryAttemptModel extends Model {
  static override tableName = 'delivery_attempts';
  static override idColumn = ['delivery_id', 'attempt'];
  static override jsonAttributes = ['request_headers', 'response_headers'];
  declare delivery_id: string;
  declare attempt: number;
  declare started_at: Date;
  declare duration_ms: number | null;
  /** null: it runs, or its worker died and nobody has seen it yet. */
  declare outcome: 'succeeded' | 'failed' | null;
  declare failure: DeliveryFailure | null;
  declare status_code: number | null;
  declare url: string;
  /** As sent, secrets masked. */
  declare request_headers: Record<string, string>;
  declare response_headers: Record<string, string> | null;
  declare response_body: string | null;
  declare response_truncated: boolean;
  declare next_attempt_at: Date | null;
}
