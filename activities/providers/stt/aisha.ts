/** Aisha, for Uzbek, Russian and English. https://aisha.group/en/api-documentation */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { languageCode } from '../../../contract/values/constants.ts';
import { valuesOf, type Parameters } from '../policy/negotiate.ts';
import { exchange } from '../transport/exchange.ts';
import type { ProviderJob } from '../policy/record-call.ts';
import type { ProviderReach } from '../transport/load-provider.ts';
import { ProviderError, unreadable, unreadableTranscript } from '../policy/provider-error.ts';
import { readRefusal } from '../policy/read-refusal.ts';
import { readReplies } from '../transport/read-reply.ts';
import type { SttAnswer, SttProvider, SttRequest } from './provider.ts';
import { audioUsage, buildTranscript, eachOf, reportedSeconds, reportedText, spokenText } from './transcript.ts';
import { replyDetails, exchangeJson, formOf, type ProviderReply } from './provider-http.ts';

const provider = 'aisha';
const source = { provider, step: 'transcription' } as const;

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
  const read = readReplies(fetch, source);

  /** One time limit applies to the whole transcription, except storing the job's ID, which is not the provider's fault. */
  async function transcribe(request: SttRequest, job: ProviderJob): Promise<SttAnswer> {
    const { signal, durationS } = request;
    const deadline = performance.now() + timeoutMs;
    const bounded = <T>(call: (bound: AbortSignal) => Promise<T>) => {
      const left = Math.max(1, Math.ceil(deadline - performance.now()));
      return exchange({ provider, timeoutMs: left, signal }, call).then(({ body }) => body);
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
    return post('/api/v1/stt/post/', request, isDiarized, bound).then(
      (reply) => readTranscription(reply, durationS),
      (error: unknown) => {
        if (isTooLongForV1(error)) return 'too_long';
        throw error;
      },
    );
  }

  async function submitJob(request: SttRequest, bound: AbortSignal): Promise<string> {
    const reply = await post('/api/v2/stt/post/', request, true, bound);
    const { data } = SubmittedSchema.safeParse(reply.body);
    if (!data) throw unreadableTranscript(provider, replyDetails(reply));
    return String(data.id);
  }

  function post(path: string, request: SttRequest, isDiarized: boolean, signal: AbortSignal): Promise<ProviderReply> {
    const { has_diarization, ...values } = valuesOf(parametersOf(request), request.steps);
    const own = has_diarization === undefined ? values : { ...values, has_diarization: isDiarized };
    const body = formOf(own, 'audio', request);
    return exchangeJson(read, baseUrl + path, { method: 'POST', headers, body, signal });
  }

  /** Polls until the job ends. A failed poll is repeated; its fault counts only if the time ends then. */
  async function awaitJob(id: string, durationS: number | null, bound: AbortSignal): Promise<SttAnswer> {
    let fault: ProviderError | undefined;
    try {
      for (;;) {
        const reply = await pollJob(id, bound);
        fault = reply instanceof ProviderError ? reply : undefined;
        const answer = reply instanceof ProviderError ? undefined : readEnd(reply, durationS, apiKey);
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
      return await exchangeJson(read, url, { headers, signal });
    } catch (error) {
      bound.throwIfAborted();
      return error instanceof ProviderError ? faultOfPoll(error) : unreadable(provider);
    }
  }

  return { parametersOf, transcribe };
}

const parametersOf = ({ language }: SttRequest): Parameters => ({
  language: [languageCode(language)],
  has_diarization: [true],
});

/** Returns the fault of a refused poll. Only an unknown job is final: any other refusal, such as of a key, can be fixed. */
function faultOfPoll({ why, fault, isFinal, details }: ProviderError): ProviderError {
  if (details.httpStatus === 404) return new ProviderError('bad_input', ['unknown_job'], details);
  return new ProviderError(isFinal ? 'unavailable' : fault, why, details);
}

const FAILED = new Set(['FAILED', 'FAILURE', 'ERROR']);

/** Returns the job's result; undefined if it is pending or its status is unknown. */
function readEnd(reply: ProviderReply, durationS: number | null, key = ''): SttAnswer | undefined {
  const status = JobSchema.safeParse(reply.body).data?.status.toUpperCase() ?? '';
  if (FAILED.has(status)) {
    const said = readRefusal(reply.httpStatus, reply.body, key ? [key] : []);
    throw new ProviderError('bad_input', ['not_transcribed'], { provider, ...replyDetails(reply) }, said);
  }
  return status === 'SUCCESS' ? readTranscription(reply, durationS) : undefined;
}

const SubmittedSchema = z.object({ id: z.union([z.int().min(0), z.string().regex(/^[\w-]{1,100}$/)]) });

const JobSchema = z.object({ status: z.string() });

/** Returns whether v1 refused the recording as too long: by the code, or the Uzbek for "than 2 minutes". */
function isTooLongForV1(error: unknown): boolean {
  const { status, codes = [], text = '' } = (error instanceof ProviderError && error.reply()) || {};
  return status === 403 && (codes.includes('audio_duration_use_v2') || /audio_duration_use_v2|2 daqiqadan/.test(text));
}

const SpeechSchema = z.object({
  speaker: reportedText,
  text: spokenText,
  start: reportedSeconds,
  end: reportedSeconds,
});

const AnswerSchema = z
  .object({
    id: z.union([z.number(), reportedText]),
    transcript: spokenText.optional(),
    diarization: eachOf(SpeechSchema),
    duration: reportedSeconds,
    language: reportedText,
  })
  .refine(({ transcript, diarization }) => transcript !== undefined || diarization.length > 0);

function readTranscription(reply: ProviderReply, measuredS: number | null): SttAnswer {
  const { data: answer } = AnswerSchema.safeParse(reply.body);
  if (!answer) throw unreadableTranscript(provider, replyDetails(reply));
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
