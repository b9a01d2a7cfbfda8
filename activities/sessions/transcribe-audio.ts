import { openAsBlob } from 'node:fs';
import type { SessionStatus } from '../../contract/constants.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import { rolesOfChannels } from '../roles/known-roles.ts';
import type { StepInput } from './analyze-conversation.ts';
import { closePaid, NoSlotError, recordCall } from '../vendors/record-call.ts';
import type { RecordCallDeps } from '../vendors/record-call.ts';
import { VendorError } from '../vendors/vendor-error.ts';
import { enterStep } from './enter-step.ts';
import { runStep } from './run-step.ts';
import { duringOutages } from './vendor-outage.ts';
import type { OutageDeps } from './vendor-outage.ts';
import type { SttProviders } from '../vendors/stt/index.ts';

export interface TranscribeAudioDeps extends RecordCallDeps, OutageDeps {
  stt: SttProviders;
  audio: AudioStore;
  /** Bound of one transcription, including the time to fetch the recording. */
  sttTimeoutMs: number;
}

export interface TranscriptionOutcome {
  /** `transcribed` means that the analysis may begin; otherwise the session must wait, has ended, or is `gone`. */
  status: 'transcribed' | SessionStatus | 'gone';
}

/**
 * Returns the activity that transcribes a recording. The transcript is stored before it is reported, so that one that
 * is stored is never paid for again.
 */
export function createTranscribeAudio(deps: TranscribeAudioDeps) {
  return async function transcribeAudio({ session_id }: StepInput): Promise<TranscriptionOutcome> {
    const session = await enterStep(deps, session_id, 'transcription');
    if (!session) return outcomeOfEnded(session_id);
    if (session.transcript) return { status: 'transcribed' };
    const run = (as: SessionModel, retryWindowMs: number) =>
      runStep('transcription', as, retryWindowMs, (signal) => transcribe(deps, as, signal));
    const { stt_provider: provider } = session.assistant;
    if (!provider) throw new TypeError('a voice session has an STT provider');
    try {
      const isStored = await duringOutages(deps, { session, step: 'transcription', provider, run });
      return isStored === true ? { status: 'transcribed' } : await outcomeOfEnded(session_id);
    } catch (error) {
      if (error instanceof NoSlotError) return outcomeOfEnded(session_id);
      throw error;
    }
  };
}

/**
 * Lowest bit rate of speech, Opus at 6 kbit/s. A recording that does not tell its length can't be longer than this
 * allows.
 */
const MIN_BYTES_PER_S = 750;

/** Transcribes the recording and stores the transcript. Returns false if the session ended meanwhile. */
async function transcribe(deps: TranscribeAudioDeps, session: SessionModel, signal: AbortSignal): Promise<boolean> {
  const { audio, assistant, answered_by } = session;
  if (!audio || !assistant.stt_provider) throw new TypeError('a voice session has audio and an STT provider');
  const { stt_provider: provider, stt_model: model, stt_language: language, channel_roles = null } = assistant;
  const { key, file_name: fileName, media_type: mediaType, duration_s: durationS, bytes } = audio;
  // Each channel is billed for the whole length.
  const estimate = { audio_seconds: (channel_roles?.length ?? 1) * (durationS ?? bytes / MIN_BYTES_PER_S) };
  const roles = channel_roles && rolesOfChannels(channel_roles);
  const tooLate = new AbortController();
  const lateness = new VendorError('timeout', 'did not get and transcribe the recording in time', { provider });
  const timer = setTimeout(() => tooLate.abort(lateness), deps.sttTimeoutMs);
  const bound = AbortSignal.any([signal, tooLate.signal]);
  const send = async (path: string) => {
    const file = await openAsBlob(path, { type: mediaType });
    const request = {
      ...{ audio: file, fileName, mediaType, durationS, model, channelRoles: channel_roles },
      ...{ language: language ?? '', signal: bound },
    };
    return recordCall(
      deps,
      // A transcript that was paid for is stored, however late it comes.
      { session, step: 'transcription', provider, model, estimate, signal },
      (job) => deps.stt[provider].transcribe(request, job),
      ({ transcript, turns: conversation }) =>
        (paid) =>
          closePaid(paid, (trx) =>
            SessionModel.storeTranscript(session.id, { transcript, conversation, roles, answered_by }, trx),
          ),
    );
  };
  return deps.audio.useFile(key, send, bound).finally(() => clearTimeout(timer));
}

async function outcomeOfEnded(sessionId: string): Promise<TranscriptionOutcome> {
  return { status: (await SessionModel.findStatus(sessionId)) ?? 'gone' };
}
