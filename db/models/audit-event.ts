import { Model } from 'objection';
import { typeid } from 'typeid-js';
import type { AuditAction } from '../../contract/audit.ts';
import { findPage } from '../page.ts';
import type { PageRequest } from '../page.ts';

export interface AuditFilter {
  action?: AuditAction | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
}

export type NewAuditEvent = Pick<AuditEventModel, 'user_id' | 'action'> &
  Partial<Pick<AuditEventModel, 'actor_id' | 'address' | 'object_id' | 'details'>>;

/** Rows that one statement removes. */
const BATCH = 1_000;

/** One row of `audit_events`, which the database keeps from being changed. */
export class AuditEventModel extends Model {
  static override tableName = 'audit_events';
  static override jsonAttributes = ['details'];
  declare id: string;
  /** null: of an e-mail address that is nobody's. */
  declare user_id: string | null;
  declare action: AuditAction;
  /** The API token or the login that did it. */
  declare actor_id: string | null;
  declare address: string | null;
  declare object_id: string | null;
  declare details: Record<string, string | number | null>;
  declare created_at: Date;

  static async record(event: NewAuditEvent): Promise<void> {
    await AuditEventModel.query().insert({ id: typeid('audit').toString(), ...event });
  }

  static findOwnedPage(userId: string, { action, created_after, created_before }: AuditFilter, page: PageRequest) {
    const query = AuditEventModel.query().where({ user_id: userId });
    if (action !== undefined) query.where({ action });
    if (created_after !== undefined) query.where('created_at', '>=', created_after);
    if (created_before !== undefined) query.where('created_at', '<', created_before);
    return findPage(query, page);
  }

  /** Removes what is more than a year old; returns how much it was. */
  static async removeExpired(): Promise<number> {
    for (let removed = 0; ;) {
      const expired = AuditEventModel.query()
        .select('id')
        .where('created_at', '<', AuditEventModel.raw("now() - interval '1 year'"))
        .limit(BATCH);
      const count = await AuditEventModel.query().delete().whereIn('id', expired);
      removed += count;
      if (count < BATCH) return removed;
    }
  }
}
