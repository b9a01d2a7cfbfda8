/** What every language-model vendor implements, in one file each. */
import type { CallUsage } from '../../../db/models/vendor-call.ts';

export interface LlmRequest {
  model: string;
  /** Instructions. */
  system: string;
  /** The conversation, fenced as data. */
  user: string;
  /** 0.0 to 1.0; null: not sent. */
  temperature: number | null;
  maxOutputTokens: number;
  signal: AbortSignal;
}

export interface LlmAnswer {
  text: string;
  /** The vendor stopped at `maxOutputTokens`; `text` is cut. */
  isTruncated: boolean;
  /** null: the vendor did not say, or said something absurd. */
  usage: CallUsage | null;
  /** The vendor's own charge in US dollars, where it sends one. */
  costUsd?: number;
  vendorRequestId: string | null;
  /** The vendor's whole answer, kept with the call. */
  vendorResponse: unknown;
}

/** Throws `VendorError` for whatever the vendor does wrong; any other error is a bug here. */
export interface LlmProvider {
  complete(request: LlmRequest): Promise<LlmAnswer>;
}
