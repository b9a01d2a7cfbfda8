/** Aisha, for Uzbek, Russian and English. https://aisha.group/en/api-documentation */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { FINAL_FAULTS, languageCode, type ProviderFault } from '../../../contract/values/constants.ts';
import { boundedCall } from '../bounded-call.ts';
import type { ProviderJob } from '../record-call.ts';
import type { ProviderReach } from '../load-provider.ts';
import { ProviderError, unreadable } from '../provider-error.ts';
import { faultOfReply } from '../provider-faults.ts';
import type { SttAnswer, SttProvider, SttRequest } from './provider.ts';
import { audioUsage, buildTranscript, reportedSeconds, reportedText } from './transcript.ts';
import { connectionFault, detailsOf, exchange, rejection, type ProviderReply } from './provider-http.ts';

const provider = 'aisha';

/** Longest recording in seconds that the synchronous v1 accepts. */
const MAX_SYNC_S = 120;

/** Shortest recording in seconds in which the provider separates speakers. */
const MIN_DIARIZED_S = 15;

const POLL_MS = 3_000;

/** Time limit of one poll, so a poll that hangs does not use up the time of the whole call. */
const POLL_TIMEOUT_MS = 30_000;

export function createProvider(reach: ProviderReach): SttProvider {
  const { apiKey, baseUrl = 'https://back.aisha.group', timeoutMs, fetch, pollMs = POLL_MS } = reach;
  const headers = { 'X-Api-Key': apiKey ?? 'none' };
  const classify = (error: unknown) => connectionFault(provider, error);

  /** One time limit applies to the whole transcription, except storing the job's ID, which is not the provider's fault. */
  async function transcribe(request: SttRequest, job: ProviderJob): Promise<SttAnswer> {
    const { signal, durationS } = request;
    const deadline = performance.now() + timeoutMs;
    const bounded = <T>(call: (bound: AbortSignal) => Promise<T>) => {
      const left = Math.max(1, Math.ceil(deadline - performance.now()));
      return boundedCall({ provider, timeoutMs: left, signal, classify }, call);
    };
    const { id: submitted } = job;
    if (submitted !== null) return bounded((bound) => awaitJob(submitted, durationS, bound));
    if (durationS === null || durationS <= MAX_SYNC_S) {
      const answer = await bounded((bound) => transcribeNow(request, bound));
      if (answer !== 'too_long') return answer;
    }
    const id = await bounded((bound) => submitJob(request, bound));
    await job.save(id);
    return bounded((bound) => awaitJob(id, durationS, bound));
  }

  async function transcribeNow(request: SttRequest, bound: AbortSignal): Promise<SttAnswer | 'too_long'> {
    const { durationS } = request;
    // Audio of unknown length may be short, and the provider refuses to separate speakers in short audio.
    const isDiarized = durationS !== null && durationS >= MIN_DIARIZED_S;
    const reply = await post('/api/v1/stt/post/', buildForm(request, isDiarized), bound);
    if (reply.httpStatus === 403 && isTooLongForV1(reply)) return 'too_long';
    if (!reply.isOk) throw rejection(provider, reply);
    return readAnswer(reply, durationS);
  }

  async function submitJob(request: SttRequest, bound: AbortSignal): Promise<string> {
    const reply = await post('/api/v2/stt/post/', buildForm(request, true), bound);
    if (!reply.isOk) throw rejection(provider, reply);
    const { data } = SubmittedSchema.safeParse(reply.body);
    if (!data) throw unreadable(provider, detailsOf(reply));
    return String(data.id);
  }

  const post = (path: string, body: FormData, signal: AbortSignal) =>
    exchange(fetch, baseUrl + path, { method: 'POST', headers, body, signal });

  /** Polls until the job ends. A failed poll is repeated; its fault counts only if the time ends then. */
  async function awaitJob(id: string, durationS: number | null, bound: AbortSignal): Promise<SttAnswer> {
    let fault: ProviderError | undefined;
    try {
      for (;;) {
        const reply = await pollJob(id, bound);
        fault = reply instanceof ProviderError ? reply : undefined;
        const answer = reply instanceof ProviderError ? undefined : readEnd(reply, durationS);
        if (answer) return answer;
        await sleep(Math.max(pollMs, fault?.details.retryAfterMs ?? 0), undefined, { signal: bound });
      }
    } catch (error) {
      throw bound.aborted ? (fault ?? error) : error;
    }
  }

  async function pollJob(id: string, bound: AbortSignal): Promise<ProviderReply | ProviderError> {
    const signal = AbortSignal.any([bound, AbortSignal.timeout(POLL_TIMEOUT_MS)]);
    try {
      const url = `${baseUrl}/api/v2/stt/get/${encodeURIComponent(id)}/`;
      const reply = await exchange(fetch, url, { headers, signal });
      return reply.isOk ? reply : rejection(provider, reply, faultOfPoll(reply.httpStatus));
    } catch (error) {
      bound.throwIfAborted();
      return classify(error);
    }
  }

  return { transcribe };
}

