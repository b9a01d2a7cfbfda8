/** Clients that submit conversations at a constant rate, and repeat failed requests with the same Idempotency-Key. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '../../contract/values/constants.ts';
import type { Session } from '../../contract/sessions/sessions.ts';
import { form, FORM_TYPE } from '../support/multipart.ts';

/** One in six conversations is a recording, and one in three waits for its result. */
const VOICE_EVERY = 6;
const WAIT_EVERY = 3;
const PROVIDER_MS = 1_000;
const RETRY_MS = 500;
/** Time after which a client stops repeating a request. */
const GIVE_UP_MS = 180_000;

const TOO_MANY = 429;

const SAMPLE = readFileSync(new URL('../../examples/samples/support-call.mp3', import.meta.url));

export interface LoadUser {
  authorization: string;
  textAssistant: string;
  voiceAssistant: string;
}

export interface Submission {
  kind: 'text' | 'voice';
  /** Undefined if the submission was refused. */
  sessionId?: string;
  /** From the first request to the final response, in milliseconds. */
  acceptMs: number;
  /** Status of each failed request; 0 for a connection without a response. */
  repeats: number[];
}

export interface Request {
  kind: 'text' | 'voice';
  /** Whether the client waits for the result. */
  waits: boolean;
}

const requestOf = (number: number): Request =>
  number % VOICE_EVERY === 0 ? { kind: 'voice', waits: false } : { kind: 'text', waits: number % WAIT_EVERY === 1 };

export interface Load {
  /** Stops submitting. Resolves with all submissions when the last one has a response. */
  stop(): Promise<Submission[]>;
}

export function startLoad(apiUrl: string, user: LoadUser, perSecond: number): Load {
  const submissions: Promise<Submission>[] = [];
  const timer = setInterval(() => {
    submissions.push(submit(apiUrl, user, requestOf(submissions.length)));
  }, 1_000 / perSecond);
  return {
    stop() {
      clearInterval(timer);
      return Promise.all(submissions);
    },
  };
}

/** Submits one conversation. Repeats the request until it is accepted or refused. */
export async function submit(apiUrl: string, user: LoadUser, { kind, waits }: Request): Promise<Submission> {
  const { path, type, body } = kind === 'voice' ? voiceRequest(user) : textRequest(user);
  const headers = {
    Authorization: user.authorization,
    'Content-Type': type,
    'Idempotency-Key': randomUUID(),
    ...(!waits && { Prefer: 'respond-async' }),
  };
  const started = Date.now();
  const repeats: number[] = [];
  for (; Date.now() - started < GIVE_UP_MS; await sleep(RETRY_MS)) {
    const answer = await post(`${apiUrl}${API_BASE}${path}`, headers, body);
    if (answer.sessionId !== undefined) {
      return { kind, sessionId: answer.sessionId, acceptMs: Date.now() - started, repeats };
    }
    repeats.push(answer.status);
    if (answer.status >= 400 && answer.status < 500 && answer.status !== TOO_MANY) break;
  }
  return { kind, acceptMs: Date.now() - started, repeats };
}

function textRequest({ textAssistant }: LoadUser) {
  const text = `This is a conversation. [provider delay_ms=${PROVIDER_MS}]`;
  const body = { assistant_id: textAssistant, conversation: [{ role: 'client', text }] };
  return { path: '/v1/requests/text', type: 'application/json', body: Buffer.from(JSON.stringify(body)) };
}

function voiceRequest({ voiceAssistant }: LoadUser) {
  const filename = `call [provider delay_ms=${PROVIDER_MS}].mp3`;
  const file = { name: 'audio_file', value: SAMPLE, filename, type: 'audio/mpeg' };
  const body = form([{ name: 'assistant_id', value: voiceAssistant }, file]);
  return { path: '/v1/requests/voice', type: FORM_TYPE, body };
}

/** Returns the session's ID, or the status of the error; 0 if there was no response. */
async function post(
  url: string,
  headers: Record<string, string>,
  body: Buffer<ArrayBuffer>,
): Promise<{ sessionId?: string; status: number }> {
  try {
    const response = await fetch(url, { method: 'POST', headers, body });
    if (response.ok) return { sessionId: ((await response.json()) as Session).session_id, status: response.status };
    await response.arrayBuffer();
    return { status: response.status };
  } catch {
    return { status: 0 };
  }
}
