/** What every speech-to-text vendor implements, in one file each. */
import type { Transcript, Turn } from '../../../contract/sessions.ts';
import type { CallReport, VendorJob } from '../record-call.ts';

export interface SttRequest {
  /** Backed by a file: read as it is sent, never held in memory whole. */
  audio: Blob;
  /** Has the extension that fits `mediaType`: some vendors judge by it. */
  fileName: string;
  mediaType: string;
  /** Measured; null where the container does not say. */
  durationS: number | null;
  /** null: the vendor has no choice of models. */
  model: string | null;
  /** A language code, or `Auto-Detect`. Spec §2.3. */
  language: string;
  signal: AbortSignal;
}

export interface SttAnswer extends CallReport {
  transcript: Transcript;
  /** With speaker and times where the vendor gives them; at least one turn, unless nothing was said. */
  turns: Turn[];
}

/** Throws `VendorError` for whatever the vendor does wrong; any other error is a bug here. */
export interface SttProvider {
  transcribe(request: SttRequest, job: VendorJob): Promise<SttAnswer>;
}
