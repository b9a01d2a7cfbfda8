import { listAuditEvents } from '../../contract/audit.ts';
import type { AuditEvent } from '../../contract/audit.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { DEFAULT_PAGE, handle, presentPage } from '../http/handle.ts';

export const auditRoutes = () => [
  handle(listAuditEvents, async ({ query: { limit = DEFAULT_PAGE, cursor, ...filter }, workspaceId }) =>
    presentPage(await AuditEventModel.findOwnedPage(workspaceId, filter, { limit, cursor }), presentAuditEvent),
  ),
];

export function presentAuditEvent({ id, created_at, workspace_id: _, ...event }: AuditEventModel): AuditEvent {
  return { audit_id: id, ...event, created_at: created_at.toISOString() };
}
