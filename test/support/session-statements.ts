/** Runs sessions to their end, and notes the SQL statements that they cause. */
import { send } from './api.ts';
import { fixture } from './audio.ts';
import { testDatabase } from './database.ts';
import type { SessionOwner } from './sessions.ts';
import { untilWorkflowEnds } from './temporal.ts';
import { submitVoice } from './voice.ts';

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
  const { id: assistant_id } = assistant;
  const body = { assistant_id, conversation: [{ role: 'client', text: 'My parcel is late.' }] };
  const { session_id } =
    assistant.type === 'voice'
      ? await submitVoice(api, { token, assistantId: assistant_id, recording: fixture('tone.mp3'), headers })
      : (await send(api, 'submitTextRequest', { token, body, headers })).body;
  await untilWorkflowEnds(session_id);
  return session_id;
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