/** Returns the fault of a refused poll. Only an unknown job is final: any other refusal, such as of a key, can be fixed. */
function faultOfPoll(status: number): ProviderFault {
  const fault = faultOfReply(provider, status);
  return status !== 404 && FINAL_FAULTS.includes(fault) ? 'unavailable' : fault;
}

const FAILED = new Set(['FAILED', 'FAILURE', 'ERROR']);

/** Returns the job's result; undefined if it is pending or its status is unknown. */
function readEnd(reply: ProviderReply, durationS: number | null): SttAnswer | undefined {
  const status = JobSchema.safeParse(reply.body).data?.status.toUpperCase() ?? '';
  if (FAILED.has(status)) throw new ProviderError('bad_input', ['not_transcribed'], { provider, ...detailsOf(reply) });
  return status === 'SUCCESS' ? readAnswer(reply, durationS) : undefined;
}

const SubmittedSchema = z.object({ id: z.union([z.int().min(0), z.string().regex(/^[\w-]{1,100}$/)]) });

const JobSchema = z.object({ status: z.string() });

function buildForm({ audio, fileName, mediaType, language }: SttRequest, isDiarized: boolean): FormData {
  const form = new FormData();
  const code = languageCode(language);
  if (code !== undefined) form.append('language', code);
  form.append('has_diarization', String(isDiarized));
  form.append('audio', new File([audio], fileName, { type: mediaType }));
  return form;
}

/** Returns whether v1 refused the recording as too long: by the code, or the Uzbek for "than 2 minutes". */
function isTooLongForV1({ body }: ProviderReply): boolean {
  return /audio_duration_use_v2|2 daqiqadan/.test(JSON.stringify(body) ?? '');
}

const SpeechSchema = z.object({
  speaker: reportedText,
  text: z.string(),
  start: reportedSeconds,
  end: reportedSeconds,
});

const AnswerSchema = z.object({
  id: z.union([z.number(), reportedText]),
  transcript: z.string().nullable(),
  diarization: z.array(SpeechSchema).catch([]),
  duration: reportedSeconds,
  language: reportedText,
});

function readAnswer(reply: ProviderReply, measuredS: number | null): SttAnswer {
  const { data: answer } = AnswerSchema.safeParse(reply.body);
  if (!answer) throw unreadable(provider, detailsOf(reply));
  const { id, transcript, diarization, duration, language } = answer;
  return {
    ...buildTranscript({
      text: transcript ?? '',
      pieces: diarization,
      separator: ' ',
      language,
      durationS: duration ?? measuredS ?? undefined,
    }),
    usage: audioUsage(duration, measuredS),
    providerRequestId: reply.providerRequestId ?? (id === undefined ? null : String(id)),
    providerResponse: reply.body,
  };
}
