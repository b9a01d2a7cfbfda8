/** Aisha, for Uzbek, Russian and English. https://aisha.group/en/api-documentation */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { FINAL_FAULTS } from '../../../contract/constants.ts';
import type { VendorFault } from '../../../contract/constants.ts';
import { boundedCall } from '../bounded-call.ts';
import type { VendorJob } from '../record-call.ts';
import { faultOfStatus, VendorError } from '../vendor-error.ts';
import { languageCode } from './language.ts';
import type { SttAnswer, SttProvider, SttReach, SttRequest } from './provider.ts';
import { buildTranscript, reportedSeconds, reportedText } from './transcript.ts';
import { audioUsage } from './usage.ts';
import { connectionFault, exchange, rejection, unreadable } from './vendor-http.ts';
import type { VendorReply } from './vendor-http.ts';

const provider = 'aisha';

/** Longest recording in seconds that the synchronous v1 takes. */
const MAX_SYNC_S = 120;

/** Shortest recording in seconds in which the vendor tells speakers apart. */
const MIN_DIARIZED_S = 15;

const POLL_MS = 3_000;

/** Bound of one request for a job's state: one that hangs must not use up the time of the whole call. */
const POLL_TIMEOUT_MS = 30_000;

export function createProvider(reach: SttReach): SttProvider {
  const { apiKey, baseUrl = 'https://back.aisha.group', timeoutMs, fetch, pollMs = POLL_MS } = reach;
  const base = baseUrl.replace(/\/+$/, '');
  const headers = { 'X-Api-Key': apiKey ?? 'none' };
  const classify = (error: unknown) => connectionFault(provider, error);

  /**
   * Transcribes a recording within one time for the whole. The job's id is stored outside of that bound, because a
   * fault in storing it is not the vendor's.
   */
  async function transcribe(request: SttRequest, job: VendorJob): Promise<SttAnswer> {
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
    // Audio of unknown length may be short, and the vendor refuses to tell speakers apart in short audio.
    const isDiarized = durationS !== null && durationS >= MIN_DIARIZED_S;
    const reply = await post('/api/v1/stt/post/', buildForm(request, isDiarized), bound);
    if (reply.status === 403 && isTooLongForV1(reply)) return 'too_long';
    if (!reply.isOk) throw rejection(provider, reply);
    return readAnswer(reply, durationS);
  }

  async function submitJob(request: SttRequest, bound: AbortSignal): Promise<string> {
    const reply = await post('/api/v2/stt/post/', buildForm(request, true), bound);
    if (!reply.isOk) throw rejection(provider, reply);
    const { data } = SubmittedSchema.safeParse(reply.body);
    if (!data) throw unreadable(provider, reply);
    return String(data.id);
  }

  const post = (path: string, body: FormData, signal: AbortSignal) =>
    exchange(fetch, base + path, { method: 'POST', headers, body, signal });

  /**
   * Waits for a job's end. A request that fails says nothing about the job: it is repeated, and its fault counts only
   * if the time ends with it.
   */
  async function awaitJob(id: string, durationS: number | null, bound: AbortSignal): Promise<SttAnswer> {
    let trouble: VendorError | undefined;
    try {
      for (;;) {
        const news = await askForJob(id, bound);
        trouble = news instanceof VendorError ? news : undefined;
        const answer = news instanceof VendorError ? undefined : readEnd(news, durationS);
        if (answer) return answer;
        await sleep(Math.max(pollMs, trouble?.details.retryAfterMs ?? 0), undefined, { signal: bound });
      }
    } catch (error) {
      throw bound.aborted ? (trouble ?? error) : error;
    }
  }

  async function askForJob(id: string, bound: AbortSignal): Promise<VendorReply | VendorError> {
    const signal = AbortSignal.any([bound, AbortSignal.timeout(POLL_TIMEOUT_MS)]);
    try {
      const url = `${base}/api/v2/stt/get/${encodeURIComponent(id)}/`;
      const reply = await exchange(fetch, url, { headers, signal });
      return reply.isOk ? reply : rejection(provider, reply, faultOfPoll(reply.status));
    } catch (error) {
      bound.throwIfAborted();
      return classify(error);
    }
  }

  return { transcribe };
}

/**
 * Returns the fault of a refused request for a job. The job is given up only where the vendor does not know it: any
 * other refusal, such as of a key, can be mended.
 */
function faultOfPoll(status: number): VendorFault {
  const fault = faultOfStatus(status);
  return status !== 404 && FINAL_FAULTS.includes(fault) ? 'unavailable' : fault;
}

const FAILED = new Set(['FAILED', 'FAILURE', 'ERROR']);

/** Returns the job's result; undefined while it is pending, as a job with an unknown status is taken to be. */
function readEnd(news: VendorReply, durationS: number | null): SttAnswer | undefined {
  const status = JobSchema.safeParse(news.body).data?.status.toUpperCase() ?? '';
  if (FAILED.has(status)) throw new VendorError('bad_input', 'could not transcribe this audio', detailsOf(news));
  return status === 'SUCCESS' ? readAnswer(news, durationS) : undefined;
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

/**
 * Returns whether v1 refused the recording as too long: by the code, or the Uzbek for "than 2 minutes". The form of the
 * body is not documented.
 */
function isTooLongForV1({ body }: VendorReply): boolean {
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

function readAnswer(reply: VendorReply, measuredS: number | null): SttAnswer {
  const { data: answer } = AnswerSchema.safeParse(reply.body);
  if (!answer) throw unreadable(provider, reply);
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
    vendorRequestId: reply.vendorRequestId ?? (id === undefined ? null : String(id)),
    vendorResponse: reply.body,
  };
}

const detailsOf = ({ status, vendorRequestId }: VendorReply) =>
  ({ provider, httpStatus: status, vendorRequestId }) as const;
