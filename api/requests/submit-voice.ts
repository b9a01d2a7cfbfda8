import type { Readable } from 'node:stream';
import type { submitVoiceRequest } from '../../contract/requests.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { StoredAudio } from '../../db/models/session.ts';
import { maxBytesFor } from '../../runtime/audio/check-audio.ts';
import type { StagedAudio } from '../../runtime/audio/store.ts';
import { findAssistantOfType } from '../assistants/find-assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import type { FileReceiver, FormReader } from '../http/read-upload.ts';
import { checkAudio } from './check-audio.ts';
import { claimSession, findReplayed, isKeyKnown } from './idempotency.ts';
import type { SessionClaim } from './idempotency.ts';
import { requireStorageQuota } from './storage-limits.ts';
import { newSession, storeAndStart } from './store-and-start.ts';

type Deps = Pick<ApiDeps, 'audio' | 'config' | 'diskRoom' | 'temporal'>;

export interface VoiceSubmission extends SessionClaim {
  assistant: AssistantModel;
  audio: StoredAudio;
  metadata: Record<string, string>;
  created_by: string;
}

interface VoiceForm {
  readForm: FormReader<(typeof submitVoiceRequest)['upload']>;
  workspaceId: string;
  idempotencyKey: string | undefined;
  created_by: string;
}

/** Reads the form and stores its recording under the session's ID. Removes the recording of an invalid form. */
export async function receiveVoice(
  deps: Pick<Deps, 'audio' | 'config' | 'diskRoom'>,
  { readForm, workspaceId, idempotencyKey, created_by }: VoiceForm,
): Promise<VoiceSubmission | { replayed: SessionModel }> {
  const { maxBytes, uploadIdleMs: idleMs } = deps.config.audio;
  const receiver: FileReceiver<{ name: string; staged: StagedAudio }> = {
    async receive(file, { name, fields, limitTo, signal }) {
      const { assistant_id } = fields;
      // If the assistant is known before the file, a wrong assistant or too large a file ends the upload early.
      const isKnown = typeof assistant_id === 'string';
      const bytes = limitTo(isKnown ? await maxBytesOf(workspaceId, assistant_id, idempotencyKey, maxBytes) : maxBytes);
      return { name, staged: await stageWithin(deps, file, { workspaceId, idempotencyKey, bytes, signal }) };
    },
    discard: ({ staged }) => staged.discard(),
  };
  const { fields, file } = await readForm(receiver, { maxBytes, idleMs });
  try {
    const { metadata = {} } = fields;
    const payload = ['voice', fields.assistant_id, file.staged.sha256, metadata];
    const replayed = await findReplayed(workspaceId, idempotencyKey, payload);
    // The recording of a stored session was stored before, and may have been removed on purpose.
    if (replayed) return { replayed };
    const assistant = await findAssistantOfType(workspaceId, fields.assistant_id, 'voice');
    const described = await checkAudio(file.staged, { name: file.name, assistant, maxBytes });
    const claim = await claimSession(workspaceId, idempotencyKey, payload);
    const audio = { ...described, key: claim.sessionId };
    // A replay stores the recording too, because the first request may have failed before.
    await file.staged.keepAs(audio.key);
    if (claim.isReplay) await removeIfRemoved(deps, claim.sessionId);
    return { ...claim, assistant, audio, metadata, created_by };
  } finally {
    await file.staged.discard();
  }
}

/** Removing recordings takes time. */
const DISK_RETRY_AFTER_S = 60;

interface Arrival {
  workspaceId: string;
  idempotencyKey: string | undefined;
  /** The most that the recording can have. */
  bytes: number;
  signal: AbortSignal;
}

/** Stores the file temporarily. Throws if the disk or the storage quota has no room for it. */
async function stageWithin(
  deps: Pick<Deps, 'audio' | 'config' | 'diskRoom'>,
  file: Readable,
  { workspaceId, idempotencyKey, bytes, signal }: Arrival,
): Promise<StagedAudio> {
  if (!(await isKeyKnown(workspaceId, idempotencyKey))) await requireStorageQuota(deps, workspaceId, { added: bytes });
  const release = await deps.diskRoom.take(workspaceId, bytes);
  if (!release) {
    const detail = 'The disk has no room for the recording. Try again later.';
    throw new ApiError('unavailable', detail, { retryAfterS: DISK_RETRY_AFTER_S });
  }
  try {
    return await deps.audio.stage(file, signal);
  } finally {
    release();
  }
}

/** Returns the largest recording that the assistant accepts, in bytes. The assistant of a replay may be deleted. */
async function maxBytesOf(workspaceId: string, assistantId: string, key: string | undefined, maxBytes: number) {
  const assistant = await AssistantModel.findOwned(workspaceId, assistantId);
  if (!assistant && (await isKeyKnown(workspaceId, key))) return maxBytes;
  return maxBytesFor(await findAssistantOfType(workspaceId, assistantId, 'voice'), maxBytes);
}

/** Removes the recording again if its session was stored, ended and lost its recording during this upload. */
async function removeIfRemoved({ audio }: Pick<Deps, 'audio'>, sessionId: string): Promise<void> {
  const row = await SessionModel.query().select('audio').findById(sessionId);
  if (row?.audio === null) await audio.remove(sessionId);
}

/** Stores and starts the session. If that fails, removes the recording with the session. */
export async function submitVoice(deps: Deps, submission: VoiceSubmission, isAwaited: boolean): Promise<void> {
  const { sessionId: id, assistant, audio, metadata, created_by } = submission;
  try {
    await storeAndStart(deps, newSession(deps, assistant, { id, audio, metadata, created_by }), isAwaited);
  } catch (error) {
    await removeUnlessAccepted(deps, id);
    throw error;
  }
}

/** Removes the recording unless its session is stored, which is possible after a timeout. A sweep removes what remains. */
async function removeUnlessAccepted({ audio }: Pick<Deps, 'audio'>, sessionId: string): Promise<void> {
  try {
    if (!(await SessionModel.query().findById(sessionId))) await audio.remove(sessionId);
  } catch {
    return;
  }
}
