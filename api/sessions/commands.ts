import { setTimeout as sleep } from 'node:timers/promises';
import { UNBEGUN_SESSION_STATUSES } from '../../contract/values/constants.ts';
import type { RoleMap } from '../../contract/values/roles.ts';
import { MAX_PAIRS } from '../../contract/sessions/requests.ts';
import type { EndpointInput } from '../../contract/values/endpoint.ts';
import type { retrySession as retryEndpoint } from '../../contract/sessions/session-operations.ts';
import { findFallback } from '../../contract/sessions/fallback.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { newAudioSource } from '../../db/models/audio-source.ts';
import { SessionModel } from '../../db/models/session.ts';
import { endUnstarted } from '../../db/queries/end-unstarted.ts';
import { eraseSession } from '../../db/queries/erase-session.ts';
import { cancelQueuedSession, refetchSession, requeueSession } from '../../db/queries/session-status.ts';
import { STORE_WORDS } from '../../db/queries/session-end.ts';
import { searchedWords } from '../../db/queries/text-query.ts';
import { readRows } from '../../db/statements.ts';
import { sessionEnded } from '../../runtime/telemetry/events.ts';
import { CALL_TIMEOUT_MS } from '../../runtime/temporal/connect.ts';
import { cancelWorkflow, findLatestRun, hastenActivity } from '../../runtime/temporal/runs.ts';
import { startSession } from '../../runtime/temporal/start.ts';
import type { ApiDeps } from '../deps.ts';
import { errorAt } from '../../contract/errors/field-errors.ts';
import { type ApiError, invalid, invalidAt, refusal } from '../errors.ts';
import { lockSession } from '../reviews/change-review.ts';
import { requireSessionRoom } from '../runs/store-and-start.ts';
import { requireAllowedUrl, sealUrl } from '../runs/audio-url.ts';
import { callTemporal, tryTemporal } from '../temporal.ts';
import type { Wait } from '../streams/waits.ts';
import { findSession } from '../runs/read-session.ts';
import type { SessionRun } from '../runs/run-session.ts';

/** A running call is canceled with its next heartbeat. The session ends when the cost of the call is stored. */
const END_TIMEOUT_MS = 10_000;

/**
 * Cancels a session: one that has not begun a step by its row, a running one through its workflow. Returns the wait for its end. Throws
 * `conflict` if the session has ended.
 */
export async function cancelSession(
  deps: Pick<ApiDeps, 'temporal' | 'waits' | 'log'>,
  { workspaceId, id }: { workspaceId: string; id: string },
  signal: AbortSignal,
): Promise<Wait> {
  const { temporal } = deps;
  const wait = deps.waits.begin(id, { timeoutMs: END_TIMEOUT_MS, signal });
  const { status, completed_at } = await findSession(workspaceId, id);
  if (completed_at !== null) throw refusal('session_ended', { status });
  if (UNBEGUN_SESSION_STATUSES.some((unbegun) => unbegun === status) && (await cancelQueuedSession(id))) {
    sessionEnded.publish({ status: 'canceled' });
    await tryTemporal(deps, id, () => cancelWorkflow(temporal, id));
    wait.cancel();
  } else if (!(await callTemporal(temporal, () => cancelWorkflow(temporal, id)))) {
    await endUnstarted(id);
    wait.cancel();
  }
  return wait;
}

/** The names of the activities of the steps: activities/index.ts. */
const ACTIVITY_OF = { analysis: 'analyzeConversation', transcription: 'transcribeAudio' } as const;

/** Starts the next try of a session that waits for a provider, with the fallback of its assistant if requested. */
export async function trySession(
  { temporal }: Pick<ApiDeps, 'temporal'>,
  { id, status, assistant_id, assistant, audio, waiting, completed_at }: SessionModel,
  usesFallback: boolean,
): Promise<void> {
  if (completed_at !== null) throw refusal('session_ended', { status });
  if (waiting === null) throw refusal('not_waiting', { status });
  const step = status === 'transcribing' ? 'transcription' : 'analysis';
  const current = usesFallback ? await AssistantModel.query().findById(assistant_id) : undefined;
  const fallback = (usesFallback && (current?.fallback ?? assistant.fallback)) || undefined;
  if (usesFallback && (waiting.provider === 'recognizer' || !findFallback(fallback, audio, step)))
    throw invalidAt('fallback', 'not_set:step');
  if (!usesFallback && Date.parse(waiting.next_try_at) <= Date.now()) throw refusal('attempt_running:session');
  if (!(await SessionModel.hasten(id, fallback))) throw refusal('not_waiting', { status });
  if (!(await callTemporal(temporal, () => hastenActivity(temporal, id, ACTIVITY_OF[step]))))
    throw refusal('attempt_running:session');
}

/**
 * Removes the recording and all texts of a session, and cancels its workflows. The recording is removed first: if that
 * fails, the session can be deleted again. Returns the number of its follow-ups, which go with it.
 */
