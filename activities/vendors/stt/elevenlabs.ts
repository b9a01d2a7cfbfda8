/** ElevenLabs' Scribe. https://elevenlabs.io/docs/api-reference/speech-to-text/convert */
import { z } from 'zod';
import { STT_PROVIDER_FACTS } from '../../../contract/providers.ts';
import type { VendorFault } from '../../../contract/constants.ts';
import type { CallUsage } from '../../../db/models/vendor-call.ts';
import { boundedCall } from '../bounded-call.ts';
import { VendorError } from '../vendor-error.ts';
import { languageCode } from './language.ts';
import type { SttAnswer, SttProvider, SttReach, SttRequest } from './provider.ts';
import { mergeChannels } from './merge-channels.ts';
import { buildTranscript, reportedSeconds, reportedText } from './transcript.ts';
import type { Heard } from './transcript.ts';
import { audioUsage } from './usage.ts';
import { connectionFault, exchange, rejection, unreadable } from './vendor-http.ts';
import type { VendorReply } from './vendor-http.ts';

const provider = 'elevenlabs';

export function createProvider(reach: SttReach): SttProvider {
  const { apiKey, baseUrl = 'https://api.elevenlabs.io', timeoutMs, fetch } = reach;
  const url = `${baseUrl.replace(/\/+$/, '')}/v1/speech-to-text`;

  function transcribe(request: SttRequest): Promise<SttAnswer> {
    const { signal } = request;
    const classify = (error: unknown) => connectionFault(provider, error);
    return boundedCall({ provider, timeoutMs, signal, classify }, async (bound) => {
      const headers = { 'xi-api-key': apiKey ?? 'none' };
      const reply = await exchange(fetch, url, { method: 'POST', headers, body: buildForm(request), signal: bound });
      if (!reply.isOk) throw rejection(provider, reply, faultOf(reply));
      return readAnswer(reply, request);
    });
  }

  return { transcribe };
}

function buildForm({ audio, fileName, mediaType, model, language, channelRoles }: SttRequest): FormData {
  const form = new FormData();
  const code = languageCode(language);
  form.append('model_id', model ?? STT_PROVIDER_FACTS.elevenlabs.default_model);
  // With its channels apart nobody's voice needs to be told from another's, and the vendor refuses to be asked for both.
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

const AnswerSchema = z.object({
  audio_duration_secs: reportedSeconds,
  transcription_id: reportedText,
});

/** A transcript for each channel. A recording with one channel is answered as without the multichannel mode. */
const ChannelsSchema = z.object({
  transcripts: z.array(TranscriptSchema.extend({ channel_index: z.int().min(0).nullish().catch(undefined) })),
});

function readAnswer(reply: VendorReply, { durationS, channelRoles }: SttRequest): SttAnswer {
  const { data: answer } = AnswerSchema.safeParse(reply.body);
  const channels = channelRoles?.length ?? 1;
  const usage = audioUsage(answer?.audio_duration_secs, durationS && durationS * channels);
  const heard = channelRoles ? readChannels(reply, channelRoles, usage) : readTranscript(reply);
  const reportedS = answer?.audio_duration_secs;
  return {
    ...buildTranscript({
      ...heard,
      separator: '',
      // Of several channels the vendor tells the sum.
      durationS: reportedS === undefined ? (durationS ?? undefined) : reportedS / channels,
    }),
    usage,
    vendorRequestId: reply.vendorRequestId ?? answer?.transcription_id ?? null,
    vendorResponse: reply.body,
  };
}

type Transcribed = Pick<Heard, 'text' | 'pieces' | 'language'>;

function readTranscript(reply: VendorReply): Transcribed {
  const { data: transcript } = TranscriptSchema.safeParse(reply.body);
  if (!transcript) throw unreadable(provider, reply);
  const { text, words, language_code: language } = transcript;
  return { text, pieces: words.map(({ speaker_id: speaker, ...word }) => ({ speaker, ...word })), language };
}

/** Reads the channels. A recording with others than the assistant names is at fault, but was paid for all the same. */
function readChannels(reply: VendorReply, roles: readonly string[], usage: CallUsage | null): Transcribed {
  const { data } = ChannelsSchema.safeParse(reply.body);
  if (!data && !TranscriptSchema.safeParse(reply.body).success) throw unreadable(provider, reply);
  const { transcripts = [] } = data ?? {};
  const channels = transcripts.flatMap(({ text, words, channel_index }, place) => {
    const role = roles[channel_index ?? place];
    return role === undefined ? [] : [{ role, pieces: words.length > 0 ? words : [{ text }] }];
  });
  if (channels.length === 0 || channels.length < transcripts.length) {
    const reason = `found ${transcripts.length || 1} channels in the recording, and channel_roles name ${roles.length}`;
    throw new VendorError('bad_input', reason, { provider, ...(usage && { usage }) });
  }
  return { text: '', pieces: mergeChannels(channels), language: transcripts[0]?.language_code };
}

const ErrorSchema = z.object({ detail: z.object({ status: z.string() }) });

/** Returns the fault that the body names; ElevenLabs answers with status 400 or 401 for an account without credit. */
function faultOf({ body }: VendorReply): VendorFault | undefined {
  const status = ErrorSchema.safeParse(body).data?.detail.status;
  return status === 'quota_exceeded' ? 'quota_exceeded' : undefined;
}
