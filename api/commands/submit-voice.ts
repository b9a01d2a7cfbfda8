import type { IncomingMessage } from 'node:http';
import { submitVoiceRequest } from '../../contract/requests.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { StoredAudio } from '../../db/models/session.ts';
import type { StagedAudio } from '../../runtime/audio-store.ts';
import { describeAudio, maxBytesFor } from '../audio/describe-audio.ts';
import type { ApiDeps } from '../deps.ts';
import { readUpload } from '../http/read-upload.ts';
import type { FileReceiver } from '../http/read-upload.ts';
import { findAssistantOfType } from './find-assistant.ts';
import { startOrWithdraw } from './start-or-withdraw.ts';

type Deps = Pick<ApiDeps, 'audio' | 'config' | 'temporal'>;

export interface VoiceSubmission {
  sessionId: string;
  userId: string;
  assistant: AssistantModel;
  audio: StoredAudio;
  metadata: Record<string, string>;
}

/** Reads the form and stores its recording under the session's id. A form that does not pass leaves nothing behind. */
export async function receiveVoice(
  deps: Pick<Deps, 'audio' | 'config'>,
  { request, sessionId, userId }: { request: IncomingMessage; sessionId: string; userId: string },
): Promise<VoiceSubmission> {
  const { maxBytes, uploadIdleMs: idleMs } = deps.config.audio;
  const receiver: FileReceiver<{ name: string; staged: StagedAudio }> = {
    async receive(file, { name, fields, limitTo, signal }) {
      // Known before the file: then a wrong assistant or too large a file ends the upload early.
      if (typeof fields['assistant_id'] === 'string') {
        limitTo(maxBytesFor(await findAssistantOfType(userId, fields['assistant_id'], 'voice'), maxBytes));
      }
      return { name, staged: await deps.audio.stage(file, signal) };
    },
    discard: ({ staged }) => staged.discard(),
  };
  const { fields, file } = await readUpload(request, submitVoiceRequest.upload, receiver, { maxBytes, idleMs });
  try {
    const assistant = await findAssistantOfType(userId, fields.assistant_id, 'voice');
    const audio = await describeAudio(file.staged, { key: sessionId, name: file.name, assistant, maxBytes });
    await file.staged.keepAs(audio.key);
    return { sessionId, userId, assistant, audio, metadata: fields.metadata ?? {} };
  } finally {
    await file.staged.discard();
  }
}

/** Creates the session and hands it to Temporal; if that fails, the recording goes with the session. */
export async function submitVoice(deps: Deps, submission: VoiceSubmission): Promise<void> {
  const { sessionId, userId, assistant, audio, metadata } = submission;
  const session = { id: sessionId, user_id: userId, assistant_id: assistant.id, type: 'voice' as const };
  const simulated = isSimulated(deps, assistant);
  try {
    await SessionModel.query().insert({ ...session, assistant: assistant.freeze(), audio, metadata, simulated });
    await startOrWithdraw(deps, session);
  } catch (error) {
    await removeUnlessAccepted(deps, audio.key);
    throw error;
  }
}

/** A session may be there although its insertion timed out. Should this fail too, a sweep finds what no session has. */
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