export async function deleteSession(
  deps: Pick<ApiDeps, 'audio' | 'temporal' | 'log'>,
  { id, type, status }: SessionModel,
): Promise<number> {
  // A recording may be stored under the session's ID even if the row has none.
  if (type === 'voice') await deps.audio.remove(id);
  const { workflowIds = [], followUps = 0 } = (await eraseSession(id)) ?? {};
  // A download may have stored the recording meanwhile. If this fails, the hourly sweep removes it.
  if (status === 'fetching') await deps.audio.remove(id).catch(() => undefined);
  await Promise.all(
    workflowIds.map((workflowId) => tryTemporal(deps, workflowId, () => cancelWorkflow(deps.temporal, workflowId))),
  );
  return followUps;
}

const RECHECK_MS = 50;

type RetryDeps = Pick<ApiDeps, 'audioGuard' | 'config' | 'log' | 'secrets' | 'temporal'>;

type RetryInput = EndpointInput<typeof retryEndpoint>['body'];

/** Prepares to run a failed session again from the failed step. Of concurrent retries, one is accepted. */
export async function retrySession(
  deps: RetryDeps,
  session: SessionModel,
  { audio_url, audio_headers }: RetryInput = {},
): Promise<SessionRun> {
  const { id, workspace_id, status, type, audio, transcript, error, audio_source } = session;
  const fetches = status === 'failed' && error?.stage === 'fetch';
  const isRetryable = fetches || (status === 'failed' && (type === 'text' || audio !== null || transcript !== null));
  if (!isRetryable) throw notRetryable(session);
  if (audio_url !== undefined && !fetches) throw refusal('url_not_needed');
  await requireSessionRoom(deps, workspace_id);
  if (audio_url !== undefined) await requireAllowedUrl(deps, audio_url);
  const file_name = audio_source?.file_name ?? '';
  const source = audio_url !== undefined && {
    audio_source: newAudioSource(audio_url, file_name),
    sealed: sealUrl(deps, id, { audio_url, audio_headers }),
  };
  const requeue = () => (source ? refetchSession(id, source) : requeueSession(id));
  return { sessionId: id, isRetry: true, start: (isAwaited) => requeueAndStart(deps, session, requeue, isAwaited) };
}

async function requeueAndStart(
  deps: RetryDeps,
  { id, workspace_id }: SessionModel,
  requeue: () => Promise<SessionModel | undefined>,
  isAwaited: boolean,
): Promise<void | 'delayed'> {
  const row = await requeue();
  if (!row) throw notRetryable(await findSession(workspace_id, id));
  try {
    await callTemporal(deps.temporal, () => startAfterLastRun(deps, row, isAwaited));
  } catch (err) {
    // The sweep starts the session, because it stays in the queue.
    deps.log.warn({ err, session_id: id }, 'could not start a retried session');
    return 'delayed';
  }
}

function notRetryable({ status, error }: SessionModel): ApiError {
  if (status !== 'failed') return refusal('not_failed', { status });
  if (error?.stage === 'fetch') return refusal('url_removed');
  return refusal('recording_removed');
}

/** Starts the workflow again. The failed run may still be closing, and no other run can start under its ID before. */
async function startAfterLastRun({ temporal }: RetryDeps, row: SessionModel, isAwaited: boolean): Promise<void> {
  for (const deadline = Date.now() + CALL_TIMEOUT_MS; Date.now() < deadline; await sleep(RECHECK_MS)) {
    if ((await findLatestRun(temporal, row.id)).state === 'RUNNING') continue;
    return startSession(temporal, row, isAwaited);
  }
}

/** Stores the roles that a person assigned. null restores those from the channels or the model. */
export async function setRoles({ id, conversation, type }: SessionModel, map: RoleMap | null): Promise<SessionModel> {
  if (type !== 'voice') throw refusal('has_roles');
  if (conversation === null) throw refusal('no_transcript:yet');
  const speakers = [...new Set(conversation.map(({ role }) => role))];
  const unknown = Object.keys(map ?? {}).filter((name) => !speakers.includes(name));
  const known = speakers.join(', ');
  if (unknown.length > 0)
    throw invalid(...unknown.map((name) => errorAt(`map.${name}`, 'not_speaker', { speakers: known })));
  const person_roles = map && Object.fromEntries(speakers.map((speaker) => [speaker, map[speaker] ?? null]));
  const [changed] = await SessionModel.query()
    .patch({ person_roles })
    .where({ id })
    .whereNotNull('completed_at')
    .returning('*');
  if (!changed) throw refusal('session_running');
  return changed;
}

/** Adds, replaces and (null) removes pairs of the metadata. */
export function patchMetadata(
  workspaceId: string,
  id: string,
  changes: Record<string, string | null>,
): Promise<SessionModel> {
  return SessionModel.transaction(async (trx) => {
    const session = await lockSession(workspaceId, id, trx);
    const pairs = Object.entries({ ...session.metadata, ...changes });
    const metadata = Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== null));
    if (Object.keys(metadata).length > MAX_PAIRS.max) throw invalidAt('metadata', 'too_many', MAX_PAIRS);
    const changed = await session.$query(trx).patchAndFetch({ metadata });
    await readRows(STORE_CHANGED_WORDS, { id, words: searchedWords(changed) }, trx);
    return changed;
  });
}

/** The end of a session stores its words. */
const STORE_CHANGED_WORDS = STORE_WORDS(
  '(select id, workspace_id, cast(:words as text) as words from sessions where id = :id and completed_at is not null) changed',
);
