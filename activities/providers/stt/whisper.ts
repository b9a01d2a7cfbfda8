/**
 * OpenAI's transcription API and compatible servers.
 * https://developers.openai.com/api/docs/api-reference/audio/createTranscription
 */
import type { TranscriptionCreateParamsNonStreaming } from 'openai/resources/audio/transcriptions';
import { z } from 'zod';
import { readSubtitles } from '../../../clients/typescript/uploads/read-subtitles.ts';
import { STT_PROVIDER_FACTS } from '../../../contract/values/providers.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { valuesOf, type Parameters } from '../policy/negotiate.ts';
import { exchange } from '../transport/exchange.ts';
import { tokenCount, membersOf, readCharge } from '../transport/read-usage.ts';
import type { ProviderReach } from '../transport/load-provider.ts';
import { createOpenAiClient } from '../transport/openai-client.ts';
import { unreadableTranscript } from '../policy/provider-error.ts';
import { requestIdOf } from '../transport/read-reply.ts';
import { languageCode, type SttProviderName } from '../../../contract/values/constants.ts';
import type { SttAnswer, SttProvider, SttRequest } from './provider.ts';
import {
  audioUsage,
  buildTranscript,
  eachOf,
  reportedSeconds,
  reportedText,
  spokenText,
  withoutInvented,
} from './transcript.ts';

export function createProvider(reach: ProviderReach<SttProviderName>): SttProvider {
  const { provider, timeoutMs } = reach;
  const client = createOpenAiClient('transcription', reach);
  const modelOf = ({ model }: SttRequest) => model ?? STT_PROVIDER_FACTS[provider].default_model ?? '';
  const parametersOf = (request: SttRequest) => ({
    ...formatsOf(modelOf(request), request.language),
    ...request.vocabulary,
  });

  async function transcribe(request: SttRequest): Promise<SttAnswer> {
    const { audio, fileName, mediaType, steps, signal } = request;
    const file = new File([audio], fileName, { type: mediaType });
    const values = valuesOf(parametersOf(request), steps);
    const form: TranscriptionCreateParamsNonStreaming = { model: modelOf(request), file, ...values };
    const { body, headers } = await exchange<unknown>({ provider, timeoutMs, signal }, (bound) =>
      client.audio.transcriptions.create(form, { signal: bound }),
    );
    const answer = readTranscription(body, request.durationS);
    if (!answer) throw unreadableTranscript(provider, { httpStatus: 200, ...requestIdOf(headers, body) });
    return { ...answer, ...requestIdOf(headers, body), costUsd: readCharge(membersOf(body)['usage'], headers) };
  }

  return { parametersOf, transcribe };
}

/** The format with speakers, the one with times, or the only one of OpenAI's `gpt-` models. */
function formatsOf(model: string, language: string): Parameters {
  const isDiarized = /-diarize\b/.test(model);
  const code = languageCode(language);
  const best = isDiarized ? 'diarized_json' : model.startsWith('gpt-') ? 'json' : 'verbose_json';
  return {
    response_format: best === 'json' ? [best] : [best, 'json'],
    chunking_strategy: isDiarized ? ['auto'] : [],
    ...(code !== undefined && (model.startsWith('gpt-transcribe') ? { languages: [[code]] } : { language: [code] })),
  };
}

/** A figure of a segment. An invalid value counts as not reported. */
const reportedFigure = z.number().optional().catch(undefined);

const SegmentSchema = z.object({
  text: spokenText,
  start: reportedSeconds,
  end: reportedSeconds,
  speaker: reportedText,
  no_speech_prob: reportedFigure,
  avg_logprob: reportedFigure,
  compression_ratio: reportedFigure,
});

/** Accepts the responses of all formats: a compatible server may send only the text in any case. */
const AnswerSchema = z
  .object({
    text: spokenText.optional(),
    segments: eachOf(SegmentSchema),
    language: reportedText,
    languages: eachOf(z.object({ code: reportedText })),
    duration: reportedSeconds,
    usage: z.unknown().optional(),
  })
  .refine(({ text, segments }) => text !== undefined || segments.length > 0);

/** Returns undefined for a response that is not a transcript. */
function readTranscription(data: unknown, measuredS: number | null): Omit<SttAnswer, 'providerRequestId'> | undefined {
  const { data: answer } = AnswerSchema.safeParse(data);
  if (!answer) return undefined;
  const { text, language, languages, duration, usage } = answer;
  const segments = answer.segments.length > 0 ? answer.segments : readCues(text);
  const pieces = withoutInvented(segments);
  const isComplete = pieces.length === segments.length;
  return {
    ...buildTranscript({
      // The provider's text contains what it invented.
      text: isComplete && text !== undefined ? text : pieces.map((piece) => piece.text.trim()).join(' '),
      pieces,
      separator: ' ',
      language: language ?? languages[0]?.code,
      durationS: duration ?? measuredS ?? undefined,
    }),
    usage: readUsage(usage, duration, measuredS),
    providerResponse: data,
  };
}

/** Returns the cues of a transcript in WebVTT or SubRip. */
function readCues(text = ''): z.output<typeof SegmentSchema>[] {
  try {
    const turns = readSubtitles(text.replaceAll(/\r\n?/g, '\n'), [], '')?.turns ?? [];
    return turns.map(({ role, text: said, start_s: start, end_s: end }) => ({
      speaker: role || undefined,
      text: said,
      start,
      end,
    }));
  } catch {
    return [];
  }
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
