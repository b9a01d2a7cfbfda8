import type { AuditEvent } from '../../contract/audit.ts';
import type { AuditEventModel } from '../../db/models/audit-event.ts';

export function presentAuditEvent({ id, created_at, user_id: _owner, ...event }: AuditEventModel): AuditEvent {
  return { audit_id: id, ...event, created_at: created_at.toISOString() };
}
