import { openAsBlob } from 'node:fs';
import type { SessionStatus } from '../../contract/values/constants.ts';
import type { StepInput } from '../../contract/workflows.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { SessionModel } from '../../db/models/session.ts';
import { RedactionError } from '../../redaction/redaction-error.ts';
import { beginStep } from '../../db/queries/session-status.ts';
import type { RedactSessionDeps } from '../../redaction/redact-session.ts';
import { requireRecognizer } from '../../redaction/redactor.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { closeCall, recordCall } from '../providers/record-call.ts';
import type { RecordCallDeps } from '../providers/record-call.ts';
import type { SttProviders } from '../providers/stt/index.ts';
import { retryWhileDatabaseDown } from '../retry-while-database-down.ts';
import { rolesOfChannels } from '../roles/known-roles.ts';
import { redactTranscript } from './redact.ts';
import { requireEnded, runStep } from './run-step.ts';
import type { RunStepDeps } from './run-step.ts';

export interface TranscribeAudioDeps extends RecordCallDeps, RedactSessionDeps, RunStepDeps {
  stt: SttProviders;
  audio: AudioStore;
  /** Time limit of one transcription, including fetching the recording. */
  sttTimeoutMs: number;
}

export interface TranscriptionOutcome {
  /** `transcribed` if the analysis can begin; otherwise the session has ended, or is `gone`. */
  status: 'transcribed' | SessionStatus | 'gone';
}

/**
 * Returns the activity that transcribes a recording. The transcript is stored before the activity returns, so a stored
 * transcript is never paid for twice.
 */
export function createTranscribeAudio(deps: TranscribeAudioDeps) {
  return async function transcribeAudio({ session_id, caller }: StepInput): Promise<TranscriptionOutcome> {
    const begun = await beginStep(session_id, 'transcription', deps.gates.findFull('transcription', caller));
    if (begun) {
      if (begun.hasTranscript) return { status: 'transcribed' };
      const { stt_provider: provider } = begun.session.assistant;
      if (!provider) throw new TypeError('a voice session has an STT provider');
      const run = (session: SessionModel, signal: AbortSignal) => transcribe(deps, session, signal);
      // A transcript that cannot be redacted is lost, but paid for.
      const prepare = ({ assistant }: SessionModel, signal: AbortSignal) =>
        requireRecognizer(deps.redactor, assistant.redaction?.entities ?? [], signal);
      const isStored = await runStep(deps, { ...begun, step: 'transcription', provider, caller, prepare, run });
      if (isStored) return { status: 'transcribed' };
    }
    return { status: await requireEnded(deps, session_id, 'transcription', caller) };
  };
}

/** Lowest bit rate of speech, Opus at 6 kbit/s. It limits the length of a recording that does not state its length. */
const MIN_BYTES_PER_S = 750;

/** Transcribes the recording and stores the transcript. Returns false if the session has ended. */
async function transcribe(deps: TranscribeAudioDeps, session: SessionModel, signal: AbortSignal): Promise<boolean> {
  const { audio, assistant, answered_by } = session;
  if (!audio || !assistant.stt_provider) throw new TypeError('a voice session has audio and an STT provider');
  const {
    stt_provider: provider,
    stt_model: model,
    stt_language: language,
    channel_roles: channelRoles = null,
  } = assistant;
  const { key, file_name: fileName, media_type: mediaType, duration_s: durationS, bytes } = audio;
  // Each channel is billed for the whole length.
  const estimate = { audio_seconds: (channelRoles?.length ?? 1) * (durationS ?? bytes / MIN_BYTES_PER_S) };
  const roles = channelRoles && rolesOfChannels(channelRoles);
  const deadline = new AbortController();
  const timeout = new ProviderError('timeout', 'did not get and transcribe the recording in time', { provider });
  const timer = setTimeout(() => deadline.abort(timeout), deps.sttTimeoutMs);
  const bound = AbortSignal.any([signal, deadline.signal]);
  const send = async (path: string) => {
    const file = await openAsBlob(path, { type: mediaType });
    const request = { audio: file, fileName, mediaType, durationS, model, channelRoles, language: language ?? '' };
    const call = { session, step: 'transcription', provider, model, estimate, signal } as const;
    const { report, paid } = await recordCall(deps, call, (job) =>
      deps.stt[provider].transcribe({ ...request, signal: bound }, job),
    );
    // The response contains every word.
    const kept = assistant.redaction ? { provider_response: null } : {};
    const { content, sealed } = await redactTranscript(deps, session, report, signal).catch(async (error: unknown) => {
      await retryWhileDatabaseDown(() => closeCall(paid, kept), signal);
      // A retry pays for the transcription again, so only a client or a batch starts it.
      throw error instanceof RedactionError && error.fault === 'unavailable'
        ? new RedactionError('failed', error.message)
        : error;
    });
    const store = () =>
      ProviderCallModel.transaction(async (trx) => {
        await closeCall(paid, kept, trx);
        return SessionModel.storeTranscript(session.id, { ...content, roles, answered_by }, sealed, trx);
      });
    // A paid transcript is stored even after the deadline.
    return retryWhileDatabaseDown(store, signal);
  };
  return deps.audio.useFile(key, send, bound).finally(() => clearTimeout(timer));
}
