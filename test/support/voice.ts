/** Submits recordings to a running service. */
import { readFileSync } from 'node:fs';
import type { Assistant } from '../../contract/assistants/assistant-schemas.ts';
import { SessionSchema, type Session } from '../../contract/sessions/sessions.ts';
import { CALLS_PATH, type RecordedCall } from '../../local/stand-ins/server.ts';
import { send, sendRaw, type Answer } from './api.ts';
import { form, FORM_TYPE } from './multipart.ts';

/** The project's sample of 32 seconds. The stand-ins return its transcript for every recording. */
const SAMPLE = readFileSync(new URL('../../examples/samples/support-call.mp3', import.meta.url));

export async function addVoiceAssistant(
  service: { url: string },
  token: string,
  fields: object = {},
): Promise<Assistant> {
  const settings = { name: 'Calls', type: 'voice', llm_provider: 'openai', system_prompt: 'Summarize.', ...fields };
  return (await send(service, 'createAssistant', { token, body: settings })).body;
}

export interface VoiceRequest {
  token: string;
  assistantId: string;
  /** May contain a directive for the speech-to-text stand-ins. */
  fileName?: string;
  /** Default: the project's sample. */
  recording?: Uint8Array;
  headers?: Record<string, string>;
  /** Other fields of the form. */
  fields?: Record<string, string>;
}

export function sendVoice(
  service: { url: string },
  { token, assistantId, fileName = 'call.mp3', recording = SAMPLE, headers = {}, fields = {} }: VoiceRequest,
): Promise<Answer<unknown>> {
  const file = { name: 'audio_file', value: recording, filename: fileName, type: 'audio/mpeg' };
  const texts = Object.entries({ assistant_id: assistantId, ...fields }).map(([name, value]) => ({ name, value }));
  const body = form([...texts, file]);
  return sendRaw(service, 'POST', '/v1/requests/voice', {
    token,
    body,
    headers: { 'Content-Type': FORM_TYPE, ...headers },
  });
}

/** Submits a recording and returns the session. */
export async function submitVoice(service: { url: string }, request: VoiceRequest): Promise<Session> {
  return SessionSchema.parse((await sendVoice(service, request)).body);
}

/** Returns the calls that the stand-ins at `url` received, as `provider path`, oldest first. */
export async function providerCalls(url: string): Promise<string[]> {
  const calls = (await (await fetch(url + CALLS_PATH)).json()) as RecordedCall[];
  return calls.map(({ provider, path }) => `${provider} ${path}`);
}
