/** Submits a file or URL, unless it was submitted before, and waits for its result. */
import { setTimeout } from 'node:timers/promises';
import { openAsBlob } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import {
  ApiError,
  getSession,
  listSessions,
  retrySession,
  submitTextRequest,
  submitVoiceRequest,
  submitVoiceRequestByUrl,
  type Assistant,
  type Client,
  type Session,
} from 'conversation-analysis-client';
import { FINAL_SESSION_STATUSES } from '../../contract/values/constants.ts';
import { UsageError } from '../command.ts';
import { decodeText, makeUploadKey, readConversation, uploadMetadata } from 'conversation-analysis-client/uploads';

export interface Submission {
  client: Client;
  assistant: Assistant;
  signal: AbortSignal;
  roles: Record<string, string>;
  pattern: RegExp | undefined;
}

/** Seconds that one request waits for the session to end. */
const WAIT_S = 30;

/** How often and how long to wait until the service has stored a session. */
const STORING_TRIES = 20;
const STORING_MS = 500;

/** The API's maximum. A file has one session, and possibly reanalyses by batches. */
const PAGE = 200;

/** Names of recordings, which no text has. */
const RECORDING = /\.(mp3|wav|ogg|oga|opus|m4a|mp4|aac|flac|webm|amr|wma)$/i;

/** A recording that the service downloads. */
const isUrl = (path: string) => /^https?:\/\//.test(path);

/** Returns the finished session of a file or URL, and whether this call created it. Throws `ApiError` if the service refuses the file. */
export async function submitFile(submission: Submission, path: string): Promise<{ session: Session; isNew: boolean }> {
  const { client, signal } = submission;
  const { found, ...given } = await describeFile(submission, path);
  const id = found
    ? await resume(submission, found, path)
    : await submit(submission, path, given).catch((error: unknown) => firstOf(submission, error));
  for (;;) {
    const options = { client, signal, path: { id }, query: { wait: WAIT_S } };
    const { data: session } = await getSession(options);
    if (FINAL_SESSION_STATUSES.some((status) => status === session.status)) return { session, isNew: !found };
  }
}

interface Given {
  metadata: Record<string, string> & ReturnType<typeof uploadMetadata>;
  /** When the conversation took place, in ISO 8601; undefined: now. */
  occurred_at: string | undefined;
}

/** Returns what a file is submitted with, and its session if it was submitted before. */
export async function describeFile(
  submission: Submission,
  path: string,
): Promise<Given & { found: Found | undefined }> {
  if (submission.assistant.type === 'text' && (isUrl(path) || RECORDING.test(path)))
    throw new UsageError(`${path} is a recording, but the assistant is for texts. Choose a voice assistant.`);
  // Throws an error that says why the file can't be read, unlike the next step.
  if (!isUrl(path)) await access(path);
  const { occurred_at, ...given } = await readMetadata(submission, path);
  // Recordings of silence are equal, but belong to different calls.
  // A renamed or copied file is the same recording, so its name does not count.
  const { file_name: _, ...described } = given;
  const scope = [submission.assistant.id, ...Object.entries(described).flat()].join('\n');
  const key = await makeUploadKey(isUrl(path) ? new Blob([path]) : await openAsBlob(path), scope);
  const metadata = { ...given, ...uploadMetadata(key) };
  const time = occurred_at === undefined ? undefined : readTime(occurred_at, path);
  return { found: await findSubmitted(submission, key), metadata, occurred_at: time };
}

/** Year, month and day, and perhaps hour, minute and second, with any sign between them. */
const LOCAL_TIME = /^(\d{4})\D?(\d\d)\D?(\d\d)(?:\D?(\d\d)\D?(\d\d)(?:\D?(\d\d))?)?$/;

