/** `npm run submit -- --assistant ID FILE…`: submits files, or the files that appear in a folder, to an assistant. See `--help`. */
import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ApiError, createClient, getAssistant, NetworkError } from 'conversation-analysis-client';
import { runCommand } from '../command.ts';
import { checkScopes } from './check-scopes.ts';
import { leaveRoom } from './leave-room.ts';
import { readOptions, USAGE, type Options } from './options.ts';
import { createFormat, type FileResult } from './results.ts';
import { showProgress } from './show-progress.ts';
import { describeFile, metadataFilesOf, submitFile, type Submission } from './submit-file.ts';
import { putAway, readDone, watchFolder } from './watch-folder.ts';

const EXIT = { done: 0, incomplete: 1, interrupted: 130 } as const;

/** With the pauses, a call is repeated for four minutes. */
const MAX_RETRIES = 9;

/** Time without a response until the command prints a note. */
const PATIENCE_MS = 3_000;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  try {
    return await submitAll(options, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return EXIT.interrupted;
    throw error;
  }
}

async function submitAll(options: Options, signal: AbortSignal): Promise<number> {
  const { token, url, api, assistantId, parallel, roles, pattern, watch, maxCost, isDryRun } = options;
  const config = { baseUrl: api, auth: () => token, maxRetries: MAX_RETRIES, fetch: leaveRoom(signal) };
  const client = createClient(config);
  const note = setTimeout(
    () => process.stderr.write(`${url} does not respond yet. Trying for four minutes.\n`),
    PATIENCE_MS,
  );
  const { data: assistant } = await getAssistant({ client, signal, path: { id: assistantId } }).finally(() =>
    clearTimeout(note),
  );
  await checkScopes(client, signal);
  const format = createFormat(options.format, assistant);
  const done = await readDone(watch && options.output);
  const named = new Set(options.files);
  const isMetadata = (file: string) =>
    [...named].some((other) => other !== file && metadataFilesOf(other, assistant.type).includes(file));
  const files = new Set(options.files.filter((file) => !file.endsWith('.json') || !isMetadata(file)));
  const submission = { client, assistant, signal, roles, pattern };
  if (isDryRun) return dryRun(submission, files);
  const results = openResults(options.output, watch !== undefined);
  await write(results.stream, format.header);
  const ended = new AbortController();
  const watching = { pattern, done, signal: AbortSignal.any([signal, ended.signal]), type: assistant.type };
  const source = watch ? watchFolder({ ...watch, ...watching }) : files.values();
  const bar = showProgress(watch ? undefined : files.size);
  const count = { submitted: 0, failed: 0, cost: 0 };
  /** Why no more files are submitted. */
  let limit: string | undefined;
  const work = async () => {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      const result = await resultOf(submission, next.value);
      signal.throwIfAborted();
      count.submitted += 1;
      count.cost += result.cost;
      if (result.error !== null) count.failed += 1;
      bar.advance(result.error === null);
      await write(results.stream, format.line(result));
      if (result.isOverBudget)
        limit = 'The monthly budget is used up: raise it in the console (Usage) or with PATCH /user/me';
      else if (count.cost >= maxCost)
        limit = `The new sessions cost $${count.cost.toFixed(4)}: the limit of --max-cost-usd`;
      if (limit !== undefined) return ended.abort();
      if (!watch) continue;
      if (result.error === null) await putAway(next.value, watch, assistant.type);
      else if (result.isTemporary) done.delete(next.value);
    }
  };
  const summary = () =>
    `${count.submitted - count.failed} of ${watch ? count.submitted : files.size} files have a result.`;
  let isComplete = false;
  try {
    if (watch) process.stderr.write(`Submitting the files that appear in ${watch.directory}. Press Ctrl-C to stop.\n`);
    await Promise.all(Array.from({ length: parallel }, work)).catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
    isComplete = limit === undefined;
    bar.end(isComplete ? summary() : `${summary()} ${limit}. To continue, run the command again with the same files.`);
  } catch (error) {
    bar.end(watch ? summary() : 'Interrupted. Run the command again with the same files to continue.');
    if (!watch || !signal.aborted) throw error;
  } finally {
    await results.end(isComplete);
  }
  return count.failed === 0 && limit === undefined ? EXIT.done : EXIT.incomplete;
}

/** Prints what each file would be submitted with, or the session that it has. */
async function dryRun(submission: Submission, files: ReadonlySet<string>): Promise<number> {
  let missing = 0;
  for (const file of files) {
    const { found, metadata, occurred_at } = await describeFile(submission, file);
    if (!found) missing += 1;
    await write(
      process.stdout,
      `${JSON.stringify({ file, session_id: found?.session_id ?? null, occurred_at, metadata })}\n`,
    );
  }
  process.stderr.write(`${missing} of ${files.size} files would be submitted.\n`);
  return EXIT.done;
}

/** Opens the output. A file of a former run is replaced only when all files have been processed. */
function openResults(output: string | undefined, isAppended: boolean) {
  if (output === undefined) return { stream: process.stdout, end: () => Promise.resolve() };
  const isReplaced = !isAppended && existsSync(output);
  const path = isReplaced ? `${output}.part` : output;
  const stream = createWriteStream(path, { flags: isAppended ? 'a' : 'w' });
  const end = async (isComplete: boolean) => {
    await finished(stream.end());
    if (isReplaced && isComplete) await rename(path, output);
  };
  return { stream, end };
}

interface Outcome extends FileResult {
  isTemporary: boolean;
  isOverBudget: boolean;
  /** Of a session that this run created, in US dollars. */
  cost: number;
}

/** Returns the result of a file, also if the file can't be read or is refused: the other files continue. */
async function resultOf(submission: Submission, file: string): Promise<Outcome> {
  try {
    const { session, isNew } = await submitFile(submission, file);
    const { status, error, total_cost } = session;
    const message = status === 'completed' ? null : (error?.message ?? `the session is ${status}`);
    const isOverBudget = error?.code === 'budget_exceeded';
    return { file, session, error: message, isTemporary: false, isOverBudget, cost: isNew ? total_cost : 0 };
  } catch (error) {
    const isTemporary = error instanceof NetworkError || isUnexpected(error);
    const isOverBudget = error instanceof ApiError && error.code === 'budget_exceeded';
    return { file, session: undefined, error: (error as Error).message, isTemporary, isOverBudget, cost: 0 };
  }
}

/** Returns whether a proxy responded instead of the service. */
const isUnexpected = (error: unknown) => error instanceof ApiError && error.code === 'unexpected_response';

async function write(output: Writable, text: string): Promise<void> {
  if (text !== '' && !output.write(text)) await once(output, 'drain');
}

await runCommand(USAGE, main);
