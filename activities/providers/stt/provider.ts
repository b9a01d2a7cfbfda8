/** The interface of every speech-to-text provider. The file of its format exports `createProvider`. */
import type { Transcript, Turn } from '../../../contract/sessions/sessions.ts';
import type { Parameters, Steps } from '../policy/negotiate.ts';
import type { CallReport, ProviderJob } from '../policy/record-call.ts';

export interface SttRequest {
  /** The recording, backed by a file that is read while it is sent. */
  audio: Blob;
  /** File name with the extension for `mediaType`: some providers check it. */
  fileName: string;
  mediaType: string;
  /** Measured length in seconds; null if the container does not state it. */
  durationS: number | null;
  /** The model; null if the provider offers no choice. */
  model: string | null;
  /** The speaker of each channel; null: do not separate channels. Only for providers with a multichannel mode. */
  channelRoles: readonly string[] | null;
  /** A language code, or `Auto-Detect`. Spec §2.3. */
  language: string;
  /** The parameter with the terms that the model is told. */
  vocabulary?: Parameters;
  /** Which values of the parameters are sent. */
  steps?: Steps;
  signal: AbortSignal;
}

export interface SttAnswer extends CallReport {
  transcript: Transcript;
  /** Turns, with speaker and times if the provider returns them. Empty if nothing was said. */
  turns: Turn[];
}

/** Throws `ProviderError` for every fault of the provider. Any other error is a bug. */
export interface SttProvider {
  /** Returns what the request carries beyond model and recording. */
  parametersOf(request: SttRequest): Parameters;
  transcribe(request: SttRequest, job: ProviderJob): Promise<SttAnswer>;
}
