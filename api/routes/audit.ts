import { listAuditEvents } from '../../contract/audit.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { handle } from '../http/handle.ts';
import { presentAuditEvent } from '../presenters/audit-event.ts';

const DEFAULT_PAGE = 50;

export const auditRoutes = () => [
  handle(listAuditEvents, async ({ query: { limit = DEFAULT_PAGE, cursor, ...filter }, userId }) => {
    const { rows, next_cursor } = await AuditEventModel.findOwnedPage(userId, filter, { limit, cursor });
    return { data: rows.map(presentAuditEvent), next_cursor };
  }),
];
