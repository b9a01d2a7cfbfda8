/** The interface that every language-model vendor implements, each in one file. */
import type { JsonSchema } from '../../fields/fields-schema.ts';
import type { CallUsage } from '../../../db/models/vendor-call.ts';
import type { ProviderAccess } from '../../../runtime/config.ts';

export interface LlmRequest {
  model: string;
  /** The instructions. */
  system: string;
  /** The conversation, fenced as data. */
  user: string;
  /** What the answer is to be like. */
  schema: JsonSchema;
  /** Sampling temperature, 0.0 to 1.0; null where none is to be sent. */
  temperature: number | null;
  maxOutputTokens: number;
  signal: AbortSignal;
}

export interface LlmAnswer {
  text: string;
  /** True if the vendor stopped at `maxOutputTokens`, so that `text` is cut off. */
  isTruncated: boolean;
  /** The vendor's counts; null where it sent none or absurd ones. */
  usage: CallUsage | null;
  /** The charge in US dollars, where the vendor sends one. */
  costUsd?: number;
  vendorRequestId: string | null;
  /** The vendor's whole answer, kept with the call. */
  vendorResponse: unknown;
}

/** Calls a model. Throws `VendorError` for whatever the vendor does wrong; any other error is a bug here. */
export interface LlmProvider {
  complete(request: LlmRequest): Promise<LlmAnswer>;
}

/** How a vendor is reached. */
export interface LlmReach extends Pick<ProviderAccess, 'apiKey' | 'baseUrl'> {
  /** Bound of one call. */
  timeoutMs: number;
}

/** What the file of each vendor exports; it is found by the vendor's name. */
export interface LlmAdapter {
  createProvider: (reach: LlmReach) => LlmProvider;
}
