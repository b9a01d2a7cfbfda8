/** What happened to an account: docs/decisions.md, "Audit trail". */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { listOf, moment, openEnum, pageQuery, timestamp, typeId } from './fields.ts';

export const AUDIT_ACTIONS = [
  ...['registered', 'login_succeeded', 'login_failed', 'login_ended'],
  ...['password_changed', 'password_change_failed', 'budget_changed'],
  ...['token_created', 'token_revoked', 'tokens_revoked'],
  ...['webhook_changed', 'webhook_blocked', 'assistant_deleted', 'session_deleted'],
  ...['account_disabled', 'account_enabled', 'account_exported', 'account_deleted', 'account_deletion_failed'],
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AuditEventSchema = z
  .object({
    audit_id: typeId('audit'),
    action: openEnum(AUDIT_ACTIONS),
    actor_id: z
      .string()
      .nullable()
      .describe(
        'The API token or the login that did it; null: nobody was logged in, or it was done by who runs the server.',
      ),
    address: z.string().nullable().describe('Where it came from; null: from the server itself.'),
    object_id: z
      .string()
      .nullable()
      .describe('What it was done to: a token, a login, an assistant, a session, a batch that deletes sessions.'),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    created_at: timestamp(),
  })
  .meta({ id: 'AuditEvent' });

export const listAuditEvents = endpoint({
  operationId: 'listAuditEvents',
  method: 'get',
  path: '/v1/audit',
  summary: 'What happened to the account in the last year, newest first',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:read',
  query: z.strictObject({
    action: z.enum(AUDIT_ACTIONS).optional(),
    created_after: moment().optional().describe('From this moment on.'),
    created_before: moment().optional().describe('Before this moment.'),
    ...pageQuery('audit'),
  }),
  answers: { 200: listOf(AuditEventSchema).meta({ id: 'AuditEventList' }) },
});

export type AuditEvent = z.output<typeof AuditEventSchema>;
