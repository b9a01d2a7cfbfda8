import type { DeliveryFailure } from '../../contract/values/constants.ts';
import type { TimelineEntry } from '../../contract/sessions/timeline.ts';
import type { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import type { DeliveryModel } from '../../db/models/delivery.ts';
import type { SessionModel } from '../../db/models/session.ts';
import type { CallError, ProviderCallModel } from '../../db/models/provider-call.ts';

type Place = Pick<TimelineEntry, 'step' | 'attempt'> & Partial<Pick<TimelineEntry, 'delivery_id' | 'alert'>>;

/** Returns the calls and waits of a session and of its deliveries, ordered by time. */
export function presentTimeline(
  session: SessionModel,
  calls: readonly ProviderCallModel[],
  deliveries: readonly DeliveryModel[],
): TimelineEntry[] {
  return [...presentRuns(session, calls), ...deliveries.flatMap(presentDeliveryEntries)].sort(
    (a, b) => Date.parse(a.started_at) - Date.parse(b.started_at),
  );
}

interface Run {
  queued_at: Date;
  /** null: the run has not ended. */
  ended_at: Date | null;
}

function presentRuns(session: SessionModel, calls: readonly ProviderCallModel[]): TimelineEntry[] {
  const earlier = session.earlier_runs.map(({ queued_at, ended_at }): Run => ({
    queued_at: new Date(queued_at),
    ended_at: new Date(ended_at),
  }));
  const runs = [...earlier, { queued_at: session.queued_at, ended_at: session.completed_at }];
  const ordered = calls.toSorted((a, b) => a.started_at.getTime() - b.started_at.getTime());
  return runs.flatMap((run, index) => {
    const until = runs[index + 1]?.queued_at ?? Infinity;
    const own = ordered.filter(({ started_at }) => started_at >= run.queued_at && started_at < until);
    const isCanceled = session.status === 'canceled' && index === earlier.length;
    return presentRun(run, { number: index + 1, calls: own, isCanceled });
  });
}

function presentRun(
  { queued_at, ended_at }: Run,
  { number, calls, isCanceled }: { number: number; calls: readonly ProviderCallModel[]; isCanceled: boolean },
): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  // null: a call is running, or its end is unknown.
  let since: Date | null = queued_at;
  let place: Place = { step: 'queue', attempt: number };
  for (const call of calls) {
    const { step, attempt, started_at } = call;
    if (since) entries.push(wait(entries.length === 0 ? place : { step, attempt }, since, started_at));
    entries.push(presentCall(call));
    since = call.ended_at;
    place = afterCall(call, calls);
  }
  // A run that was not canceled ends with its last call.
  const endsWithWait = ended_at === null || isCanceled || calls.length === 0;
  if (since && endsWithWait) entries.push(wait(place, since, ended_at));
  return entries.filter(({ kind, step, duration_ms }) => kind === 'call' || step === 'queue' || duration_ms !== 0);
}

/** Returns the step and attempt that follow the call. */
function afterCall({ step, status, attempt }: ProviderCallModel, calls: readonly ProviderCallModel[]): Place {
  if (step === 'analysis' || status !== 'succeeded') return { step, attempt: attempt + 1 };
  return { step: 'analysis', attempt: calls.filter((call) => call.step === 'analysis').length + 1 };
}

function presentDeliveryEntries(delivery: DeliveryModel): TimelineEntry[] {
  const { id: delivery_id, alert, created_at, ended_at, status, next_attempt_at, attempts = [] } = delivery;
  const entries: TimelineEntry[] = [];
  let since: Date | null = created_at;
  for (const row of attempts) {
    const place: Place = { step: 'delivery', attempt: row.attempt, delivery_id, alert };
    if (since) entries.push(wait(place, since, row.started_at));
    entries.push(presentAttempt(place, row));
    since = endOfAttempt(row);
  }
  const next: Place = { step: 'delivery', attempt: attempts.length + 1, delivery_id, alert };
  if (since && status === 'pending') entries.push({ ...wait(next, since, null), due_at: iso(next_attempt_at) });
  if (since && status === 'stopped') entries.push(wait(next, since, ended_at));
  return entries;
}

function wait(place: Place, since: Date, until: Date | null): TimelineEntry {
  return { ...entry('wait', place, since, until), status: until ? 'waited' : 'waiting' };
}

function presentCall(call: ProviderCallModel): TimelineEntry {
  const { step, attempt, provider, model, status, started_at, ended_at, usage, cost_usd, error, provider_message } =
    call;
  return {
    ...entry('call', { step, attempt }, started_at, ended_at),
    call_id: call.callId,
    provider,
    model,
    status,
    usage,
    ...(call.tier && { tier: call.tier }),
    cost_usd,
    error: error && {
      code: error.fault,
      http_status: error.http_status,
      message: error.message,
      ...(error.reason && { reason: error.reason }),
      ...(error.params && { params: error.params }),
      ...namesOf(error),
      provider_message,
    },
    provider_request_id: call.provider_request_id,
  };
}

function namesOf({
  code = null,
  type = null,
  param = null,
}: CallError): Pick<NonNullable<TimelineEntry['error']>, 'provider_error'> {
  return code === null && type === null && param === null ? {} : { provider_error: { code, type, param } };
}

function presentAttempt(place: Place, row: DeliveryAttemptModel): TimelineEntry {
  const { outcome, failure, status_code } = row;
  const error = failure && {
    code: failure,
    http_status: status_code,
    message: status_code === null ? messageOf(failure) : `${messageOf(failure)} (HTTP ${status_code})`,
  };
  const status = failure === 'worker_lost' ? 'lost' : (outcome ?? 'running');
  return { ...entry('call', place, row.started_at, endOfAttempt(row)), status, error };
}

const MESSAGES: Record<DeliveryFailure, string> = {
  timeout: 'the receiver did not respond in time',
  dns: 'the host name of the receiver cannot be resolved',
  connect: 'the receiver could not be reached',
  connection_closed: 'the receiver closed the connection without a complete response',
  tls: 'the TLS connection to the receiver failed',
  invalid_response: 'the response of the receiver is not valid HTTP/1.1',
  redirect: 'the receiver responded with a redirect',
  blocked_address: 'the receiver has a private or reserved address',
  http_status: 'the receiver rejected the request',
  worker_lost: 'the worker stopped during the attempt',
  secret_unreadable: 'the webhook secret of the assistant cannot be decrypted; set it again',
};

/** Returns a sentence for a failure, even if only a newer release knows its code. */
const messageOf = (failure: string): string => new Map(Object.entries(MESSAGES)).get(failure) ?? 'the attempt failed';

function endOfAttempt({ started_at, duration_ms }: DeliveryAttemptModel): Date | null {
  return duration_ms === null ? null : new Date(started_at.getTime() + duration_ms);
}

/** Returns an entry. Its duration is never negative, although the clocks of database and workers may differ. */
function entry(kind: TimelineEntry['kind'], place: Place, startedAt: Date, endedAt: Date | null): TimelineEntry {
  return {
    kind,
    delivery_id: null,
    alert: null,
    call_id: null,
    ...place,
    provider: null,
    model: null,
    status: 'running',
    started_at: startedAt.toISOString(),
    ended_at: iso(endedAt),
    duration_ms: endedAt && Math.max(0, endedAt.getTime() - startedAt.getTime()),
    due_at: null,
    usage: null,
    cost_usd: null,
    error: null,
    provider_request_id: null,
  };
}

const iso = (time: Date | null) => time?.toISOString() ?? null;
