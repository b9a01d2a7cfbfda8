import { AuditEventSchema, listAuditEvents } from '../../contract/account/audit.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { DEFAULT_PAGE, handle, presentPage, presentRow } from '../http/handle.ts';

export const auditRoutes = () => [
  handle(listAuditEvents, async ({ query: { limit = DEFAULT_PAGE, cursor, ...filter }, ...caller }) => {
    // A token without a role does not act for its creator.
    const user_id = caller.role === undefined ? '' : caller.userId;
    const owners = { workspace_id: caller.workspaceId, user_id };
    return presentPage(await AuditEventModel.findOwnedPage(owners, filter, { limit, cursor }), presentAuditEvent);
  }),
];

export const presentAuditEvent = (row: AuditEventModel) => presentRow(AuditEventSchema, { ...row, audit_id: row.id });
