/** ElevenLabs' Scribe. https://elevenlabs.io/docs/api-reference/speech-to-text/convert */
import { z } from 'zod';
import { STT_PROVIDER_FACTS } from '../../../contract/providers.ts';
import type { VendorFault } from '../../../contract/constants.ts';
import type { ProviderAccess } from '../../../runtime/config.ts';
import type { UploadFetch } from '../../../runtime/outbound/upload-fetch.ts';
import { boundedCall } from '../bounded-call.ts';
import { languageCode } from './language.ts';
import type { SttAnswer, SttProvider, SttRequest } from './provider.ts';
import { buildTranscript, reportedSeconds, reportedText } from './transcript.ts';
import { audioUsage } from './usage.ts';
import { connectionFault, exchange, rejection, unreadable } from './vendor-http.ts';
import type { VendorReply } from './vendor-http.ts';

const provider = 'elevenlabs';

export function createElevenLabs(
  { apiKey, baseUrl = 'https://api.elevenlabs.io' }: ProviderAccess,
  timeoutMs: number,
  fetch: UploadFetch,
): SttProvider {
  const url = `${baseUrl.replace(/\/+$/, '')}/v1/speech-to-text`;

  function transcribe(request: SttRequest): Promise<SttAnswer> {
    const { signal } = request;
    const classify = (error: unknown) => connectionFault(provider, error);
    return boundedCall({ provider, timeoutMs, signal, classify }, async (bound) => {
      const headers = { 'xi-api-key': apiKey ?? 'none' };
      const reply = await exchange(fetch, url, { method: 'POST', headers, body: buildForm(request), signal: bound });
      if (!reply.isOk) throw rejection(provider, reply, faultOf(reply));
      return readAnswer(reply, request.durationS);
    });
  }

  return { transcribe };
}

function buildForm({ audio, fileName, mediaType, model, language }: SttRequest): FormData {
  const form = new FormData();
  const code = languageCode(language);
  form.append('model_id', model ?? STT_PROVIDER_FACTS.elevenlabs.default_model);
  form.append('diarize', 'true');
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

const AnswerSchema = z.object({
  text: z.string(),
  words: z.array(WordSchema).catch([]),
  language_code: reportedText,
  audio_duration_secs: reportedSeconds,
  transcription_id: reportedText,
});

function readAnswer(reply: VendorReply, measuredS: number | null): SttAnswer {
  const { data: answer } = AnswerSchema.safeParse(reply.body);
  if (!answer) throw unreadable(provider, reply);
  const { text, words, language_code, audio_duration_secs } = answer;
  return {
    ...buildTranscript({
      text,
      pieces: words.map(({ speaker_id: speaker, ...word }) => ({ speaker, ...word })),
      separator: '',
      language: language_code,
      durationS: audio_duration_secs ?? measuredS ?? undefined,
    }),
    usage: audioUsage(audio_duration_secs, measuredS),
    vendorRequestId: reply.vendorRequestId ?? answer.transcription_id ?? null,
    vendorResponse: reply.body,
  };
}

const ErrorSchema = z.object({ detail: z.object({ status: z.string() }) });

/** Returns the fault that the body names; ElevenLabs answers with status 400 or 401 for an account without credit. */
function faultOf({ body }: VendorReply): VendorFault | undefined {
  const status = ErrorSchema.safeParse(body).data?.detail.status;
  return status === 'quota_exceeded' ? 'quota_exceeded' : undefined;
}
