import { Model, type TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { AuditAction } from '../../contract/values/constants.ts';
import { findPage, selectPage, whereGiven, type CreatedFilter, type PageRequest } from '../page.ts';
import { deleteInSteps } from '../statements.ts';

type NewAuditEvent = Pick<AuditEventModel, 'action'> &
  Partial<
    Pick<
      AuditEventModel,
      'workspace_id' | 'user_id' | 'actor_id' | 'actor_user_id' | 'address' | 'object_id' | 'details'
    >
  >;

/** One row of `audit_events`. A trigger prevents changes. */
export class AuditEventModel extends Model {
  static override tableName = 'audit_events';
  static override jsonAttributes = ['details'];
  declare id: string;
  /** null: an event of an account. */
  declare workspace_id: string | null;
  /** The user whose account it is; null: an event of a workspace, or a login with an unknown email address. */
  declare user_id: string | null;
  /** The user, also of a token; null: unknown. */
  declare actor_user_id: string | null;
  declare action: AuditAction;
  /** The API token or login of the request. */
  declare actor_id: string | null;
  declare address: string | null;
  declare object_id: string | null;
  declare details: Record<string, string | number | null>;
  declare created_at: Date;

  static async record(event: NewAuditEvent, trx?: TransactionOrKnex): Promise<void> {
    await AuditEventModel.query(trx).insert({ id: typeid('audit').toString(), ...event });
  }

  /** Returns whether the actor has done the same to the object before. */
  static async isRecorded({ workspace_id, actor_id, action, object_id }: NewAuditEvent): Promise<boolean> {
    const same = { workspace_id, actor_id, action, object_id };
    return (await AuditEventModel.query().select('id').where(same).first()) !== undefined;
  }

  /** Stores an event before its request changes anything. Returns the ID for `settle`. */
  static async announce(event: NewAuditEvent): Promise<string> {
    const id = typeid('audit').toString();
    await AuditEventModel.knex()('audit_intents').insert({ id, event: JSON.stringify(event) });
    return id;
  }

  /** Records the event of an announced request, or none if the request changed nothing. */
  static async settle(id: string, event: NewAuditEvent | undefined): Promise<void> {
    await AuditEventModel.transaction(async (trx) => {
      await trx('audit_intents').delete().where({ id });
      if (event) await AuditEventModel.record(event, trx);
    });
  }

  /** Records the announced requests whose end was not recorded within an hour, because the process or the database failed. */
  static async recordLost(ageS = 3_600): Promise<void> {
    await AuditEventModel.knex().raw(
      `with lost as (delete from audit_intents where created_at < now() - ? * interval '1 second' returning *)
       insert into audit_events (id, workspace_id, user_id, actor_user_id, actor_id, address, action, object_id, details, created_at)
       select lost.id, event.workspace_id, event.user_id, event.actor_user_id, event.actor_id, event.address, event.action,
         event.object_id, '{"outcome": "unknown"}', lost.created_at
       from lost, jsonb_populate_record(cast(null as audit_events), lost.event) event`,
      [ageS],
    );
  }

  /** Records what a user did to their own account. */
  static recordOwn(
    { id }: { id: string },
    event: Pick<NewAuditEvent, 'action' | 'address' | 'details'>,
  ): Promise<void> {
    return AuditEventModel.record({ user_id: id, actor_user_id: id, ...event });
  }

  /** Finds the events of a workspace and of one user's account. */
  static findOwnedPage(
    { workspace_id, user_id }: { workspace_id: string; user_id: string },
    filter: CreatedFilter & { action?: AuditAction | undefined },
    page: PageRequest,
  ) {
    const pageOf = (owner: Record<string, string>) =>
      selectPage(whereGiven(AuditEventModel.query(), { ...owner, ...filter }), page);
    // With `or`, PostgreSQL would sort all events of the workspace.
    const both = AuditEventModel.raw('((?) union all (?)) as audit_events', [
      pageOf({ workspace_id }),
      pageOf({ user_id }),
    ]);
    return findPage(AuditEventModel.query().from(both), page);
  }

  /** Removes events older than a year. Returns their number. */
  static removeExpired(): Promise<number> {
    return deleteInSteps(AuditEventModel.tableName, "created_at < now() - interval '1 year'");
  }
}
