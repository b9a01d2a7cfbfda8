/** Downloads a recording from a URL that a user chose. Every hop is checked, and an interrupted download is resumed. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf, type UnnamedFailure } from '../../contract/errors/failures.ts';
import type { FetchFailure } from '../../contract/sessions/audio-source.ts';
import { hasBlockedPort } from '../../contract/values/http-url.ts';
import type { AddressGuard } from './address-guard.ts';
import { describeError, dial } from './dial.ts';

const MAX_REDIRECTS = 5;
const MAX_RESUMES = 5;
const RESUME_DELAY_MS = 500;
const CONNECT_TIMEOUT_MS = 10_000;
/** Bytes that a response may have besides an eighth of its content. Chunks of few bytes would take a core of the worker. */
const MAX_FRAMING = 1_000_000;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Statuses that are not worth another attempt, except those that the next two lists name. */
const isFinalStatus = (status: number) => status < 500 && !LATER.includes(status) && !NOT_YET.includes(status);
const LATER = [408, 429];
/** Recordings are often announced before they can be downloaded. */
const NOT_YET = [404, 409, 423, 425];

/** The download failed. The message contains no part of the URL. */
export class DownloadError extends Error {
  override name = 'DownloadError';
  readonly failure: FetchFailure;
  readonly statusCode: number | null;
  readonly retryAfterMs: number;
  /** `never`: another attempt would fail too. `briefly`: the recording may not be there yet. */
  readonly retries: 'never' | 'briefly' | 'yes';

  /** Why the download failed, without the host. */
  readonly why: UnnamedFailure;

  constructor(
    failure: FetchFailure,
    why: UnnamedFailure,
    more: Partial<Omit<DownloadError, keyof Error | 'failure' | 'why'>> = {},
  ) {
    super(failureOf('The server', ...why).message);
    this.failure = failure;
    this.why = why;
    this.statusCode = more.statusCode ?? null;
    this.retryAfterMs = more.retryAfterMs ?? 0;
    this.retries = more.retries ?? 'yes';
  }
}

export interface AudioRequest {
  url: string;
  /** Sent to the origin of `url` only. */
  headers: Record<string, string>;
  maxBytes: number;
  signal: AbortSignal;
}

export interface AudioDownload {
  /** null: unknown. */
  bytesTotal: number | null;
  isPage: boolean;
  /** Fails with `DownloadError`. */
  body: AsyncGenerator<Buffer, void>;
  close(): void;
}

export type StartDownload = (request: AudioRequest) => Promise<AudioDownload>;

/** @param idleMs longest time without data. */
export function createAudioDownload(guard: AddressGuard, idleMs = 30_000): StartDownload {
  /** Sends one request to checked addresses. Throws `DownloadError` if there is no response. */
  async function send(target: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      const own = { ...headers, 'Accept-Encoding': 'identity' };
      const times = { connectMs: CONNECT_TIMEOUT_MS, idleMs };
      return await dial(guard, target, { method: 'GET', headers: own, signal, ...times });
    } catch (error) {
      signal.throwIfAborted();
      throw networkError(error);
    }
  }

  /** Sends one request and follows its redirects. Throws `DownloadError` unless the status is 200 or 206. */
  async function get({ url, headers: given, signal }: AudioRequest, range: Record<string, string> = {}) {
    let target = new URL(url);
    let own = given;
    for (let hops = 0; ; hops++) {
      const response = await send(target, { ...own, ...range }, signal);
      const { statusCode = 0, headers } = response;
      if (statusCode === 200 || statusCode === 206) return response;
      response.destroy();
      if (!REDIRECTS.includes(statusCode)) throw refusal(response);
      const next = hops < MAX_REDIRECTS ? findNext(target, headers.location) : undefined;
      if (!next) throw new DownloadError('redirect', ['fetch_redirect'], { retries: 'never' });
      // Once another origin was involved, a redirect back could be its choice.
      if (next.origin !== target.origin) own = {};
      target = next;
    }
  }

  return async function startDownload(wanted) {
    const first = await get(wanted);
    const { statusCode, headers } = first;
    const bytesTotal = lengthOf(headers['content-length']);
    if (statusCode === 206 || (bytesTotal ?? 0) > wanted.maxBytes) {
      first.destroy();
      throw statusCode === 206 ? refusal(first) : tooLarge(wanted.maxBytes);
    }
    const isPage = /^(text|application)\/(x?html|xhtml\+xml)\b/i.test(headers['content-type'] ?? '');
    return { bytesTotal, isPage, body: read(wanted, first, bytesTotal), close: () => void first.destroy() };
  };

  async function* read(wanted: AudioRequest, first: IncomingMessage, bytesTotal: number | null) {
    const { maxBytes, signal } = wanted;
    const version = versionOf(first);
    let received = 0;
    let answer = first;
    for (let resumes = 0; ; resumes++) {
      try {
        if (resumes > 0 && version !== undefined) answer = await resume(wanted, { version, received, bytesTotal });
        let own = 0;
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          received += chunk.length;
          own += chunk.length;
          if (received > maxBytes) throw tooLarge(maxBytes);
          if ((answer.socket?.bytesRead ?? 0) - own > MAX_FRAMING + own / 8) throw inBits();
          yield chunk;
        }
        if (received >= (bytesTotal ?? 0)) return;
        throw cutOff();
      } catch (error) {
        signal.throwIfAborted();
        const failure = error instanceof DownloadError ? error : interrupted(error);
        if (version === undefined || failure.retries === 'never' || resumes === MAX_RESUMES) throw asRetryable(failure);
      } finally {
        answer.destroy();
      }
      await sleep(RESUME_DELAY_MS * 2 ** resumes, undefined, { signal });
    }
  }

  /** Requests the bytes that are missing. Throws a final error if the file has changed. */
  async function resume(
    wanted: AudioRequest,
    { version, received, bytesTotal }: { version: string; received: number; bytesTotal: number | null },
  ): Promise<IncomingMessage> {
    const answer = await get(wanted, { Range: `bytes=${received}-`, 'If-Range': version });
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(answer.headers['content-range'])) ?? [];
    const isSame = bytesTotal === null || total === '*' || Number(total) === bytesTotal;
    if (answer.statusCode === 206 && Number(start) === received && isSame) return answer;
    answer.destroy();
    throw new DownloadError('cut_off', ['fetch_cut_off'], { retries: 'never' });
  }
}

