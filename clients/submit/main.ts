/** `npm run submit -- --assistant ID FILE…`: submits files, or the files that appear in a folder, to an assistant. See `--help`. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ApiError, createClient, getAssistant, NetworkError } from 'conversation-analysis-client';
import { runCommand } from '../command.ts';
import { readOptions, USAGE, type Options } from './options.ts';
import { createFormat, type FileResult } from './results.ts';
import { showProgress } from './show-progress.ts';
import { metadataFilesOf, submitFile, type Submission } from './submit-file.ts';
import { putAway, readDone, watchFolder } from './watch-folder.ts';

const EXIT = { done: 0, incomplete: 1, interrupted: 130 } as const;

/** With the pauses, a call is repeated for four minutes. */
const MAX_RETRIES = 9;

/** Time without a response until the command prints a note. */
const PATIENCE_MS = 3_000;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (!options) {
    process.stdout.write(`${USAGE}\n`);
    return EXIT.done;
  }
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
  const { token, url, api, assistantId, parallel, roles, pattern, watch } = options;
  const client = createClient({ baseUrl: api, auth: () => token, maxRetries: MAX_RETRIES });
  const note = setTimeout(
    () => process.stderr.write(`${url} does not respond yet. Trying for four minutes.\n`),
    PATIENCE_MS,
  );
  const { data: assistant } = await getAssistant({ client, signal, path: { id: assistantId } }).finally(() =>
    clearTimeout(note),
  );
  const format = createFormat(options.format, assistant);
  const done = await readDone(watch && options.output);
  const output =
    options.output === undefined ? process.stdout : createWriteStream(options.output, { flags: watch ? 'a' : 'w' });
  await write(output, format.header);
  const named = new Set(options.files);
  const isMetadata = (file: string) =>
    [...named].some((other) => other !== file && metadataFilesOf(other, assistant.type).includes(file));
  const files = new Set(options.files.filter((file) => !file.endsWith('.json') || !isMetadata(file)));
  const source = watch ? watchFolder({ ...watch, pattern, done, signal, type: assistant.type }) : files.values();
  const bar = showProgress(watch ? undefined : files.size);
  const count = { submitted: 0, failed: 0 };
  const work = async () => {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      const result = await resultOf({ client, assistant, signal, roles, pattern }, next.value);
      signal.throwIfAborted();
      count.submitted += 1;
      if (result.error !== null) count.failed += 1;
      bar.advance(result.error === null);
      await write(output, format.line(result));
      if (!watch) continue;
      if (result.error === null) await putAway(next.value, watch, assistant.type);
      else if (result.isTemporary) done.delete(next.value);
    }
  };
  const summary = () => `${count.submitted - count.failed} of ${count.submitted} files have a result.`;
  try {
    if (watch) process.stderr.write(`Submitting the files that appear in ${watch.directory}. Press Ctrl-C to stop.\n`);
    await Promise.all(Array.from({ length: parallel }, work));
    bar.end(summary());
  } catch (error) {
    bar.end(watch ? summary() : 'Interrupted. Run the command again with the same files to continue.');
    if (!watch || !signal.aborted) throw error;
  } finally {
    if (output !== process.stdout) await finished(output.end());
  }
  return count.failed === 0 ? EXIT.done : EXIT.incomplete;
}

/** Returns the result of a file, also if the file can't be read or is refused: the other files continue. */
async function resultOf(submission: Submission, file: string): Promise<FileResult & { isTemporary: boolean }> {
  try {
    const session = await submitFile(submission, file);
    const { status, error } = session;
    const message = status === 'completed' ? null : (error?.message ?? `the session is ${status}`);
    return { file, session, error: message, isTemporary: false };
  } catch (error) {
    const isTemporary = error instanceof NetworkError || isUnexpected(error);
    return { file, session: undefined, error: (error as Error).message, isTemporary };
  }
}

/** Returns whether a proxy responded instead of the service. */
const isUnexpected = (error: unknown) => error instanceof ApiError && error.code === 'unexpected_response';

async function write(output: Writable, text: string): Promise<void> {
  if (text !== '' && !output.write(text)) await once(output, 'drain');
}

await runCommand(main);
