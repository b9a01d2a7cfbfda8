/**
 * OpenAI's transcription API and compatible servers.
 * https://developers.openai.com/api/docs/api-reference/audio/createTranscription
 */
import type { TranscriptionCreateParamsNonStreaming } from 'openai/resources/audio/transcriptions';
import { z } from 'zod';
import { STT_PROVIDER_FACTS } from '../../../contract/values/providers.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { boundedCall } from '../bounded-call.ts';
import { tokenCount } from '../token-count.ts';
import type { ProviderReach } from '../load-provider.ts';
import { classifyOpenAiError, createOpenAiClient, readApiError, type OpenAiClientOptions } from '../openai-client.ts';
import { unreadable } from '../provider-error.ts';
import { languageCode, type SttProviderName } from '../../../contract/values/constants.ts';
import type { SttAnswer, SttProvider, SttRequest } from './provider.ts';
import { audioUsage, buildTranscript, reportedSeconds, reportedText, withoutInvented } from './transcript.ts';

export const createProvider = ({ baseUrl, ...reach }: ProviderReach): SttProvider =>
  createTranscriber({ ...reach, provider: 'whisper', baseUrl: baseUrl ?? 'https://api.openai.com/v1' });

interface TranscriberOptions extends OpenAiClientOptions {
  provider: SttProviderName;
}

export function createTranscriber(options: TranscriberOptions): SttProvider {
  const { provider, timeoutMs } = options;
  const client = createOpenAiClient(options);

  /** Models that refused `verbose_json`. */
  const plainModels = new Set<string>();

  /** If the server does not support the format, requests plain JSON instead: nothing was transcribed. */
  async function send(request: SttRequest, signal: AbortSignal) {
    const body = buildRequest(provider, request);
    const post = (format: Format) => client.audio.transcriptions.create({ ...body, ...format }, { signal });
    const format = plainModels.has(body.model) ? PLAIN : formatOf(body.model);
    try {
      return await post(format).withResponse();
    } catch (error) {
      if (format.response_format !== 'verbose_json' || !refusesFormat(error)) throw error;
      plainModels.add(body.model);
      return post(PLAIN).withResponse();
    }
  }

  function transcribe(request: SttRequest): Promise<SttAnswer> {
    const { signal } = request;
    const classify = (error: unknown) => classifyOpenAiError(error, { provider, step: 'transcription' });
    return boundedCall({ provider, timeoutMs, signal, classify }, async (bound) => {
      const { data, request_id, response } = await send(request, bound);
      const details = { httpStatus: response.status, providerRequestId: request_id ?? null };
      const answer = readAnswer(data, request.durationS);
      if (!answer) throw unreadable(provider, details);
      return { ...answer, providerRequestId: details.providerRequestId };
    });
  }

  return { transcribe };
}

type Format = Pick<TranscriptionCreateParamsNonStreaming, 'response_format' | 'chunking_strategy'>;

const PLAIN: Format = { response_format: 'json' };

/** Returns the format with speakers, the one with times, or the only one of OpenAI's `gpt-` models. */
function formatOf(model: string): Format {
  if (/-diarize\b/.test(model)) return { response_format: 'diarized_json', chunking_strategy: 'auto' };
  return model.startsWith('gpt-') ? PLAIN : { response_format: 'verbose_json' };
}

function refusesFormat(error: unknown): boolean {
  const { status, message } = readApiError(error);
  return (status === 400 || status === 422) && /response_format|verbose_json/.test(message ?? '');
}

function buildRequest(provider: SttProviderName, { audio, fileName, mediaType, model: wished, language }: SttRequest) {
  const model = wished ?? STT_PROVIDER_FACTS[provider].default_model ?? '';
  const code = languageCode(language);
  return {
    model,
    ...(code !== undefined && (model.startsWith('gpt-transcribe') ? { languages: [code] } : { language: code })),
    file: new File([audio], fileName, { type: mediaType }),
  } satisfies TranscriptionCreateParamsNonStreaming;
}

/** A figure of a segment. An invalid value counts as not reported. */
const reportedFigure = z.number().optional().catch(undefined);

const SegmentSchema = z.object({
  text: z.string(),
  start: reportedSeconds,
  end: reportedSeconds,
  speaker: reportedText,
  no_speech_prob: reportedFigure,
  avg_logprob: reportedFigure,
  compression_ratio: reportedFigure,
});

/** Accepts the responses of all formats: a compatible server may send only the text in any case. */
const AnswerSchema = z.object({
  text: z.string(),
  segments: z.array(SegmentSchema).catch([]),
  language: reportedText,
  languages: z.array(z.object({ code: reportedText })).catch([]),
  duration: reportedSeconds,
  usage: z.unknown().optional(),
});

/** Returns undefined for a response that is not a transcript. */
function readAnswer(data: unknown, measuredS: number | null): Omit<SttAnswer, 'providerRequestId'> | undefined {
  const { data: answer } = AnswerSchema.safeParse(data);
  if (!answer) return undefined;
  const { text, segments, language, languages, duration, usage } = answer;
  const pieces = withoutInvented(segments);
  const isComplete = pieces.length === segments.length;
  return {
    ...buildTranscript({
      // The provider's text contains what it invented.
      text: isComplete ? text : pieces.map((piece) => piece.text.trim()).join(' '),
      pieces,
      separator: ' ',
      language: language ?? languages[0]?.code,
      durationS: duration ?? measuredS ?? undefined,
    }),
    usage: readUsage(usage, duration, measuredS),
    providerResponse: data,
  };
}

const UsageSchema = z.object({
  seconds: reportedSeconds,
  input_tokens: z.unknown().optional(),
  output_tokens: z.unknown().optional(),
  input_token_details: z.object({ audio_tokens: z.unknown().optional() }).optional().catch(undefined),
});

function readUsage(wire: unknown, duration: number | undefined, measuredS: number | null): CallUsage | null {
  const { data } = UsageSchema.safeParse(wire);
  const seconds = audioUsage(data?.seconds, duration, measuredS);
  const input_tokens = tokenCount(data?.input_tokens);
  const output_tokens = tokenCount(data?.output_tokens);
  if (input_tokens === undefined || output_tokens === undefined) return seconds;
  const audio = tokenCount(data?.input_token_details?.audio_tokens);
  const isPart = audio !== undefined && audio <= input_tokens;
  return { ...seconds, input_tokens, ...(isPart && { input_audio_tokens: audio }), output_tokens };
}
