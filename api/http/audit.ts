/** Which requests leave a row in the audit trail, and what it says. docs/decisions.md, "Audit trail". */
import type { AuditAction } from '../../contract/audit.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import type { NewAuditEvent } from '../../db/models/audit-event.ts';
import { UserModel } from '../../db/models/user.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { ApiError } from '../errors.ts';
import type { Caller } from './authenticate.ts';
import { toReply } from './handle.ts';

export interface AuditedRequest {
  operationId: string;
  caller: Caller;
  address: string;
  params: Record<string, string> | undefined;
  body: Record<string, unknown> | undefined;
}

type Told = Pick<NewAuditEvent, 'action'> & Partial<NewAuditEvent>;

type Teller = (request: AuditedRequest, answer: Record<string, unknown>) => Told | undefined;

const object =
  (action: AuditAction, parameter: string): Teller =>
  ({ params }) => ({ action, object_id: params?.[parameter] ?? null });

const userOf = ({ user }: Record<string, unknown>) => (user as { id: string } | undefined)?.id ?? null;

const WEBHOOK_FIELDS = ['webhook_url', 'webhook_secret', 'webhook_events'];

/** Fields of the webhook that a request names; their values are nobody's business here. */
const webhookOf = (body: AuditedRequest['body'] = {}) => WEBHOOK_FIELDS.filter((name) => body[name] !== undefined);

const tellWebhook = (body: AuditedRequest['body'], object_id: unknown): Told | undefined => {
  const changed = webhookOf(body);
  if (changed.length === 0) return undefined;
  return { action: 'webhook_changed', object_id: object_id as string, details: { fields: changed.join(', ') } };
};

/** What a request that succeeded tells, by the operation's id. */
const SUCCESSES: Record<string, Teller> = {
  register: (_request, answer) => ({ action: 'registered', user_id: userOf(answer) }),
  registerInConsole: (_request, answer) => ({ action: 'registered', user_id: userOf(answer) }),
  login: (_request, answer) => ({ action: 'login_succeeded', user_id: userOf(answer) }),
  openConsoleSession: (_request, answer) => ({ action: 'login_succeeded', user_id: userOf(answer) }),
  logOut: ({ caller }) => ({ action: 'login_ended', object_id: caller.login?.id ?? null }),
  closeConsoleSession: ({ caller }) => ({ action: 'login_ended', object_id: caller.login?.id ?? null }),
  endLogin: object('login_ended', 'login_id'),
  changePassword: () => ({ action: 'password_changed' }),
  exportCurrentUser: () => ({ action: 'account_exported' }),
  deleteCurrentUser: () => ({ action: 'account_deleted' }),
  updateCurrentUser: ({ body }) => {
    const budget = body?.['monthly_budget_usd'];
    if (budget === undefined) return undefined;
    return { action: 'budget_changed', details: { monthly_budget_usd: budget as number | null } };
  },
  createKey: (_request, { key_id }) => ({ action: 'token_created', object_id: key_id as string }),
  revokeKey: object('token_revoked', 'key_id'),
  revokeAllKeys: (_request, { revoked }) => ({ action: 'tokens_revoked', details: { revoked: revoked as number } }),
  createAssistant: ({ body }, { id }) => tellWebhook(body, id),
  updateAssistant: ({ body, params }) => tellWebhook(body, params?.['id']),
  deleteAssistant: object('assistant_deleted', 'id'),
  deleteSession: object('session_deleted', 'id'),
  createBatch: ({ body }, { batch_id, total }) => {
    // An estimate has no id.
    if (body?.['action'] !== 'delete' || batch_id === undefined) return undefined;
    return { action: 'session_deleted', object_id: batch_id as string, details: { total: total as number } };
  },
};

/** What a refused request tells, by the operation's id. */
const REFUSALS: Record<string, (error: ApiError, request: AuditedRequest) => Told | undefined> = {
  login: loginRefused,
  openConsoleSession: loginRefused,
  changePassword: passwordRefused('password_change_failed'),
  deleteCurrentUser: passwordRefused('account_deletion_failed'),
  createAssistant: webhookRefused,
  updateAssistant: webhookRefused,
};

function loginRefused({ code }: ApiError): Told | undefined {
  return code === 'unauthorized' || code === 'rate_limited' ? { action: 'login_failed', details: { code } } : undefined;
}

function passwordRefused(action: AuditAction) {
  return ({ code, extras }: ApiError): Told | undefined => {
    const isPassword = extras.errors?.some(({ message }) => message === 'is not the current password');
    return isPassword || code === 'rate_limited' ? { action, details: { code } } : undefined;
  };
}

function webhookRefused({ extras }: ApiError, { params }: AuditedRequest): Told | undefined {
  const error = extras.errors?.find(({ path }) => path === 'webhook_url');
  return error && { action: 'webhook_blocked', object_id: params?.['id'] ?? null, details: { message: error.message } };
}

/**
 * Serves a request, and records it where its operation is one of those that are told of. What was done stays done if it
 * can't be recorded: the log says so.
 */
export async function audited<T>(log: Log, request: AuditedRequest, serve: () => Promise<T>): Promise<T> {
  const { operationId: operation } = request;
  const unrecorded = (err: unknown) => log.error({ err, operation }, 'a request is missing in the audit trail');
  try {
    const outcome = await serve();
    await record(request, tellSuccess(request, outcome)).catch(unrecorded);
    return outcome;
  } catch (error) {
    await recordRefusal(request, error).catch(unrecorded);
    throw error;
  }
}

function tellSuccess(request: AuditedRequest, outcome: unknown): Told | undefined {
  const { body, headers } = toReply(outcome);
  // It was told of when it was done.
  if (headers['Idempotent-Replayed'] !== undefined) return undefined;
  const answer = (body ?? {}) as Record<string, unknown>;
  return SUCCESSES[request.operationId]?.(request, answer);
}

/** Records a refusal; a login that failed is told to whoever the e-mail address belongs to. */
async function recordRefusal(request: AuditedRequest, error: unknown): Promise<void> {
  const told = error instanceof ApiError ? REFUSALS[request.operationId]?.(error, request) : undefined;
  if (told?.action !== 'login_failed') return record(request, told);
  const user = await UserModel.findByEmail(request.body?.['email'] as string);
  await record(request, { ...told, user_id: user?.id ?? null });
}

async function record({ caller, address }: AuditedRequest, told: Told | undefined): Promise<void> {
  if (told === undefined) return;
  const actor_id = caller.key?.id ?? caller.login?.id ?? null;
  await AuditEventModel.record({ user_id: caller.userId || null, actor_id, address, ...told });
}