const inBits = () => new DownloadError('invalid_response', ['fetch_invalid'], { retries: 'never' });

const cutOff = () => new DownloadError('cut_off', ['fetch_cut_off']);

/** The next attempt starts from the first byte, so it may succeed even if this one could not be resumed. */
const asRetryable = (error: DownloadError) => (error.failure === 'cut_off' ? cutOff() : error);

const interrupted = (error: unknown) => (describeError(error).failure === 'timeout' ? networkError(error) : cutOff());

const tooLarge = (maxBytes: number) =>
  new DownloadError('too_large', ['fetch_too_large', { max: maxBytes }], { retries: 'never' });

const NETWORK: Partial<Record<FetchFailure, UnnamedFailure>> = {
  timeout: ['no_response'],
  dns: ['fetch_no_address'],
  connection_closed: ['fetch_closed'],
  invalid_response: ['fetch_invalid'],
  tls: ['fetch_tls'],
  blocked_address: ['fetch_blocked'],
};

function networkError(error: unknown): DownloadError {
  const { failure } = describeError(error);
  const why = NETWORK[failure] ?? ['unreachable'];
  return new DownloadError(failure, why, { retries: failure === 'blocked_address' ? 'never' : 'yes' });
}

function refusal({ statusCode = 0, headers }: IncomingMessage): DownloadError {
  const key = [401, 403, 410].includes(statusCode) ? 'fetch_expired' : 'fetch_status';
  return new DownloadError('http_status', [key, { status: statusCode }], {
    statusCode,
    retryAfterMs: waitOf(headers['retry-after'] ?? ''),
    retries: NOT_YET.includes(statusCode) ? 'briefly' : isFinalStatus(statusCode) ? 'never' : 'yes',
  });
}

/** Returns the milliseconds of a `Retry-After` header: seconds, or a date; 0: none. */
function waitOf(header: string): number {
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : 0;
}

/** Returns the target of a redirect; undefined: it is not followed. */
function findNext(from: URL, location: string | string[] | undefined): URL | undefined {
  const next = typeof location === 'string' ? URL.parse(location, from.href) : null;
  if (!next || hasBlockedPort(next) || !['https:', from.protocol].includes(next.protocol)) return undefined;
  return next;
}

function lengthOf(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** Returns what identifies the version of the file, for `If-Range`: a strong ETag or a date. */
function versionOf({ headers: { etag, 'last-modified': modified } }: IncomingMessage): string | undefined {
  if (typeof etag === 'string' && etag.startsWith('"')) return etag;
  return typeof modified === 'string' ? modified : undefined;
}
