import { listAuditEvents } from '../../contract/audit.ts';
import type { AuditEvent } from '../../contract/audit.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { DEFAULT_PAGE, handle, presentPage } from '../http/handle.ts';

export const auditRoutes = () => [
  handle(listAuditEvents, async ({ query: { limit = DEFAULT_PAGE, cursor, ...filter }, ...caller }) => {
    // A token without a role does not act for its creator.
    const user_id = caller.role === undefined ? '' : caller.userId;
    const owners = { workspace_id: caller.workspaceId, user_id };
    return presentPage(await AuditEventModel.findOwnedPage(owners, filter, { limit, cursor }), presentAuditEvent);
  }),
];

export function presentAuditEvent({
  id,
  created_at,
  workspace_id: _,
  user_id: _user,
  ...event
}: AuditEventModel): AuditEvent {
  return { audit_id: id, ...event, created_at: created_at.toISOString() };
}
