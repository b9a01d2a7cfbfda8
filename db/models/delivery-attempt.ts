import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { runPrepared } from '../prepared.ts';
import type { DeliveryFailure, DeliveryStatus } from '../../contract/constants.ts';

/** One row of `delivery_attempts`, written before the POST and again when it ends. */
export class DeliveryAttemptModel extends Model {
  static override tableName = 'delivery_attempts';
  static override idColumn = ['delivery_id', 'attempt'];
  static override jsonAttributes = ['request_headers', 'response_headers'];
  declare delivery_id: string;
  declare attempt: number;
  declare started_at: Date;
  declare duration_ms: number | null;
  /** null while the attempt runs, or after its worker died and until somebody notices. */
  declare outcome: 'succeeded' | 'failed' | null;
  declare failure: DeliveryFailure | null;
  declare status_code: number | null;
  declare url: string;
  /** The headers as they were sent, with secrets masked. */
  declare request_headers: Record<string, string>;
  declare response_headers: Record<string, string> | null;
  declare response_body: string | null;
  declare response_truncated: boolean;
  declare next_attempt_at: Date | null;

  /** Writes the attempt's row before the POST. Returns false if the attempt was begun before. */
  static async open(
    fields: Pick<DeliveryAttemptModel, 'delivery_id' | 'attempt' | 'url' | 'request_headers'>,
  ): Promise<boolean> {
    // Knex tells whether a row was inserted; Objection returns its own input in either case.
    const rows = await DeliveryAttemptModel.knex()
      .table(DeliveryAttemptModel.tableName)
      .insert({ ...fields, request_headers: JSON.stringify(fields.request_headers) })
      .onConflict(['delivery_id', 'attempt'])
      .ignore()
      .returning('attempt');
    return rows.length === 1;
  }

  static countEnded(delivery_id: string): Promise<number> {
    return DeliveryAttemptModel.query().where({ delivery_id }).whereNotNull('outcome').resultSize();
  }

  /**
   * Stores an attempt's end together with its delivery's state after it, for which the next attempt is due `delayMs`
   * from now if there is one. Returns the state that counts: a delivery that was stopped while the attempt was under way
   * stays stopped, unless the receiver took it. An attempt that had ended before keeps its end.
   */
  static async end(
    ended: AttemptEnd,
    status: DeliveryStatus,
    delayMs: number,
  ): Promise<{ isFirst: boolean; status: DeliveryStatus }> {
    const [stored] = await runPrepared<{ is_first: boolean; status: DeliveryStatus }>(
      'select * from end_delivery_attempt(?, ?, ?)',
      [JSON.stringify(ended), status, delayMs],
    );
    return { isFirst: stored?.is_first === true, status: stored?.status ?? status };
  }

  /** Ends an attempt and leaves its delivery as it is; false if it had ended before: then nothing changes. */
  static async close(
    delivery_id: string,
    attempt: number,
    end: Pick<DeliveryAttemptModel, 'failure' | 'next_attempt_at'> & Partial<DeliveryAttemptModel>,
    trx?: TransactionOrKnex,
  ): Promise<boolean> {
    const count = await DeliveryAttemptModel.query(trx)
      .patch({ ...end, outcome: end.failure === null ? 'succeeded' : 'failed' })
      .where({ delivery_id, attempt })
      .whereNull('outcome');
    return count === 1;
  }
}

/** How an attempt ended; what is left out is null. */
type AttemptEnd = Pick<DeliveryAttemptModel, 'delivery_id' | 'attempt' | 'failure' | 'status_code'> &
  Partial<Pick<DeliveryAttemptModel, 'duration_ms' | 'response_headers' | 'response_body' | 'response_truncated'>>;
