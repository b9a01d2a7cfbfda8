/** The way of one file: found, or submitted, and waited for. */
import { openAsBlob } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  getSession,
  listSessions,
  retrySession,
  submitTextRequest,
  submitVoiceRequest,
} from '../typescript/src/index.ts';
import type { Assistant, Session } from '../typescript/src/index.ts';
import { FINAL_SESSION_STATUSES } from '../../contract/constants.ts';
import type { Client } from '../typescript/src/client/index.ts';
import { makeUploadKey, uploadMetadata } from '../typescript/uploads/index.ts';
import { parseConversation } from '../typescript/uploads/parse-conversation.ts';
import { CallError, insist } from './call.ts';

export interface Submission {
  client: Client;
  assistant: Assistant;
  signal: AbortSignal;
}

/** Seconds that one call waits for the end of a session. */
const WAIT_S = 30;

/** Pages that are as long as may be: a file has one session, and those that batches made of it. */
const PAGE = 200;

/** Returns the session of a file at its end. Throws `CallError` if the service does not take it. */
export async function submitFile(submission: Submission, path: string): Promise<Session> {
  const { client, signal } = submission;
  // It says why a file can't be read, which the next step does not.
  await access(path);
  const key = await makeUploadKey(await openAsBlob(path), submission.assistant.id);
  const found = await findSubmitted(submission, key);
  const id = found ? await goOn(submission, found) : (await submit(submission, path, key)).session_id;
  for (;;) {
    const options = { client, signal, path: { id }, query: { wait: WAIT_S } };
    const session = await insist(() => getSession(options), signal);
    if (FINAL_SESSION_STATUSES.some((status) => status === session.status)) return session;
  }
}

type Found = Pick<Session, 'session_id' | 'status' | 'error' | 'source_session_id'>;

/** Returns the session that the file became when it was submitted before, by this command or in the console. */
async function findSubmitted({ client, assistant, signal }: Submission, key: string): Promise<Found | undefined> {
  const pairs = Object.entries(uploadMetadata(key)).map(([name, value]) => [`metadata.${name}`, value]);
  const query = {
    assistant_id: assistant.id,
    metadata: Object.fromEntries(pairs) as Record<string, string>,
    limit: PAGE,
  };
  const { data } = await insist(() => listSessions({ client, signal, query }), signal);
  return data.find(({ source_session_id }) => source_session_id === null);
}

/** Has a session that failed in a way that may pass run again. Returns its id. */
async function goOn({ client, signal }: Submission, { session_id: id, status, error }: Found): Promise<string> {
  if (status === 'failed' && error?.retryable === true) {
    const headers = { Prefer: 'respond-async' };
    await insist(() => retrySession({ client, signal, path: { id }, headers }), signal).catch((refusal: unknown) => {
      // It runs again already, or can't.
      if (!(refusal instanceof CallError) || refusal.problem?.code !== 'conflict') throw refusal;
    });
  }
  return id;
}

/** The key makes it one session, however often the answer is lost. */
async function submit({ client, assistant, signal }: Submission, path: string, key: string): Promise<Session> {
  const options = { client, signal, headers: { Prefer: 'respond-async', 'Idempotency-Key': key } };
  const [assistant_id, metadata] = [assistant.id, uploadMetadata(key)];
  if (assistant.type === 'text') {
    const body = { assistant_id, metadata, conversation: parseConversation(await readFile(path, 'utf8')) };
    return insist(() => submitTextRequest({ ...options, body }), signal);
  }
  const audio_file = new File([await openAsBlob(path)], basename(path));
  const body = { assistant_id, metadata: JSON.stringify(metadata), audio_file };
  return insist(() => submitVoiceRequest({ ...options, body }), signal);
}
