/** Reads the replies of all providers: one `fetch` for the SDKs and for the providers without an SDK. */
import { postgresSafeText } from '../../../runtime/postgres-safe.ts';
import type { ProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { currentExchange } from './exchange.ts';
import { joinEvents, joinStream } from './join-stream.ts';
import { causeOf } from '../policy/causes.ts';
import {
  errorOfCause,
  type ProviderError,
  unreachable,
  unreadable,
  unreadableTranscript,
  type ReplySource,
} from '../policy/provider-error.ts';
import { isErrorBody, parseJson, readRefusal } from '../policy/read-refusal.ts';
import { membersOf, readCharge, readUsage } from './read-usage.ts';

/**
 * Returns a `fetch` whose responses are JSON, whatever their media type says. Throws `ProviderError` for any other reply,
 * and for an error inside a reply with status 200.
 */
export function readReplies(fetch: ProviderFetch, source: ReplySource): ProviderFetch {
  const isTranscription = source.step === 'transcription';
  return async (input, init) => {
    const state = currentExchange();
    delete state.failure;
    const fail = (error: ProviderError) => {
      state.failure = error;
      return error;
    };
    const response = await fetch(input, init).catch((error: unknown) => {
      throw isAbort(error) ? error : fail(connectionError(source, error));
    });
    const { status, headers } = response;
    state.headers = headers;
    const text = await response.text().catch((error: unknown) => {
      throw isAbort(error) ? error : fail(unreadable(source.provider));
    });
    const whole = parseJson(text);
    const read = readBody(text, whole);
    // No provider answers with a number or a text.
    const body = typeof read === 'object' && read !== null ? read : undefined;
    if (response.ok && body !== undefined && !isErrorBody(body))
      return new Response(body === whole ? text : JSON.stringify(body), { status, headers: withJsonType(headers) });
    if (response.ok && body === undefined && !/^\s*</.test(text)) {
      // Servers that ignore the wanted format send the transcript itself.
      if (isTranscription && whole === undefined && /^\s*[^\s{["]/.test(text))
        return new Response(JSON.stringify({ text }), { status, headers: withJsonType(headers) });
      const unread = isTranscription ? unreadableTranscript : unreadable;
      throw fail(unread(source.provider, { httpStatus: status, ...requestIdOf(headers) }));
    }
    const sent = secretsIn(input, init?.headers);
    throw fail(errorOfReply(source, { httpStatus: status, headers, body: body ?? text, sent }));
  };
}

const isAbort = (error: unknown) => error instanceof Error && /^(?:AbortError|TimeoutError)$/.test(error.name);

function connectionError(source: ReplySource, error: unknown): ProviderError {
  const cause = error instanceof TypeError && error.message === 'fetch failed' ? error.cause : undefined;
  if (cause instanceof Error && /redirect/.test(cause.message)) return errorOfCause('between', source);
  if (cause === undefined) return unreadable(source.provider);
  return unreachable(source.provider, isUnsent(cause) ? { costUsd: 0 } : {});
}

/** Returns whether no connection was made, so that the provider received nothing and charges nothing. */
function isUnsent(cause: unknown): boolean {
  const { syscall, code, errors } = cause as { syscall?: string; code?: string; errors?: unknown[] };
  if (errors) return errors.every(isUnsent);
  return syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

/** Returns the JSON in a body: after comments, in a stream that nobody requested, or as a list of a stream's events. */
function readBody(text: string, whole: unknown): unknown {
  const body =
    typeof whole === 'string'
      ? parseJson(whole)
      : (whole ?? parseJson(text.replace(/^(?:[ \t\r\n]*:[^\r\n]*(?:\r?\n|\r))+/, '')));
  if (body === undefined) return joinStream(text);
  const isList =
    Array.isArray(body) && body.length > 0 && body.every((each) => typeof each === 'object' && each !== null);
  return isList ? joinEvents(body as Record<string, unknown>[]) : body;
}

function withJsonType(from: Headers): Headers {
  const headers = new Headers(from);
  headers.set('content-type', 'application/json');
  headers.delete('content-length');
  headers.delete('content-encoding');
  return headers;
}

/** Returns the key and whatever else of a request is secret, of at least four characters. */
function secretsIn(input: string | URL | Request, headers: RequestInit['headers']): string[] {
  const { username, password, searchParams } = new URL(input instanceof Request ? input.url : input);
  const own = [...new Headers(headers)].filter(([name]) => /auth|key|token|secret|cookie/.test(name));
  const values = [...own.map(([, value]) => value.replace(/^\S+ +/, '')), username, password, ...searchParams.values()];
  return values.filter((value) => value.length >= 4 && value !== 'none');
}

interface ErrorReply {
  httpStatus: number;
  headers: Headers;
  body: unknown;
  /** The secrets of the request. */
  sent: string[];
}

function errorOfReply(source: ReplySource, { httpStatus, headers, body, sent }: ErrorReply): ProviderError {
  const read = readRefusal(httpStatus, body, sent);
  // Cloudflare's challenge, whatever the body is.
  const reply = headers.has('cf-mitigated') ? { ...read, isPage: true, status: 403 } : read;
  const { code, type, param } = reply;
  const { usage } = membersOf(body);
  const found = causeOf(reply, source.provider);
  // A server that reports a failure with 200 would transcribe the recording again and again.
  const isFailure = source.step === 'transcription' && reply.status < 400 && found === 'outage';
  const cause = isFailure ? 'request' : found;
  // With a daily quota, Google sends the delay of its limit per minute.
  const isDaily = reply.codes.some((code) => /PerDay/i.test(code));
  const waitMs = isDaily ? 0 : Math.max(reply.waitMs ?? 0, retryAfterMs(headers));
  const status = httpStatus >= 400 ? httpStatus : reply.status;
  return errorOfCause(cause, source, {
    reply,
    status,
    httpStatus: status,
    refusal: { code, type, param },
    // An error after the beginning of an answer is billed.
    ...(httpStatus < 400 && { usage: readUsage(usage), costUsd: readCharge(usage) }),
    ...requestIdOf(headers, body),
    retryAfterMs: waitMs || undefined,
  });
}

/** Headers with the ID of a request, as the providers and gateways name them. The first expression counts first. */
const ID_HEADERS = [/^x-request-id$/, /^request-id$/, /(?:request|correlation|generation|trace|call)-?id$/];

/** Returns the ID of the request, which the support of the provider asks for: from the headers, else from the body. */
export function requestIdOf(headers: Headers, body?: unknown): { providerRequestId: string | null } {
  const names = ID_HEADERS.flatMap((each) => [...headers.keys()].filter((name) => each.test(name)));
  const { request_id, requestId, id, responseId, transcription_id, error } = membersOf(body);
  const inBody = [request_id, requestId, membersOf(error)['request_id'], id, responseId, transcription_id];
  const candidates = [...names.map((name) => headers.get(name)), ...inBody];
  const texts = candidates.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? String(each) : [],
  );
  const found = texts.find(Boolean);
  return { providerRequestId: found ? postgresSafeText(found.slice(0, 200)) : null };
}

/** Returns the longer wait of `retry-after-ms` and `Retry-After`, which contains seconds or a date; 0: none. RFC 9110 §10.2.3. */
function retryAfterMs(headers: Headers): number {
  const [exact, header] = [headers.get('retry-after-ms'), headers.get('retry-after')];
  const seconds = Number(header || Number.NaN);
  const waits = [
    Number(exact || Number.NaN),
    Number.isNaN(seconds) ? Date.parse(header ?? '') - Date.now() : seconds * 1_000,
  ];
  return Math.max(0, ...waits.filter((wait) => Number.isFinite(wait)));
}
