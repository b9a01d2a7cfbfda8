import { UNBEGUN_SESSION_STATUSES, type SessionStatus } from '../../contract/values/constants.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import {
  countOpenSessions,
  insertSession,
  sumAudioBytes,
  sumTextBytes,
  type NewSession,
} from '../../db/queries/owner-limits.ts';
import { PAYER } from '../../db/models/workspace.ts';
import { startSession, type StartableSession } from '../../runtime/temporal/start.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal, requireFound } from '../errors.ts';
import { createGate } from '../guard/gate.ts';
import type { SessionRun } from './run-session.ts';
import { callTemporal } from '../temporal.ts';

/** Some sessions have ended by then. */
const RETRY_AFTER_S = 30;

type StartDeps = Pick<ApiDeps, 'config' | 'temporal'>;

/** Who submits a recording. */
export interface Sender {
  workspaceId: string;
  payer: string;
  idempotencyKey: string | undefined;
  ownedBy: string | undefined;
  created_by: string;
}

type NewSessionColumns = { id: string } & Pick<NewSession, 'occurred_at'> &
  Pick<Partial<SessionModel>, 'audio' | 'audio_source' | 'conversation' | 'metadata' | 'redaction'> &
  Pick<SessionModel, 'created_by'>;

/** Returns the row of a new session with the assistant's present settings. */
export function newSession(
  { config: { providers } }: Pick<StartDeps, 'config'>,
  assistant: AssistantModel,
  fields: NewSessionColumns,
) {
  const { id, workspace_id, type, version, on_provider_outage, llm_provider, stt_provider } = assistant;
  return {
    ...fields,
    workspace_id,
    assistant_id: id,
    type,
    assistant: assistant.freeze(),
    assistant_version: version,
    on_provider_outage,
    simulated:
      providers.analysis[llm_provider].isSimulated ||
      (stt_provider !== null && providers.transcription[stt_provider].isSimulated),
  };
}

/**
 * Stores a session and starts its workflow. A stored session that has begun is not changed. If the start fails, throws only
 * if the session could be withdrawn: a client that gets an error for a running session would submit and pay twice. A start
 * that timed out and still reaches Temporal finds no session and ends. Throws `rate_limited` at the limit of unfinished
 * sessions, and `quota_exceeded` at the limit of stored conversations or recordings.
 * @param isAwaited whether the client waits for the result.
 * @param sealed of `insertSession`.
 */
export async function storeAndStart(
  { config, temporal }: StartDeps,
  row: NewSession,
  isAwaited: boolean,
  sealed?: string,
): Promise<void> {
  const limits = {
    openSessions: config.http.maxOpenSessions,
    textBytes: config.quotas.storedTextBytes,
    audioBytes: config.quotas.storedAudioBytes,
  };
  const insert = () => insertSession(row, limits, sealed);
  // A complete upload is never refused because others wait.
  const inserted = row.audio ? uploads.run(row.workspace_id, insert, Infinity) : insert();
  const stored = (await inserted) ?? (await findStored({ config }, row));
  if (isUnbegun(stored.status)) await startStored({ temporal }, { ...row, payer: stored.payer }, isAwaited);
}

/** Returns a session that was stored before. Throws if it was not stored because of a limit, or its source was deleted. */
async function findStored({ config }: Pick<StartDeps, 'config'>, row: NewSession) {
  const { id, workspace_id, audio, source_session_id: source } = row;
  const found = await SessionModel.query().select('status', SessionModel.raw(PAYER)).findById(id);
  if (found) return found;
  if (source) requireFound(await SessionModel.query().select('id').findById(source), 'session');
  if (audio) await requireStorageQuota({ config }, workspace_id, audio.bytes);
  await requireTextQuota({ config }, workspace_id);
  throw limitReached(config);
}

/** Throws `quota_exceeded` if the workspaces of the owner have no room for texts. Reviews count, too. */
export async function requireTextQuota({ config }: Pick<StartDeps, 'config'>, workspaceId: string): Promise<void> {
  const most = config.quotas.storedTextBytes;
  if ((await sumTextBytes(workspaceId)) >= most) throw refusal('text_limit', { max: most / MIB });
}

/** Parallel uploads of one workspace wait here for their turn, not in a transaction that holds a database connection. */
const uploads = createGate(1);

const isUnbegun = (status: SessionStatus) => UNBEGUN_SESSION_STATUSES.some((unbegun) => unbegun === status);

/** Returns the run of a session that was submitted before. Starts it if it has not begun: the start may be lost. */
export function replayOf(deps: Pick<ApiDeps, 'temporal'>, row: SessionModel): SessionRun {
  const start = async (isAwaited: boolean) => {
    if (isUnbegun(row.status)) await startStored(deps, row, isAwaited);
  };
  return { sessionId: row.id, isReplay: true, start };
}

/** Starts the workflow of a session. Throws if that fails and the session could be withdrawn. */
async function startStored(
  { temporal }: Pick<ApiDeps, 'temporal'>,
  row: StartableSession,
  isAwaited: boolean,
): Promise<void> {
  try {
    await callTemporal(temporal, () => startSession(temporal, row, isAwaited));
  } catch (error) {
    if (await SessionModel.withdraw(row.id)) throw error;
  }
}

const MIB = 1024 * 1024;

/** Throws `quota_exceeded` if the recordings of the owner's workspaces would exceed the quota with `added` more bytes. */
export async function requireStorageQuota(
  { config }: Pick<StartDeps, 'config'>,
  workspaceId: string,
  added: number,
  payer?: string,
): Promise<void> {
  const most = config.quotas.storedAudioBytes;
  if (most === Infinity || (await sumAudioBytes(workspaceId, { payer })) + added <= most) return;
  throw refusal('recordings_limit', { max: most / MIB });
}

/** Throws `rate_limited` if the workspaces of the owner have reached the limit of unfinished sessions. */
export async function requireSessionRoom({ config }: Pick<StartDeps, 'config'>, workspaceId: string): Promise<void> {
  const { maxOpenSessions } = config.http;
  if ((await countOpenSessions(workspaceId, maxOpenSessions)) >= maxOpenSessions) throw limitReached(config);
}

const limitReached = ({ http }: StartDeps['config']) =>
  refusal('sessions_limit', { max: http.maxOpenSessions, seconds: RETRY_AFTER_S }, { retryAfterS: RETRY_AFTER_S });
