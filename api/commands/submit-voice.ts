import type { Readable } from 'node:stream';
import type { submitVoiceRequest } from '../../contract/requests.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { StoredAudio } from '../../db/models/session.ts';
import type { StagedAudio } from '../../runtime/audio/store.ts';
import { checkAudio, maxBytesFor } from '../audio/audio-facts.ts';
import type { ApiDeps } from '../deps.ts';
import type { FileReceiver, FormReader } from '../uploads.ts';
import { claimSession, findReplayed } from './claim-session.ts';
import type { SessionClaim } from './claim-session.ts';
import { findAssistantOfType } from '../lookups/find-assistant.ts';
import { storeAndStart } from './store-and-start.ts';
import { isKeyKnown, requireStorageQuota } from './stored-audio.ts';

type Deps = Pick<ApiDeps, 'audio' | 'config' | 'diskRoom' | 'temporal'>;

export interface VoiceSubmission extends SessionClaim {
  assistant: AssistantModel;
  audio: StoredAudio;
  metadata: Record<string, string>;
}

export interface VoiceForm {
  readForm: FormReader<(typeof submitVoiceRequest)['upload']>;
  userId: string;
  idempotencyKey: string | undefined;
}

/** Reads the form and stores its recording under the session's id. A form that does not pass leaves nothing behind. */
export async function receiveVoice(
  deps: Pick<Deps, 'audio' | 'config' | 'diskRoom'>,
  { readForm, userId, idempotencyKey }: VoiceForm,
): Promise<VoiceSubmission | { replayed: SessionModel }> {
  const { maxBytes, uploadIdleMs: idleMs } = deps.config.audio;
  const receiver: FileReceiver<{ name: string; staged: StagedAudio }> = {
    async receive(file, { name, fields, limitTo, signal }) {
      const { assistant_id } = fields;
      // Known before the file: then a wrong assistant or too large a file ends the upload early.
      const isKnown = typeof assistant_id === 'string';
      const bytes = limitTo(isKnown ? await maxBytesOf(userId, assistant_id, idempotencyKey, maxBytes) : maxBytes);
      return { name, staged: await stageWithin(deps, file, { userId, idempotencyKey, bytes, signal }) };
    },
    discard: ({ staged }) => staged.discard(),
  };
  const { fields, file } = await readForm(receiver, { maxBytes, idleMs });
  try {
    const { metadata = {} } = fields;
    const payload = ['voice', fields.assistant_id, file.staged.sha256, metadata];
    const replayed = await findReplayed(userId, idempotencyKey, payload);
    // It was kept before its session was stored; if it is gone since, it was removed.
    if (replayed) return { replayed };
    const assistant = await findAssistantOfType(userId, fields.assistant_id, 'voice');
    const described = await checkAudio(file.staged, { name: file.name, assistant, maxBytes });
    const claim = await claimSession(userId, idempotencyKey, payload);
    const audio = { ...described, key: claim.sessionId };
    // A replay does this too, because its first request may never have come so far.
    await file.staged.keepAs(audio.key);
    if (claim.isReplay) await removeIfRemoved(deps, claim.sessionId);
    return { ...claim, assistant, audio, metadata };
  } finally {
    await file.staged.discard();
  }
}

interface Arrival {
  userId: string;
  idempotencyKey: string | undefined;
  /** The most that the recording can have. */
  bytes: number;
  signal: AbortSignal;
}

/** Receives the file where there is room for it on the disk, and within the user's quota. */
async function stageWithin(
  deps: Pick<Deps, 'audio' | 'config' | 'diskRoom'>,
  file: Readable,
  { userId, idempotencyKey, bytes, signal }: Arrival,
): Promise<StagedAudio> {
  if (!(await isKeyKnown(userId, idempotencyKey))) await requireStorageQuota(deps, userId, { added: bytes });
  const giveBack = await deps.diskRoom.take(userId, bytes);
  try {
    return await deps.audio.stage(file, signal, { isOwned: true });
  } finally {
    giveBack();
  }
}

/**
 * Returns the size of the largest recording that the assistant's vendor takes. The assistant of a replay may be
 * deleted.
 */
async function maxBytesOf(userId: string, assistantId: string, key: string | undefined, maxBytes: number) {
  const assistant = await AssistantModel.findOwned(userId, assistantId);
  if (!assistant && (await isKeyKnown(userId, key))) return maxBytes;
  return maxBytesFor(await findAssistantOfType(userId, assistantId, 'voice'), maxBytes);
}

/** Removes a recording again whose session was stored, ended and lost its recording while this one was on its way. */
async function removeIfRemoved({ audio }: Pick<Deps, 'audio'>, sessionId: string): Promise<void> {
  const row = await SessionModel.query().select('audio').findById(sessionId);
  if (row?.audio === null) await audio.remove(sessionId);
}

/** Creates the session and hands it to Temporal; if that fails, the recording goes with the session. */
export async function submitVoice(deps: Deps, submission: VoiceSubmission): Promise<void> {
  const { sessionId, assistant, audio, metadata } = submission;
  try {
    await storeAndStart(deps, {
      id: sessionId,
      user_id: assistant.user_id,
      assistant_id: assistant.id,
      type: 'voice',
      assistant: assistant.freeze(),
      assistant_version: assistant.version,
      on_vendor_outage: assistant.on_vendor_outage,
      audio,
      metadata,
      simulated: isSimulated(deps, assistant),
    });
  } catch (error) {
    await removeUnlessAccepted(deps, audio.key);
    throw error;
  }
}

/**
 * Removes a recording whose session was not stored; one may be there although its insertion timed out. Should this fail
 * too, a sweep finds what no session has.
 */
async function removeUnlessAccepted({ audio }: Pick<Deps, 'audio'>, sessionId: string): Promise<void> {
  try {
    if (!(await SessionModel.query().findById(sessionId))) await audio.remove(sessionId);
  } catch {
    return;
  }
}

function isSimulated({ config }: Pick<Deps, 'config'>, { stt_provider, llm_provider }: AssistantModel): boolean {
  const { providers } = config;
  return providers[llm_provider].isSimulated || (stt_provider !== null && providers[stt_provider].isSimulated);
}
