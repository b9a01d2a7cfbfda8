/** Anthropic's Messages API. https://platform.claude.com/docs/en/api/messages */
import Anthropic, { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import type { Message } from '@anthropic-ai/sdk/resources/messages';
import type { CallUsage } from '../../../db/models/vendor-call.ts';
import { boundedCall, SDK_GRACE_MS } from '../bounded-call.ts';
import { errorOfStatus, refusesSchema, retryAfterMs, VendorError } from '../vendor-error.ts';
import type { LlmAnswer, LlmProvider, LlmReach, LlmRequest } from './provider.ts';
import { tokenCount } from '../token-count.ts';

const provider = 'anthropic';

export function createProvider({ apiKey, baseUrl, timeoutMs }: LlmReach): LlmProvider {
  const client = new Anthropic({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: timeoutMs + SDK_GRACE_MS,
    logLevel: 'off',
  });

  /** Asks the model. The temperature is never sent: the API's current version refuses it for every model. */
  function complete({ model, system, user, schema, maxOutputTokens, signal }: LlmRequest): Promise<LlmAnswer> {
    return boundedCall({ provider, timeoutMs, signal, classify }, async (bound) => {
      const message = await client.messages.create(
        {
          model,
          max_tokens: maxOutputTokens,
          system,
          messages: [{ role: 'user', content: user }],
          output_config: { format: { type: 'json_schema', schema: { ...schema } } },
        },
        // The time-out is given here as well: without it the SDK refuses a large `max_tokens` by itself.
        { signal: bound, timeout: timeoutMs + SDK_GRACE_MS },
      );
      return readAnswer(message);
    });
  }

  return { complete };
}

function readAnswer(message: Message & { _request_id?: string | null }): LlmAnswer {
  const usage = readUsage(message);
  const vendorRequestId = message._request_id ?? null;
  const details = { provider, httpStatus: 200, vendorRequestId, ...(usage && { usage }) } as const;
  if (message.stop_reason === 'refusal') throw new VendorError('refused', 'declined to process this content', details);
  const isTruncated = message.stop_reason === 'max_tokens';
  const block = message.content?.find((part) => part.type === 'text');
  const text = typeof block?.text === 'string' ? block.text : '';
  if (text === '' && !isTruncated) throw new VendorError('unavailable', 'answered without content', details);
  return { text, isTruncated, usage, vendorRequestId, vendorResponse: message };
}

/** Returns the vendor's counts. Its `input_tokens` leaves out tokens read from or written to the cache. */
function readUsage({ usage }: Message): CallUsage | null {
  const uncached = tokenCount(usage?.input_tokens);
  const output_tokens = tokenCount(usage?.output_tokens);
  if (uncached === undefined || output_tokens === undefined) return null;
  const read = tokenCount(usage.cache_read_input_tokens) ?? 0;
  const written = tokenCount(usage.cache_creation_input_tokens) ?? 0;
  return { input_tokens: uncached + read + written, output_tokens, ...(read && { cache_read_tokens: read }) };
}

/** The fields that the SDK's class leaves to its type parameters. */
interface ApiErrorFields {
  status?: number | undefined;
  type?: string | null | undefined;
  requestID?: string | null | undefined;
  headers?: Headers | undefined;
  message: string;
}

function classify(error: unknown): VendorError {
  if (error instanceof APIConnectionError) return new VendorError('unavailable', 'could not be reached', { provider });
  const apiError: ApiErrorFields | undefined = error instanceof APIError ? error : undefined;
  if (typeof apiError?.status === 'number') {
    const { status, type, requestID, headers, message } = apiError;
    const retryAfter = retryAfterMs(headers?.get('retry-after'));
    const details = {
      provider,
      vendorRequestId: requestID ?? null,
      ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
      refusesSchema: refusesSchema(status, message),
    } as const;
    return errorOfStatus(status, details, type === 'billing_error' ? 'quota_exceeded' : undefined);
  }
  return new VendorError('unavailable', 'sent an answer that could not be read', { provider });
}