/** Returns a time with a time zone, or one in the time zone of this machine, such as `20261128-160512`, in ISO 8601. */
function readTime(text: string, path: string): string {
  const parts = LOCAL_TIME.exec(text)?.slice(1).map(Number);
  const [year = NaN, month = 1, day, ...clock] = parts ?? [];
  const [hour, minute, second] = clock.map((part) => part || 0);
  const numbers = [year, month - 1, day, hour, minute, second] as const;
  const time = parts ? new Date(...numbers) : new Date(text);
  // A date carries over: month 13 becomes January.
  const isCarried = parts && !digitsOf(new Date(Date.UTC(...numbers)).toISOString()).startsWith(digitsOf(text));
  if (isCarried || Number.isNaN(time.getTime())) throw new Error(`occurred_at of ${path}: "${text}" is not a time`);
  return time.toISOString();
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

type Found = Pick<Session, 'session_id' | 'status' | 'error' | 'source_session_id'>;

/** Returns the session of a file that this command or the console has submitted before. */
async function findSubmitted({ client, assistant, signal }: Submission, key: string): Promise<Found | undefined> {
  const pairs = Object.entries(uploadMetadata(key)).map(([name, value]) => [`metadata.${name}`, value]);
  const query = {
    assistant_id: assistant.id,
    metadata: Object.fromEntries(pairs) as Record<string, string>,
    limit: PAGE,
  };
  const { data } = await listSessions({ client, signal, query });
  return data.data.find(({ source_session_id }) => source_session_id === null);
}

/** Retries a session that failed temporarily. Returns its ID. */
async function resume(
  { client, signal }: Submission,
  { session_id: id, status, error }: Found,
  path: string,
): Promise<string> {
  if (status === 'failed' && error?.retryable === true) {
    const headers = { Prefer: 'respond-async' };
    // The service deletes the URL a day after the failure.
    const url = error.stage === 'fetch' && isUrl(path) ? { body: { audio_url: path } } : {};
    await retrySession({ client, signal, path: { id }, headers, ...url }).catch((refusal: unknown) => {
      // The session is already running again, or can't be retried.
      if (!(refusal instanceof ApiError) || refusal.code !== 'conflict') throw refusal;
    });
  }
  return id;
}

/**
 * Returns the session of an equal file of another name, which was submitted at the same time. Throws other errors again. The service
 * keeps the key before it stores the session.
 */
async function firstOf({ client, signal }: Submission, error: unknown): Promise<string> {
  const { session_id: id } = error instanceof ApiError && error.code === 'idempotency_key_reused' ? error : {};
  if (id === undefined) throw error;
  for (let left = STORING_TRIES; ; left -= 1) {
    try {
      return (await getSession({ client, signal, path: { id } })).data.session_id;
    } catch (missing) {
      if (left === 0 || !(missing instanceof ApiError) || missing.code !== 'not_found') throw missing;
      await setTimeout(STORING_MS, undefined, { signal });
    }
  }
}

/** Submits the file. The idempotency key prevents a second session if the response is lost. */
async function submit(
  { client, assistant, signal, roles }: Submission,
  path: string,
  { metadata, occurred_at }: Given,
): Promise<string> {
  const options = { client, signal, headers: { Prefer: 'respond-async', 'Idempotency-Key': metadata.upload_key } };
  const shared = { assistant_id: assistant.id, ...(occurred_at !== undefined && { occurred_at }) };
  if (assistant.type === 'text') {
    const { turns: conversation, skipped } = readConversation(decodeText(await readFile(path)), { roles });
    if (skipped > 0) report(path, `${skipped} messages without words of a person were skipped`);
    const body = { ...shared, metadata, conversation };
    return (await submitTextRequest({ ...options, body })).data.session_id;
  }
  if (isUrl(path)) {
    const body = { ...shared, metadata, audio_url: path };
    return (await submitVoiceRequestByUrl({ ...options, body })).data.session_id;
  }
  const audio_file = new File([await openAsBlob(path)], basename(path));
  const body = { ...shared, metadata: JSON.stringify(metadata), audio_file };
  return (await submitVoiceRequest({ ...options, body })).data.session_id;
}

/** Returns the metadata, and `occurred_at`, from the file's name and from the JSON file beside it. The API reports invalid metadata. */
async function readMetadata({ assistant, pattern }: Submission, path: string): Promise<Record<string, string>> {
  const named = Object.entries(pattern?.exec(path)?.groups ?? {}).filter(([, value]) => value !== undefined);
  if (isUrl(path)) return Object.fromEntries(named);
  const files = metadataFilesOf(path, assistant.type);
  const beside = await Promise.all(files.map(readMetadataFile));
  return {
    file_name: basename(path),
    ...Object.fromEntries(named),
    ...Object.assign({}, ...beside.toReversed()),
  } as Record<string, string>;
}

/**
 * Returns the plain values of a metadata file; none without the file, or if it is a list, such as a conversation. A recorder's
 * file can also contain lists and objects.
 */
async function readMetadataFile(file: string): Promise<Record<string, string>> {
  const text = await readFile(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return {};
  const content = JSON.parse(decodeText(text).replace(/^\ufeff/, '')) as Record<string, unknown> | unknown[];
  const members = Array.isArray(content) ? [] : Object.entries(content);
  const plain = members.filter(([, value]) => value !== null && typeof value !== 'object');
  const nested = members.filter(([, value]) => value !== null && typeof value === 'object').map(([name]) => name);
  if (nested.length > 0) report(file, `${nested.join(', ')} skipped: metadata has plain values only`);
  return Object.fromEntries(plain.map(([name, value]) => [name, String(value)]));
}

const report = (path: string, note: string) => process.stderr.write(`${path}: ${note}.\n`);

/** Returns the paths of a file's metadata: `call.ogg.json`, and of a recording also `call.json`, as recorders name it. */
export const metadataFilesOf = (path: string, type: Assistant['type']) => [
  `${path}.json`,
  ...(type === 'voice' ? [`${path.slice(0, path.length - extname(path).length)}.json`] : []),
];
