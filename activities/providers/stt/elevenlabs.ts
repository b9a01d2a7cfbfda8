/** ElevenLabs' Scribe. https://elevenlabs.io/docs/api-reference/speech-to-text/convert */
import { z } from 'zod';
import { STT_PROVIDER_FACTS } from '../../../contract/values/providers.ts';
import { vocabularyRule } from '../../../contract/values/vocabulary.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { valuesOf, type Parameters } from '../policy/negotiate.ts';
import { exchange } from '../transport/exchange.ts';
import type { ProviderReach } from '../transport/load-provider.ts';
import { ProviderError, unreadableTranscript } from '../policy/provider-error.ts';
import { readReplies } from '../transport/read-reply.ts';
import { membersOf, readCharge } from '../transport/read-usage.ts';
import { languageCode } from '../../../contract/values/constants.ts';
import type { SttAnswer, SttProvider, SttRequest } from './provider.ts';
import { mergeChannels } from './merge-channels.ts';
import {
  audioUsage,
  buildTranscript,
  eachOf,
  reportedSeconds,
  reportedText,
  spokenText,
  type Heard,
} from './transcript.ts';
import { replyDetails, exchangeJson, formOf, type ProviderReply } from './provider-http.ts';

const provider = 'elevenlabs';
const source = { provider, step: 'transcription' } as const;

export function createProvider(reach: ProviderReach): SttProvider {
  const { apiKey, baseUrl = 'https://api.elevenlabs.io', timeoutMs, fetch } = reach;
  const url = `${baseUrl}/v1/speech-to-text`;
  const headers = { 'xi-api-key': apiKey ?? 'none' };
  const read = readReplies(fetch, source);

  async function transcribe(request: SttRequest): Promise<SttAnswer> {
    const { channelRoles, steps, signal } = request;
    const model_id = request.model ?? STT_PROVIDER_FACTS.elevenlabs.default_model;
    const values: Record<string, unknown> = {
      model_id,
      ...(channelRoles && { use_multi_channel: true }),
      ...valuesOf(parametersOf(request), steps),
    };
    const body = formOf(values, 'file', request);
    const { body: reply } = await exchange({ provider, timeoutMs, signal }, (bound) =>
      exchangeJson(read, url, { method: 'POST', headers, body, signal: bound }),
    );
    const { price_factor: factor = 1 } = vocabularyRule(provider, model_id) ?? {};
    const dearer = values['keyterms'] !== undefined && { servedBy: { model: undefined, factor } };
    return { ...readTranscription(reply, request), ...dearer };
  }

  return { parametersOf, transcribe };
}

const parametersOf = ({ language, channelRoles, vocabulary }: SttRequest): Parameters => ({
  ...vocabulary,
  // The provider refuses diarization together with multichannel mode.
  diarize: [channelRoles === null],
  tag_audio_events: [false],
  language_code: [languageCode(language)],
});

/** A space may come without its text. Sounds are not speech. */
const WordSchema = z
  .object({
    type: reportedText,
    text: z.string().nullish(),
    start: reportedSeconds,
    end: reportedSeconds,
    speaker_id: reportedText,
  })
  .transform(({ type, text, ...word }) => ({ ...word, type, text: text ?? (type === 'spacing' ? ' ' : '') }))
  .refine(({ type, text }) => type !== 'audio_event' && text !== '')
  .transform(({ type: _type, ...word }) => word);

const TranscriptSchema = z
  .object({
    text: spokenText.optional(),
    words: eachOf(WordSchema),
    language_code: reportedText,
    channel_index: z.int().min(0).nullish().catch(undefined),
  })
  .refine(({ text, words }) => text !== undefined || words.length > 0)
  .transform(({ text, ...rest }) => ({ ...rest, text: text ?? rest.words.map((word) => word.text).join('') }));

const AnswerSchema = z.object({ audio_duration_secs: reportedSeconds });

/** A transcript per channel. A recording with one channel is answered as without multichannel mode. */
const ChannelsSchema = z.object({
  transcripts: z
    .array(z.unknown())
    .refine((list) => list.length === 0 || list.some((each) => TranscriptSchema.safeParse(each).success))
    .pipe(eachOf(TranscriptSchema)),
});

function readTranscription(reply: ProviderReply, { durationS, channelRoles }: SttRequest): SttAnswer {
  const { data: answer } = AnswerSchema.safeParse(reply.body);
  const channels = channelRoles?.length ?? 1;
  const usage = audioUsage(answer?.audio_duration_secs, durationS && durationS * channels);
  const heard = channelRoles ? readChannels(reply, channelRoles, usage) : readTranscript(reply);
  const reportedS = answer?.audio_duration_secs;
  return {
    ...buildTranscript({
      ...heard,
      separator: '',
      // For several channels, the provider reports the sum.
      durationS: reportedS === undefined ? (durationS ?? undefined) : reportedS / channels,
    }),
    usage,
    providerRequestId: reply.providerRequestId,
    providerResponse: reply.body,
    costUsd: readCharge(membersOf(reply.body)['usage'], reply.headers),
  };
}

type Transcribed = Pick<Heard, 'text' | 'pieces' | 'language'>;

function readTranscript(reply: ProviderReply): Transcribed {
  const { data: transcript } = TranscriptSchema.safeParse(reply.body);
  if (!transcript) throw unreadableTranscript(provider, replyDetails(reply));
  const { text, words, language_code: language } = transcript;
  // Without speakers, each word would become a turn.
  const spoken = words.some(({ speaker_id }) => speaker_id !== undefined) ? words : [];
  return { text, pieces: spoken.map(({ speaker_id: speaker, ...word }) => ({ speaker, ...word })), language };
}

/** Throws `bad_input`, with the usage, if the recording has other channels than the assistant names. */
function readChannels(reply: ProviderReply, roles: readonly string[], usage: CallUsage | null): Transcribed {
  const { data } = ChannelsSchema.safeParse(reply.body);
  if (!data && !TranscriptSchema.safeParse(reply.body).success)
    throw unreadableTranscript(provider, replyDetails(reply));
  const { transcripts = [] } = data ?? {};
  const channels = transcripts.flatMap(({ text, words, channel_index }, place) => {
    const role = roles[channel_index ?? place];
    return role === undefined ? [] : [{ role, pieces: words.length > 0 ? words : [{ text }] }];
  });
  if (channels.length === 0 || channels.length < transcripts.length) {
    throw new ProviderError('bad_input', ['other_channels', { count: transcripts.length || 1, named: roles.length }], {
      provider,
      usage,
    });
  }
  const [first] = transcripts;
  const language = first?.language_code;
  if (first && channels.length > 1 && transcripts.every((each) => isCopy(each, first)) && LONG_TEXT.test(first.text))
    return { text: first.text, pieces: [], language };
  return { text: '', pieces: mergeChannels(channels), language };
}

/** Seconds by which the times of one word differ in copies of a channel. */
const SAME_TIME_S = 0.5;

type ChannelTranscript = z.output<typeof TranscriptSchema>;

/** Two people may say the same words, such as a greeting, but not at the same time. */
function isCopy({ text, words }: ChannelTranscript, other: ChannelTranscript): boolean {
  const isAtSameTime = (start: number | undefined, index: number) =>
    Math.abs((start ?? 0) - (other.words[index]?.start ?? start ?? 0)) <= SAME_TIME_S;
  return (
    text === other.text &&
    words.length === other.words.length &&
    words.every(({ start }, index) => isAtSameTime(start, index))
  );
}

/** Three words. If every channel has the same, they are copies of one, and no channel shows who speaks. */
const LONG_TEXT = /\S\s+\S+\s+\S/;
