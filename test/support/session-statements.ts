/** Runs sessions to their end, and notes the SQL statements that they cause. */
import { submitTextRequest } from '../../contract/sessions/requests.ts';
import type { Session } from '../../contract/sessions/sessions.ts';
import { send, sendRaw } from './api.ts';
import { fixture } from './audio.ts';
import { testDatabase } from './database.ts';
import { form, FORM_TYPE } from './multipart.ts';
import type { SessionOwner } from './sessions.ts';
import { untilWorkflowEnds } from './temporal.ts';

export interface Statement {
  sql: string;
  bindings: unknown[];
  options?: { isPrepared?: boolean };
}

/** Heartbeat of workers, which is not part of a session's cost. */
const OF_NO_SESSION = /\bworkers\b/;

/** Submits a conversation or a recording, waits for the result and for the end of the workflow, and returns the session's ID. */
export async function runToEnd(
  api: { url: string },
  { token, assistant }: SessionOwner,
  headers: Record<string, string> = {},
): Promise<string> {
  const id = await (assistant.type === 'voice' ? upload() : submit());
  await untilWorkflowEnds(id);
  return id;

  async function submit() {
    const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text: 'My parcel is late.' }] };
    return (await send(api, submitTextRequest, { token, body, headers })).body.session_id;
  }

  async function upload() {
    const file = { name: 'audio_file', value: fixture('tone.mp3'), filename: 'call.mp3', type: 'audio/mpeg' };
    const body = form([{ name: 'assistant_id', value: assistant.id }, file]);
    const response = await sendRaw(api, 'POST', '/v1/requests/voice', {
      token,
      body,
      headers: { 'Content-Type': FORM_TYPE, ...headers },
    });
    return (response.body as Session).session_id;
  }
}

/** The response while PostgreSQL or Temporal is too slow. */
const IS_UNAVAILABLE = /got 503/;

/** Returns the SQL statements that `run` causes, in order. Repeats a run that a busy machine could not accept. */
export async function statementsDuring(run: () => Promise<unknown>): Promise<Statement[]> {
  const { db } = testDatabase();
  const statements: Statement[] = [];
  const note = (statement: Statement) => void statements.push(statement);
  db.on('query', note);
  try {
    await run();
  } catch (error) {
    if (!IS_UNAVAILABLE.test(String(error))) throw error;
    return await statementsDuring(run);
  } finally {
    db.off('query', note);
  }
  return statements.filter(({ sql }) => !OF_NO_SESSION.test(sql));
}
