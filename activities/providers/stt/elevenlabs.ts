/** ElevenLabs' Scribe. https://elevenlabs.io/docs/api-reference/speech-to-text/convert */
import { z } from 'zod';
import { STT_PROVIDER_FACTS } from '../../../contract/values/providers.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { boundedCall } from '../bounded-call.ts';
import type { ProviderReach } from '../load-provider.ts';
import { ProviderError, unreadable } from '../provider-error.ts';
import { languageCode } from '../../../contract/values/constants.ts';
import type { SttAnswer, SttProvider, SttRequest } from './provider.ts';
import { mergeChannels } from './merge-channels.ts';
import { audioUsage, buildTranscript, reportedSeconds, reportedText, type Heard } from './transcript.ts';
import { connectionFault, detailsOf, exchange, rejection, type ProviderReply } from './provider-http.ts';

const provider = 'elevenlabs';

export function createProvider(reach: ProviderReach): SttProvider {
  const { apiKey, baseUrl = 'https://api.elevenlabs.io', timeoutMs, fetch } = reach;
  const url = `${baseUrl}/v1/speech-to-text`;

  function transcribe(request: SttRequest): Promise<SttAnswer> {
    const { signal } = request;
    const classify = (error: unknown) => connectionFault(provider, error);
    return boundedCall({ provider, timeoutMs, signal, classify }, async (bound) => {
      const headers = { 'xi-api-key': apiKey ?? 'none' };
      const reply = await exchange(fetch, url, { method: 'POST', headers, body: buildForm(request), signal: bound });
      if (!reply.isOk) throw rejection(provider, reply);
      return readAnswer(reply, request);
    });
  }

  return { transcribe };
}

function buildForm({ audio, fileName, mediaType, model, language, channelRoles }: SttRequest): FormData {
  const form = new FormData();
  const code = languageCode(language);
  form.append('model_id', model ?? STT_PROVIDER_FACTS.elevenlabs.default_model);
  // The provider refuses diarization together with multichannel mode.
  form.append('diarize', String(channelRoles === null));
  if (channelRoles) form.append('use_multi_channel', 'true');
  if (code !== undefined) form.append('language_code', code);
  form.append('file', new File([audio], fileName, { type: mediaType }));
  return form;
}

const WordSchema = z.object({
  text: z.string(),
  start: reportedSeconds,
  end: reportedSeconds,
  speaker_id: reportedText,
});

const TranscriptSchema = z.object({
  text: z.string(),
  words: z.array(WordSchema).catch([]),
  language_code: reportedText,
});

const AnswerSchema = z.object({ audio_duration_secs: reportedSeconds, transcription_id: reportedText });

/** A transcript per channel. A recording with one channel is answered as without multichannel mode. */
const ChannelsSchema = z.object({
  transcripts: z.array(TranscriptSchema.extend({ channel_index: z.int().min(0).nullish().catch(undefined) })),
});

function readAnswer(reply: ProviderReply, { durationS, channelRoles }: SttRequest): SttAnswer {
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
    providerRequestId: reply.providerRequestId ?? answer?.transcription_id ?? null,
    providerResponse: reply.body,
  };
}

type Transcribed = Pick<Heard, 'text' | 'pieces' | 'language'>;

function readTranscript(reply: ProviderReply): Transcribed {
  const { data: transcript } = TranscriptSchema.safeParse(reply.body);
  if (!transcript) throw unreadable(provider, detailsOf(reply));
  const { text, words, language_code: language } = transcript;
  // Without speakers, each word would become a turn.
  const spoken = words.some(({ speaker_id }) => speaker_id !== undefined) ? words : [];
  return { text, pieces: spoken.map(({ speaker_id: speaker, ...word }) => ({ speaker, ...word })), language };
}

/** Throws `bad_input`, with the usage, if the recording has other channels than the assistant names. */
function readChannels(reply: ProviderReply, roles: readonly string[], usage: CallUsage | null): Transcribed {
  const { data } = ChannelsSchema.safeParse(reply.body);
  if (!data && !TranscriptSchema.safeParse(reply.body).success) throw unreadable(provider, detailsOf(reply));
  const { transcripts = [] } = data ?? {};
  const channels = transcripts.flatMap(({ text, words, channel_index }, place) => {
    const role = roles[channel_index ?? place];
    return role === undefined ? [] : [{ role, pieces: words.length > 0 ? words : [{ text }] }];
  });
  if (channels.length === 0 || channels.length < transcripts.length) {
    const counts = { count: transcripts.length || 1, named: roles.length };
    throw new ProviderError('bad_input', ['other_channels', counts], { provider, ...(usage && { usage }) });
  }
  const [first] = transcripts;
  const language = first?.language_code;
  if (
    first &&
    channels.length > 1 &&
    transcripts.every(({ text }) => text === first.text) &&
    LONG_TEXT.test(first.text)
  )
    return { text: first.text, pieces: [], language };
  return { text: '', pieces: mergeChannels(channels), language };
}

/** Three words. If every channel has the same, they are copies of one, and no channel shows who speaks. */
const LONG_TEXT = /\S\s+\S+\s+\S/;
