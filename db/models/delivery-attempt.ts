import { Model } from 'objection';
import { runPrepared } from '../statements.ts';
import type { ATTEMPT_OUTCOMES, DeliveryFailure, DeliveryStatus } from '../../contract/values/constants.ts';

/** One row of `delivery_attempts`, inserted before the POST and updated after it. */
export class DeliveryAttemptModel extends Model {
  static override tableName = 'delivery_attempts';
  static override idColumn = ['delivery_id', 'attempt'];
  static override jsonAttributes = ['request_headers', 'response_headers'];
  declare delivery_id: string;
  declare attempt: number;
  declare started_at: Date;
  declare duration_ms: number | null;
  /** null while the attempt runs, or after its worker died until this is detected. */
  declare outcome: (typeof ATTEMPT_OUTCOMES)[number] | null;
  declare failure: DeliveryFailure | null;
  /** Code of the error: the parser's, of TLS or of the system. */
  declare failure_code: string | null;
  declare status_code: number | null;
  declare url: string;
  /** The sent headers, with masked secrets. */
  declare request_headers: Record<string, string>;
  declare response_headers: Record<string, string> | null;
  declare response_body: string | null;
  declare response_truncated: boolean;
  declare next_attempt_at: Date | null;

  /** Inserts the attempt's row before the POST. Returns false if it exists. */
  static async open(
    fields: Pick<DeliveryAttemptModel, 'delivery_id' | 'attempt' | 'url' | 'request_headers'>,
  ): Promise<boolean> {
    const rows = await runPrepared(
      `insert into delivery_attempts (delivery_id, attempt, url, request_headers)
       values (:delivery_id, :attempt, :url, :request_headers) on conflict do nothing returning attempt`,
      { ...fields, request_headers: JSON.stringify(fields.request_headers) },
    );
    return rows.length === 1;
  }

  static countEnded(delivery_id: string): Promise<number> {
    return DeliveryAttemptModel.query().where({ delivery_id }).whereNotNull('outcome').resultSize();
  }

  /**
   * Stores the end of an attempt and the delivery's new status; a pending delivery is due in `delayMs`. Returns the resulting
   * status: a delivery that was stopped during the attempt remains stopped, unless it succeeded. An attempt that had ended
   * keeps its end.
   */
  static async end(
    ended: AttemptEnd,
    status: DeliveryStatus,
    delayMs: number,
  ): Promise<{ isFirst: boolean; status: DeliveryStatus }> {
    const [stored] = await runPrepared<{ is_first: boolean; status: DeliveryStatus }>(END, {
      ended: JSON.stringify(ended),
      id: ended.delivery_id,
      attempt: ended.attempt,
      status,
      delayMs: status === 'pending' ? delayMs : null,
    });
    return { isFirst: stored?.is_first === true, status: stored?.status ?? status };
  }

  /** Ends an attempt without changing its delivery. Returns false, and changes nothing, if it had ended. */
  static async close(
    delivery_id: string,
    attempt: number,
    end: Pick<DeliveryAttemptModel, 'failure' | 'next_attempt_at'> & Partial<DeliveryAttemptModel>,
  ): Promise<boolean> {
    const count = await DeliveryAttemptModel.query()
      .patch({ ...end, outcome: end.failure === null ? 'succeeded' : 'failed' })
      .where({ delivery_id, attempt })
      .whereNull('outcome');
    return count === 1;
  }
}

/** How an attempt ended. Omitted columns are null. */
export type AttemptEnd = Pick<DeliveryAttemptModel, 'delivery_id' | 'attempt' | 'failure' | 'status_code'> &
  Partial<
    Pick<
      DeliveryAttemptModel,
      'failure_code' | 'duration_ms' | 'response_headers' | 'response_body' | 'response_truncated'
    >
  >;

/** null if the delay is null. */
const NEXT_AT = "now() + cast(:delayMs as float8) * interval '1 millisecond'";

const END = `
  with made as (
    update delivery_attempts made set outcome = case when given.failure is null then 'succeeded' else 'failed' end,
      failure = given.failure, failure_code = given.failure_code, status_code = given.status_code, duration_ms = given.duration_ms,
      response_headers = given.response_headers, response_body = given.response_body,
      response_truncated = coalesce(given.response_truncated, false), next_attempt_at = ${NEXT_AT}
    from json_populate_record(cast(null as delivery_attempts), cast(:ended as json)) given
    where made.delivery_id = :id and made.attempt = :attempt and made.outcome is null returning made.attempt),
  changed as (
    update deliveries set status = :status, next_attempt_at = ${NEXT_AT}, stop_reason = null,
      ended_at = case when status = 'stopped' then ended_at when :status <> 'pending' then now() end
    where id = :id and (status = 'pending' or status = 'stopped' and :status = 'delivered') returning status)
  select exists (select from made) as is_first,
    coalesce((select status from changed), (select status from deliveries where id = :id), 'stopped') as status`;
