/** Builds the Temporal server and its SQL tool with Go, because no registry has the compiled programs. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir, type Say } from '../../local/fetch-once.ts';
import { fetchOnce } from '../../local/fetch-once.ts';
import { buildGoProgram } from '../../local/go-program.ts';
import { findOnPath } from '../../local/temporal-cli.ts';
import { StartError } from '../../runtime/process.ts';

/** The same version as in docker-compose.yml. */
export const TEMPORAL_VERSION = '1.31.2';
const MODULE = 'go.temporal.io/server';

/** The programs to build, with the names that the scripts in deploy/ use. */
const PROGRAMS = [
  { package: 'cmd/server', built: 'server', name: 'temporal-server' },
  { package: 'cmd/tools/sql', built: 'sql', name: 'temporal-sql-tool' },
];

type Env = Record<string, string | undefined>;

export interface TemporalPrograms {
  /** Folder with the programs, under the names that the image uses. */
  directory: string;
  /** Folder with the schema versions. */
  schemas: string;
}

/** Returns the programs from the project's cache. Builds them if this version is missing. */
export async function findTemporalPrograms(env: Env, say: Say): Promise<TemporalPrograms> {
  const directory = join(cacheDir(env), `temporal-server-${TEMPORAL_VERSION}`);
  const programs = { directory, schemas: join(directory, 'schema') };
  await fetchOnce(directory, { title: 'Temporal server', say }, async (folder) => {
    const go = findOnPath(env, 'go');
    if (!go) {
      throw new StartError(
        `The Temporal server ${TEMPORAL_VERSION} is built once, with Go 1.26 or newer, and there is no "go" on the PATH. Install it: https://go.dev/dl/`,
      );
    }
    const unfinished = join(folder, 'programs');
    mkdirSync(unfinished);
    await build(go, unfinished, { env: { CGO_ENABLED: '0', ...env }, say });
    return unfinished;
  });
  return programs;
}

async function build(go: string, directory: string, { env, say }: { env: Env; say: Say }): Promise<void> {
  say(
    `Temporal ${TEMPORAL_VERSION}: building the server and its SQL tool with Go (once; 5 to 10 minutes on two cores) …`,
  );
  for (const { package: path, built, name } of PROGRAMS) {
    const module = `${MODULE}/${path}@v${TEMPORAL_VERSION}`;
    if (!(await buildGoProgram({ title: name, module, directory }, { go, env, say }))) {
      throw new StartError(`${module} could not be built; Go needs its module proxy (GOPROXY) for it.`);
    }
    renameSync(join(directory, built), join(directory, name));
  }
  const args = ['mod', 'download', '-json', `${MODULE}@v${TEMPORAL_VERSION}`];
  const { stdout } = await promisify(execFile)(go, args, { env: env });
  const { Dir: source } = JSON.parse(stdout) as { Dir: string };
  copyWritable(join(source, 'schema', 'postgresql'), join(directory, 'schema', 'postgresql'));
}

/** Copies a folder of Go's module cache, which is read-only, as a writable folder. */
function copyWritable(source: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) copyWritable(from, to);
    else {
      cpSync(from, to);
      chmodSync(to, 0o644);
    }
  }
}
