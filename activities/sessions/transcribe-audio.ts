import { openAsBlob } from 'node:fs';
import { ApplicationFailure } from '@temporalio/common';
import type { ProviderName, SessionStatus } from '../../contract/values/constants.ts';
import type { Caller, StepInput } from '../../contract/workflows.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { RedactionError } from '../../redaction/redaction-error.ts';
import { beginStep } from '../../db/queries/session-status.ts';
import { storeTranscript } from '../../db/queries/store-transcript.ts';
import type { RedactSessionDeps } from '../../redaction/redact-session.ts';
import { requireRecognizer } from '../../redaction/redactor.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import { adapt, showLeftOut } from '../providers/policy/negotiate.ts';
import { ProviderError } from '../providers/policy/provider-error.ts';
import { closeCall, recordCall, type RecordCallDeps } from '../providers/policy/record-call.ts';
import type { SttProviders } from '../providers/stt/index.ts';
import type { SttRequest } from '../providers/stt/provider.ts';
import { tellVocabulary } from '../providers/stt/vocabulary.ts';
import { retryWhileDatabaseDown } from '../retry-while-database-down.ts';
import { rolesOfChannels } from '../roles/known-roles.ts';
import { redactTranscript } from './redact.ts';
import { canceledOnRequest, requireEnded, runStep, type RunStepDeps } from './run-step.ts';

export interface TranscribeAudioDeps extends RecordCallDeps, RedactSessionDeps, RunStepDeps {
  stt: SttProviders;
  audio: AudioStore;
  /** Time limit for fetching the recording. The providers limit the transcription. */
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
    const step = 'transcription';
    const begun = await beginStep(session_id, step, deps.bulkheads.findWithoutSlot(step, caller));
    if (begun) {
      if (begun.hasTranscript) return { status: 'transcribed' };
      const { stt_provider: provider } = begun.session.assistant;
      if (!provider) throw new TypeError('a voice session has an STT provider');
      const run = (session: SessionModel, signal: AbortSignal) => transcribe(deps, session, caller, signal);
      // A transcript that cannot be redacted is lost, but paid for.
      const prepare = ({ assistant }: SessionModel, signal: AbortSignal) =>
        requireRecognizer(deps.redactor, assistant.redaction?.entities ?? [], signal);
      const isStored = await runStep(deps, { ...begun, step, provider, caller, prepare, run });
      if (isStored) return { status: 'transcribed' };
    }
    const refusal = (provider: ProviderName) => deps.bulkheads.refusal({ step, provider }, caller);
    return { status: await requireEnded(session_id, step, refusal) };
  };
}

/** Lowest bit rate of speech, Opus at 6 kbit/s. It limits the length of a recording that does not state its length. */
const MIN_BYTES_PER_S = 750;

/** Transcribes the recording and stores the transcript. Returns false if the session has ended. */
async function transcribe(
  deps: TranscribeAudioDeps,
  session: SessionModel,
  { payer }: Caller,
  signal: AbortSignal,
): Promise<boolean> {
  const { audio, assistant, answered_by } = session;
  if (!audio || !assistant.stt_provider) throw new TypeError('a voice session has audio and an STT provider');
  const { stt_provider: provider, stt_model: model, stt_language: language, channel_roles: named = null } = assistant;
  const channelRoles = audio.channels === undefined ? named : null;
  const { key, file_name: fileName, media_type: mediaType, duration_s: durationS, bytes } = audio;
  const { vocabulary, priceFactor, unfit } = tellVocabulary(provider, model, assistant.vocabulary);
  // Each channel is billed for the whole length.
  const estimate = {
    audio_seconds: priceFactor * (channelRoles?.length ?? 1) * (durationS ?? bytes / MIN_BYTES_PER_S),
  };
  const roles = channelRoles && rolesOfChannels(channelRoles);
  const deadline = new AbortController();
  const timeout = ApplicationFailure.retryable('the audio store did not deliver the recording in time', 'timeout');
  const timer = setTimeout(() => deadline.abort(timeout), deps.sttTimeoutMs);
  const send = async (path: string) => {
    clearTimeout(timer);
    const file = await openAsBlob(path, { type: mediaType });
    const said = { durationS, model, channelRoles, language: language ?? '', vocabulary };
    const request = { audio: file, fileName, mediaType, ...said, signal };
    const call = { session, step: 'transcription', provider, model, estimate, signal } as const;
    const stt = await deps.stt[provider]();
    const transcribeOnce = (adapted: SttRequest) => recordCall(deps, call, (job) => stt.transcribe(adapted, job));
    // A reply that is no transcript is requested again once.
    const transcribeTwice = (adapted: SttRequest) =>
      transcribeOnce(adapted).catch((error: unknown) => {
        if (error instanceof ProviderError && error.fault === 'incomplete') return transcribeOnce(adapted);
        throw error;
      });
    const { answer, leftOut } = await adapt(stt, request, transcribeTwice);
    const { report, paid } = answer;
    const all = [...(showLeftOut('transcription', leftOut) ?? []), ...unfit];
    const left_out = all.length > 0 ? all : null;
    // The response contains every word.
    const kept = assistant.redaction ? { provider_response: null } : {};
    const { content, sealed } = await redactTranscript(deps, session, { ...report, payer }, canceledOnRequest()).catch(
      async (error: unknown) => {
        await retryWhileDatabaseDown(() => closeCall(paid, kept));
        // A retry pays for the transcription again, so only a client or a batch starts it.
        throw error instanceof RedactionError && error.fault === 'unavailable'
          ? new RedactionError('failed', error.message)
          : error;
      },
    );
    const columns = { ...content, roles, answered_by, left_out };
    const end = paid.end && { ...paid.end, ...kept };
    // The job of the provider that the fallback replaced is lost.
    const options = { originals: sealed, call: end, closesLost: answered_by != null };
    return retryWhileDatabaseDown(() => storeTranscript(session.id, columns, options));
  };
  return deps.audio.useFile(key, send, AbortSignal.any([signal, deadline.signal])).finally(() => clearTimeout(timer));
}
