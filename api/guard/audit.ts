/** Records requests in the audit trail as their endpoints declare. docs/decisions.md, "Audit trail". */
import type { Knex } from 'knex';
import { ACCOUNT_ACTIONS, type AuditAction } from '../../contract/values/constants.ts';
import type { AuditedRefusal, Endpoint } from '../../contract/values/endpoint.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { UserModel } from '../../db/models/user.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { ApiError, refusal } from '../errors.ts';
import type { Caller } from './authenticate.ts';
import { networkOf } from './client-address.ts';
import { createRequestLimits } from './request-limits.ts';
import { toReply } from '../reply.ts';

export interface AuditedRequest {
  endpoint: Endpoint;
  caller: Caller;
  address: string;
  isHead?: boolean;
  params?: unknown;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
}

export interface Audit {
  /**
   * Serves a request and records it. A request that may change something is announced first, so that a crash leaves no change
   * without an event. A failure to record afterwards is logged and does not fail the request.
   */
  serve<T>(request: AuditedRequest, serve: () => Promise<T>): Promise<T>;
  /** Records a refusal. Repeated ones from the same address and token are recorded once an hour. */
  refused(request: AuditedRequest, refusal: AuditedRefusal): Promise<void>;
}

export function createAudit(db: Knex, log: Log): Audit {
  const oncePerHour = createRequestLimits(db, { name: 'audit', points: 1, windowS: 3_600 });

  async function refused(request: AuditedRequest, { object, action, details }: AuditedRefusal): Promise<void> {
    // A failed login does not prove who made it.
    const actor_user_id = request.caller.userId || null;
    const event = { ...(await originOf(request, action)), actor_user_id, action, object_id: object ?? null, details };
    const key = [action, event.workspace_id ?? event.user_id, networkOf(request.address), event.actor_id, object];
    await oncePerHour.take(key.join(' ')).then(
      () => AuditEventModel.record(event),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      },
    );
  }

  /** Stores what a request is about to change. Returns the ID of the stored intent, or undefined if it changes nothing. */
  async function announce(request: AuditedRequest): Promise<string | undefined> {
    const { audit, method } = request.endpoint;
    if (!audit || method === 'get') return undefined;
    const action = actionOf(audit, factsOf(request));
    return AuditEventModel.announce({ ...(await originOf(request, action)), action, object_id: idInPath(request) });
  }

  /** Returns the event of a successful request; undefined: there is none. */
  async function eventOf(request: AuditedRequest, outcome: unknown) {
    const { audit } = request.endpoint;
    const { body: answer, headers, audited } = toReply(outcome);
    const facts = [factsOf(request), answer as never] as const;
    const isReplay = headers['Idempotent-Replayed'] !== undefined;
    if (!audit || request.isHead || isReplay || audit.when?.(...facts) === false) return undefined;
    const object_id = audit.object?.(...facts) ?? idInPath(request);
    const details = { ...audit.details?.(...facts), ...audited };
    const action = actionOf(audit, facts[0]);
    const origin = await originOf(request, action);
    const workspace_id = audit.workspace?.(...facts) ?? origin.workspace_id;
    const event = { ...origin, workspace_id, action, object_id, details };
    if (audit.isOncePerLogin && request.caller.login && (await AuditEventModel.isRecorded(event))) return undefined;
    return event;
  }

  async function succeeded(request: AuditedRequest, outcome: unknown, intent: string | undefined): Promise<void> {
    const event = await eventOf(request, outcome);
    if (intent !== undefined) await AuditEventModel.settle(intent, event);
    else if (event) await AuditEventModel.record(event);
  }

  const orLog = (recording: Promise<void>, { endpoint: { operationId: operation } }: AuditedRequest) =>
    recording.catch((err: unknown) => log.error({ err, operation }, 'could not record a request in the audit trail'));

  return {
    refused: (request, refusal) => orLog(refused(request, refusal), request),
    async serve(request, serve) {
      const intent = await announce(request);
      try {
        const outcome = await serve();
        await orLog(succeeded(request, outcome, intent), request);
        return outcome;
      } catch (error) {
        // Another error may have occurred after a change.
        const isRefusal = error instanceof ApiError && error.status < 500;
        if (intent !== undefined && isRefusal) await orLog(AuditEventModel.settle(intent, undefined), request);
        const { code, extras } = error instanceof ApiError ? error : refusal('internal_error');
        const event = request.endpoint.audit?.refused?.({ code, errors: extras.errors ?? [] }, request as never);
        if (event) await orLog(refused(request, event), request);
        throw error;
      }
    },
  };
}

const ROW_ID = /^[a-z]+_[0-7][0-9a-z]{25}$/;

const idInPath = ({ params }: AuditedRequest): string | null =>
  Object.values(params ?? {})
    .map(String)
    .find((value) => ROW_ID.test(value)) ?? null;

// `never`: the rule's types follow from its endpoint, whose schemas have parsed the request.
const factsOf = (request: AuditedRequest) => ({ ...request, loginId: request.caller.login?.id }) as never;

const actionOf = ({ action }: NonNullable<Endpoint['audit']>, request: never): AuditAction =>
  typeof action === 'string' ? action : action(request);

/**
 * Returns the actor and address of a request, and the workspace or account that the event belongs to. On public endpoints the
 * actor is the owner of the email in the body.
 */
async function originOf({ endpoint, caller, address, body }: AuditedRequest, action: AuditAction) {
  const isPublic = endpoint.scope === null;
  const user = isPublic ? await UserModel.findByEmail((body as { email: string }).email) : undefined;
  const actor_user_id = (isPublic ? user?.id : caller.userId) || null;
  const isOfAccount = ACCOUNT_ACTIONS.some((other) => other === action);
  return {
    workspace_id: isOfAccount ? null : caller.workspaceId || null,
    user_id: isOfAccount ? actor_user_id : null,
    actor_user_id,
    actor_id: caller.key?.id ?? caller.login?.id ?? null,
    address,
  };
}
