import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { DeliveryStatus, StopReason, WebhookEvent } from '../../contract/constants.ts';
import { AssistantModel } from './assistant.ts';
import { DeliveryAttemptModel } from './delivery-attempt.ts';

/** One row of `deliveries`: an event on its way to a webhook, with the bytes that every attempt sends. */
export class DeliveryModel extends Model {
  static override tableName = 'deliveries';
  declare id: string;
  declare user_id: string;
  declare session_id: string;
  declare assistant_id: string;
  declare event: WebhookEvent;
  declare payload: string;
  declare status: DeliveryStatus;
  declare stop_reason: StopReason | null;
  declare next_attempt_at: Date | null;
  declare created_at: Date;
  declare finished_at: Date | null;
  declare attempts?: DeliveryAttemptModel[];
  /** null: it is deleted. */
  declare assistant?: AssistantModel | null;

  static override relationMappings = () => ({
    attempts: {
      relation: Model.HasManyRelation,
      modelClass: DeliveryAttemptModel,
      join: { from: 'deliveries.id', to: 'delivery_attempts.delivery_id' },
      modify: (query: { orderBy(column: string): unknown }) => query.orderBy('attempt'),
    },
    assistant: {
      relation: Model.BelongsToOneRelation,
      modelClass: AssistantModel,
      join: { from: 'deliveries.assistant_id', to: 'assistants.id' },
    },
  });

  /** Gives the new delivery's id. */
  static async create(
    fields: Pick<DeliveryModel, 'user_id' | 'session_id' | 'assistant_id' | 'event' | 'payload'>,
    trx?: TransactionOrKnex,
  ): Promise<string> {
    const id = typeid('dlv').toString();
    await DeliveryModel.query(trx).insert({ id, ...fields, next_attempt_at: new Date() });
    return id;
  }

  static findOwned(userId: string, id: string) {
    return DeliveryModel.query().findOne({ id, user_id: userId }).withGraphFetched('attempts');
  }

  static findOfSession(userId: string, sessionId: string) {
    return DeliveryModel.query()
      .where({ user_id: userId, session_id: sessionId })
      .orderBy('id', 'desc')
      .withGraphFetched('attempts');
  }

  /** The latest delivery of each session that has one. */
  static async findLatest(sessionIds: readonly string[]): Promise<Map<string, DeliveryModel>> {
    const rows = await DeliveryModel.query()
      .distinctOn('session_id')
      .whereIn('session_id', [...sessionIds])
      .orderBy('session_id')
      .orderBy('id', 'desc');
    return new Map(rows.map((row) => [row.session_id, row]));
  }

  /** Changes a delivery that is still pending; one that was stopped or has ended stays as it is. */
  static patchPending(
    id: string,
    fields: { status?: DeliveryStatus; stop_reason?: StopReason; next_attempt_at: Date | null },
    trx?: TransactionOrKnex,
  ) {
    const hasEnded = fields.status !== undefined && fields.status !== 'pending';
    return DeliveryModel.query(trx)
      .patch({ ...fields, ...(hasEnded && { finished_at: new Date() }) })
      .where({ id, status: 'pending' });
  }
}
