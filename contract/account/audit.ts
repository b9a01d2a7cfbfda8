/** The audit trail of an account, and the audit rules that several endpoints share: docs/decisions.md, "Audit trail". */
import { z } from 'zod';
import { AUDIT_ACTIONS, type AuditAction } from '../values/constants.ts';
import { endpointsOf, type AuditedRefusal, type Refusal } from '../values/endpoint.ts';
import { createdQuery, listOf, openEnum, pageQuery, responseObject, timestamp, typeId } from '../values/schemas.ts';

const endpoint = endpointsOf('Account');

export const AuditEventSchema = responseObject('AuditEvent', {
  audit_id: typeId('audit'),
  action: openEnum(AUDIT_ACTIONS),
  actor_id: z
    .string()
    .nullable()
    .describe(
      'ID of the API token or login that sent the request; null: neither, or the operator of the installation.',
    ),
  actor_user_id: typeId('user')
    .nullable()
    .describe(
      'The user of the login, or the creator of the API token; null: unknown, or the operator of the installation.',
    ),
  address: z.string().nullable().describe('IP address of the client; null: the service itself.'),
  object_id: z
    .string()
    .nullable()
    .describe('ID of the token, login, assistant, session, batch, redelivery, member or invitation.'),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  created_at: timestamp(),
});

export const listAuditEvents = endpoint('listAuditEvents', 'get /v1/audit', {
  summary: 'List audit events',
  description: 'Returns the events of the workspace and of your account in the last year, newest first.',
  scope: 'audit:read',
  query: z.strictObject({ action: z.enum(AUDIT_ACTIONS).optional(), ...createdQuery(), ...pageQuery('audit') }),
  answers: { 200: listOf(AuditEventSchema).meta({ id: 'AuditEventList' }) },
});

/** Returns the event of a failed login, or of one that was refused because of earlier failures. */
export function loginFailed({ code, errors }: Refusal): AuditedRefusal | undefined {
  if (errors.some((error) => error.code === 'wrong_code')) return { action: 'second_factor_failed', details: { code } };
  return code === 'unauthorized' || code === 'rate_limited' ? { action: 'login_failed', details: { code } } : undefined;
}

/** Returns the event of a wrong password or code, or of a proof that was refused because of earlier ones. */
export const proofFailed = ({ code, errors }: Refusal): AuditedRefusal | undefined =>
  code === 'rate_limited' || errors.some((error) => error.code !== undefined)
    ? { action: 'proof_failed', details: { code } }
    : undefined;

/** Returns a function that returns the event of a request with a wrong `current_password`. */
export const passwordRefused =
  (action: AuditAction) =>
  ({ code, errors }: Refusal): AuditedRefusal | undefined =>
    code === 'rate_limited' || errors.some((error) => error.code === 'wrong_password')
      ? { action, details: { code } }
      : undefined;

const WEBHOOK_SETTINGS = ['webhook_url', 'webhook_secret', 'webhook_auth', 'webhook_events', 'alerts'] as const;

type WebhookBody = { [Name in (typeof WEBHOOK_SETTINGS)[number]]?: unknown };

/** The audit trail contains the names of the changed settings, never their values. */
export const webhookSettingsOf = (body: WebhookBody) => WEBHOOK_SETTINGS.filter((name) => body[name] !== undefined);

/** Returns the event of a refused URL of the webhook or an alert. */
export function webhookBlocked({ errors }: Refusal, object?: string): AuditedRefusal | undefined {
  const error = errors.find(({ path }) => /^(webhook_url|alerts\.\d+\.url)$/.test(path));
  return error && { action: 'webhook_blocked', ...(object && { object }), details: { message: error.message } };
}
