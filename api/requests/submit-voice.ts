import type { Readable } from 'node:stream';
import type { submitVoiceRequest } from '../../contract/sessions/requests.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { sizeLimitOf } from '../../runtime/audio/check-audio.ts';
import type { StagedAudio } from '../../runtime/audio/store.ts';
import { findAssistantOfType, requireType } from '../assistants/find-assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal } from '../errors.ts';
import type { FileReceiver, FormReader } from '../http/read-upload.ts';
import type { SessionRun } from '../runs/run-session.ts';
import { checkAudio } from './check-audio.ts';
import { claimSession, findReplayed, isKeyKnown } from './idempotency.ts';
import { newSession, replayOf, requireStorageQuota, storeAndStart, type Sender } from '../runs/store-and-start.ts';

type VoiceDeps = Pick<ApiDeps, 'audio' | 'config' | 'diskRoom' | 'temporal'>;

/**
 * Reads a form, stores its recording under the session's ID, and prepares the session. Removes the recording of an invalid
 * form.
 */
export async function submitVoice(
  deps: VoiceDeps,
  sender: Sender,
  readForm: FormReader<(typeof submitVoiceRequest)['upload']>,
): Promise<SessionRun> {
  const { workspaceId, created_by } = sender;
  const { maxBytes, uploadIdleMs: idleMs } = deps.config.audio;
  const ours = sizeLimitOf({ stt_provider: null, stt_model: null }, maxBytes);
  const receiver: FileReceiver<{
    name: string;
    staged: StagedAudio;
    known: AssistantModel | undefined;
    readAt: number;
  }> = {
    async receive(file, { name, fields, limitTo, signal }) {
      const { assistant_id } = fields;
      // If the assistant is known before the file, a wrong assistant or too large a file ends the upload early.
      const readAt = performance.now();
      const known = typeof assistant_id === 'string' ? await findUnlessReplay(sender, assistant_id) : undefined;
      const limit = known === undefined ? ours : sizeLimitOf(known, maxBytes);
      const bytes = limitTo(limit.max, ['too_large:audio', limit]);
      return { name, staged: await stageWithin(deps, sender, file, { bytes, signal }), known, readAt };
    },
    discard: ({ staged }) => staged.discard(),
  };
  const { fields, file } = await readForm(receiver, { maxBytes, fault: ['too_large:audio', ours], idleMs });
  try {
    const { metadata = {}, occurred_at } = fields;
    const payload = ['voice', fields.assistant_id, file.staged.sha256, metadata, occurred_at];
    const replayed = await findReplayed(sender, payload);
    // The recording of a stored session was stored before, and may have been removed on purpose.
    if (replayed) return replayOf(deps, replayed);
    const { known, readAt } = file;
    // During a longer upload, the assistant may change.
    const isCurrent = known?.id === fields.assistant_id && performance.now() - readAt < MAX_AGE_MS;
    const assistant = isCurrent ? known : await findAssistantOfType(workspaceId, fields.assistant_id, 'voice');
    const described = await checkAudio(file.staged, { name: file.name, assistant, maxBytes, owner: sender.payer });
    const claim = await claimSession(sender, payload);
    const audio = { ...described, key: claim.sessionId };
    // A replay stores the recording too, because the first request may have failed before.
    await file.staged.keepAs(audio.key);
    if (claim.isReplay) await removeIfRemoved(deps, claim.sessionId);
    const row = newSession(deps, assistant, { id: claim.sessionId, audio, metadata, occurred_at, created_by });
    return { ...claim, start: (isAwaited) => storeOrRemove(deps, row, isAwaited) };
  } finally {
    await file.staged.discard();
  }
}

/** How long an assistant that was read is used without reading it again. */
const MAX_AGE_MS = 1_000;

/** Removing recordings takes time. */
const DISK_RETRY_AFTER_S = 60;

/** Stores a file of up to `bytes` temporarily. Throws if it does not fit on the disk or in the storage quota. */
async function stageWithin(
  deps: Pick<VoiceDeps, 'audio' | 'config' | 'diskRoom'>,
  { workspaceId, payer, idempotencyKey }: Sender,
  file: Readable,
  { bytes, signal }: { bytes: number; signal: AbortSignal },
): Promise<StagedAudio> {
  if (!(await isKeyKnown(workspaceId, idempotencyKey))) await requireStorageQuota(deps, workspaceId, bytes, payer);
  const release = await deps.diskRoom.take(payer, bytes);
  if (!release) throw refusal('disk_full', { retryAfterS: DISK_RETRY_AFTER_S });
  try {
    return await deps.audio.stage(file, signal);
  } finally {
    release();
  }
}

/** Returns the assistant. Returns undefined if it is deleted and the request is a replay. */
async function findUnlessReplay({ workspaceId, idempotencyKey }: Sender, assistantId: string) {
  const assistant = await AssistantModel.findForSession(workspaceId, assistantId);
  if (!assistant && (await isKeyKnown(workspaceId, idempotencyKey))) return undefined;
  return requireType(assistant, 'voice');
}

/** Removes the recording again if its session was stored, ended and lost its recording during this upload. */
async function removeIfRemoved({ audio }: Pick<VoiceDeps, 'audio'>, sessionId: string): Promise<void> {
  const row = await SessionModel.query().select('audio').findById(sessionId);
  if (row?.audio === null) await audio.remove(sessionId);
}

/** Stores and starts the session. If that fails, removes the recording with the session. */
async function storeOrRemove(deps: VoiceDeps, row: ReturnType<typeof newSession>, isAwaited: boolean): Promise<void> {
  try {
    await storeAndStart(deps, row, isAwaited);
  } catch (error) {
    await removeUnlessAccepted(deps, row.id);
    throw error;
  }
}

/** Removes the recording unless its session is stored, which is possible after a timeout. A sweep removes what remains. */
async function removeUnlessAccepted({ audio }: Pick<VoiceDeps, 'audio'>, sessionId: string): Promise<void> {
  try {
    if (!(await SessionModel.query().findById(sessionId))) await audio.remove(sessionId);
  } catch {
    return;
  }
}
