/**
 * Calls OpenAI's transcription API, and servers that speak it.
 * https://developers.openai.com/api/docs/api-reference/audio/createTranscription
 */
import OpenAI from 'openai';
import type { TranscriptionCreateParamsNonStreaming } from 'openai/resources/audio/transcriptions';
import { z } from 'zod';
import { STT_PROVIDER_FACTS } from '../../../contract/providers.ts';
import { boundedCall, SDK_GRACE_MS } from '../bounded-call.ts';
import { tokenCount } from '../token-count.ts';
import { classifyOpenAiError } from '../openai-error.ts';
import { VendorError } from '../vendor-error.ts';
import { languageCode } from './language.ts';
import type { SttAnswer, SttProvider, SttReach, SttRequest } from './provider.ts';
import { buildTranscript, reportedSeconds, reportedText } from './transcript.ts';
import { audioUsage } from './usage.ts';
import type { SttUsage } from './usage.ts';

const provider = 'whisper';

export function createProvider({ apiKey, baseUrl, timeoutMs, fetch }: SttReach): SttProvider {
  // Every option is given, so that the SDK reads nothing from the environment. Its own log would hold conversations.
  const client = new OpenAI({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: timeoutMs + SDK_GRACE_MS,
    logLevel: 'off',
    fetch,
  });

  function transcribe(request: SttRequest): Promise<SttAnswer> {
    const { signal } = request;
    const classify = (error: unknown) => classifyOpenAiError(error, provider);
    return boundedCall({ provider, timeoutMs, signal, classify }, async (bound) => {
      const { data, request_id, response } = await client.audio.transcriptions
        .create(buildRequest(request), { signal: bound })
        .withResponse();
      return readAnswer(data, request_id ?? null, response.status, request.durationS);
    });
  }

  return { transcribe };
}

/** Returns the format to ask for. One format has times, another speakers, and each model has its own. */
function formatOf(model: string): Pick<TranscriptionCreateParamsNonStreaming, 'response_format' | 'chunking_strategy'> {
  if (/-diarize\b/.test(model)) return { response_format: 'diarized_json', chunking_strategy: 'auto' };
  return { response_format: /whisper/i.test(model) ? 'verbose_json' : 'json' };
}

function buildRequest({ audio, fileName, mediaType, model: wished, language }: SttRequest) {
  const model = wished ?? STT_PROVIDER_FACTS.whisper.default_model;
  const code = languageCode(language);
  return {
    model,
    ...formatOf(model),
    ...(code !== undefined && (model.startsWith('gpt-transcribe') ? { languages: [code] } : { language: code })),
    file: new File([audio], fileName, { type: mediaType }),
  } satisfies TranscriptionCreateParamsNonStreaming;
}

const SegmentSchema = z.object({
  text: z.string(),
  start: reportedSeconds,
  end: reportedSeconds,
  speaker: reportedText,
});

/** Accepts the answers of all formats: a compatible server may send only the text, whatever it was asked for. */
const AnswerSchema = z.object({
  text: z.string(),
  segments: z.array(SegmentSchema).catch([]),
  language: reportedText,
  languages: z.array(z.object({ code: reportedText })).catch([]),
  duration: reportedSeconds,
  usage: z.unknown().optional(),
});

function readAnswer(
  data: unknown,
  vendorRequestId: string | null,
  httpStatus: number,
  measuredS: number | null,
): SttAnswer {
  const { data: answer } = AnswerSchema.safeParse(data);
  if (!answer) {
    const details = { provider, httpStatus, vendorRequestId } as const;
    throw new VendorError('unavailable', 'sent an answer that could not be read', details);
  }
  const { text, segments, language, languages, duration, usage } = answer;
  return {
    ...buildTranscript({
      text,
      pieces: segments,
      separator: ' ',
      language: language ?? languages[0]?.code,
      durationS: duration ?? measuredS ?? undefined,
    }),
    usage: readUsage(usage, duration, measuredS),
    vendorRequestId,
    vendorResponse: data,
  };
}

const UsageSchema = z.object({
  seconds: reportedSeconds,
  input_tokens: z.unknown().optional(),
  output_tokens: z.unknown().optional(),
  input_token_details: z.object({ audio_tokens: z.unknown().optional() }).optional().catch(undefined),
});

/**
 * Returns the usage. Some models are billed by the second, some by the token; the length of the audio is known here in
 * any case.
 */
function readUsage(wire: unknown, duration: number | undefined, measuredS: number | null): SttUsage | null {
  const { data } = UsageSchema.safeParse(wire);
  const seconds = audioUsage(data?.seconds, duration, measuredS);
  const input_tokens = tokenCount(data?.input_tokens);
  const output_tokens = tokenCount(data?.output_tokens);
  if (input_tokens === undefined || output_tokens === undefined) return seconds;
  const audio = tokenCount(data?.input_token_details?.audio_tokens);
  const isPart = audio !== undefined && audio <= input_tokens;
  return { ...seconds, input_tokens, ...(isPart && { input_audio_tokens: audio }), output_tokens };
}
