/** The interface that every speech-to-text vendor implements, each in one file. */
import type { Transcript, Turn } from '../../../contract/sessions.ts';
import type { ProviderAccess } from '../../../runtime/config.ts';
import type { UploadFetch } from '../../../runtime/outbound/upload-fetch.ts';
import type { CallReport, VendorJob } from '../record-call.ts';

export interface SttRequest {
  /** The recording, backed by a file: it is read as it is sent, and never held in memory whole. */
  audio: Blob;
  /** Name of the file, with the extension that fits `mediaType`: some vendors judge by it. */
  fileName: string;
  mediaType: string;
  /** Measured length in seconds; null where the container does not say. */
  durationS: number | null;
  /** The model; null where the vendor offers no choice. */
  model: string | null;
  /** Who speaks on each channel; null where the channels are not to be told apart. Only for vendors with such a mode. */
  channelRoles: readonly string[] | null;
  /** A language code, or `Auto-Detect`. Spec §2.3. */
  language: string;
  signal: AbortSignal;
}

export interface SttAnswer extends CallReport {
  transcript: Transcript;
  /** Turns with speaker and times where the vendor gives them. There is at least one, unless nothing was said. */
  turns: Turn[];
}

/** Transcribes a recording. Throws `VendorError` for whatever the vendor does wrong; any other error is a bug here. */
export interface SttProvider {
  transcribe(request: SttRequest, job: VendorJob): Promise<SttAnswer>;
}

/** How a vendor is reached. */
export interface SttReach extends Pick<ProviderAccess, 'apiKey' | 'baseUrl'> {
  /** Bound of one transcription. */
  timeoutMs: number;
  fetch: UploadFetch;
  /** Milliseconds between requests for the state of a job; undefined: as the vendor wants them. */
  pollMs?: number | undefined;
}

/** What the file of each vendor exports; it is found by the vendor's name. */
export interface SttAdapter {
  createProvider: (reach: SttReach) => SttProvider;
}
