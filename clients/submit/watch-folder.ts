/** Finds the files that appear in a folder. */
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Assistant } from 'conversation-analysis-client';
import type { WatchOptions } from './options.ts';
import { metadataFilesOf } from './submit-file.ts';

/** Poll interval. Polls because `fs.watch` does not report changes on network drives. */
const POLL_MS = 5_000;

/** Folder for files with a result. */
const DONE = 'done';

interface FolderWatch extends WatchOptions {
  pattern: RegExp | undefined;
  /** Files to skip: those that have a result or were yielded. */
  done: Set<string>;
  signal: AbortSignal;
  /** Of the assistant: which JSON files are metadata depends on it. */
  type: Assistant['type'];
}

/**
 * Yields the files of a folder and its subfolders that are not in `done`, each when its size and time have not changed for
 * `settleMs`. Adds yielded files to `done`. To get a file again, the caller removes it from `done`.
 */
export async function* watchFolder({ directory, type, settleMs, minBytes, pattern, done, signal }: FolderWatch) {
  /** The size and time of each file, and since when they are unchanged. */
  const seen = new Map<string, { state: string; since: number }>();
  const skipped = new Set<string>();
  const skip = (path: string, why: string) => {
    if (!skipped.has(path)) process.stderr.write(`${path}: skipped: ${why}.\n`);
    skipped.add(path);
  };
  for (;;) {
    const files = await listFiles(directory, type);
    for (const path of files.filter((file) => !done.has(file))) {
      const found = await stat(path).catch(() => undefined);
      if (!found) continue;
      if (pattern?.test(path) === false) {
        skip(path, 'it does not match --pattern');
        continue;
      }
      const state = `${found.size} ${found.mtimeMs}`;
      const known = seen.get(path);
      if (known?.state !== state) seen.set(path, { state, since: performance.now() });
      else if (performance.now() - known.since < settleMs) continue;
      else if (type === 'voice' && found.size < minBytes) skip(path, `it has less than ${minBytes} bytes`);
      else {
        done.add(path);
        seen.delete(path);
        yield path;
      }
    }
    await sleep(Math.max(1_000, Math.min(POLL_MS, settleMs)), undefined, { signal });
  }
}

/** Returns the paths of all files except hidden files, metadata files, and files in the folder "done". */
async function listFiles(directory: string, type: Assistant['type']): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const all = new Set(paths);
  const metadata = new Set(
    paths.filter((path) => !path.endsWith('.json')).flatMap((path) => metadataFilesOf(path, type)),
  );
  const isMetadata = (path: string) =>
    metadata.has(path) || (path.endsWith('.json') && all.has(path.slice(0, -'.json'.length)));
  const isVisible = (path: string) => !/(^|[/\\])\./.test(path) && !/^done[/\\]/.test(path);
  return paths.filter((path) => isVisible(relative(directory, path)) && !isMetadata(path)).sort();
}

/** Returns the files that have a result in the output of an earlier run. */
export async function readDone(output: string | undefined): Promise<Set<string>> {
  const done = new Set<string>();
  if (output === undefined || !(await stat(output).catch(() => undefined))) return done;
  for await (const line of createInterface({ input: createReadStream(output) })) {
    // A regular expression, because the last line may be incomplete JSON.
    const file = /^\{"file":("(?:[^"\\]|\\.)*"),"error":null,/.exec(line)?.[1];
    if (file !== undefined) done.add(JSON.parse(file) as string);
  }
  return done;
}

/** Keeps, deletes or moves a file that has a result, together with its metadata file. */
export async function putAway(
  path: string,
  { after, directory }: WatchOptions,
  type: Assistant['type'],
): Promise<void> {
  if (after === 'keep') return;
  for (const file of [path, ...metadataFilesOf(path, type)]) {
    const target = join(directory, DONE, relative(directory, file));
    if (after === 'move') await mkdir(dirname(target), { recursive: true });
    const moving = after === 'delete' ? rm(file, { force: true }) : rename(file, target);
    await moving.catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    });
  }
}
