/** What every speech-to-text vendor implements, in one file each. */
import type { Transcript, Turn } from '../../contract/sessions.ts';
import type { CallReport } from '../ledger.ts';

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

/** A job that the vendor works on by itself, so that a crash of ours neither loses nor repeats what is paid for. */
export interface SttJob {
  /** What an earlier run of the same call submitted; null: nothing yet. */
  id: string | null;
  /** Stores the id; called once, right after the vendor took the job. */
  save(id: string): Promise<void>;
}

export interface SttAnswer extends CallReport {
  transcript: Transcript;
  /** With speaker and times where the vendor gives them; at least one turn, unless nothing was said. */
  turns: Turn[];
}

/** Throws `VendorError` for whatever the vendor does wrong; any other error is a bug here. */
export interface SttProvider {
  transcribe(request: SttRequest, job: SttJob): Promise<SttAnswer>;
}
