import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from './support/new-folder.ts';
import { runCommand } from './support/run-command.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const EXCLUDED = read('.dockerignore').split('\n').filter(Boolean);

/** Every program that an operator or docker-compose.yml runs in the image. */
const PROGRAMS = [
  'api/main.ts',
  'worker/main.ts',
  'db/run-migrations.ts',
  'worker/run-release.ts',
  'worker/run-reseal.ts',
  'api/account/manage-users.ts',
];

/** A stage of the Dockerfile. */
interface Stage {
  name: string | undefined;
  instructions: string[][];
}

function readStages(): Stage[] {
  const stages: Stage[] = [];
  for (const line of read('Dockerfile')
    .split('\n')
    .filter((text) => /^[A-Z]/.test(text))) {
    const words = line.split(/\s+/);
    if (words[0] === 'FROM') stages.push({ name: words[3], instructions: [] });
    else stages.at(-1)?.instructions.push(words);
  }
  return stages;
}

/** Links the packages of this checkout that `npm ci` would install, without their caches. */
function linkPackages(folder: string, { isProduction }: { isProduction: boolean }): void {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
  const link = (path: string) => {
    if (!existsSync(join(ROOT, path))) return; // a package for another platform
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // A link in node_modules is relative: it leads to a package of the folder.
    const isLink = lstatSync(join(ROOT, path)).isSymbolicLink();
    symlinkSync(isLink ? readlinkSync(join(ROOT, path)) : join(ROOT, path), join(folder, path));
  };
  for (const [path, { dev = false }] of Object.entries(packages)) {
    if (/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !(isProduction && dev)) link(path);
  }
  if (!isProduction) link('node_modules/.bin');
}

/** Runs the stage's `COPY` and `RUN node` instructions in a new folder. @param built the folders of the earlier stages. */
async function build({ instructions }: Stage, built: Map<string | undefined, string>): Promise<string> {
  const folder = newFolder();
  linkPackages(folder, {
    isProduction: !instructions.some((words) => words.join(' ') === 'RUN npm ci --ignore-scripts'),
  });
  const skipped = EXCLUDED.map((path) => join(ROOT, path));
  for (const [name, ...words] of instructions) {
    if (name === 'RUN' && words[0] === 'node') await run(folder, words.join(' ').split(' && ')[0]!.split(' ').slice(1));
    if (name !== 'COPY') continue;
    const stage = words[0]?.startsWith('--from=') ? words.shift()!.slice('--from='.length) : undefined;
    const target = words.pop()!;
    for (const path of words.filter((word) => !word.endsWith('node_modules'))) {
      const source = stage === undefined ? join(ROOT, path) : path.replace('/app', built.get(stage)!);
      const copy = join(folder, target.endsWith('/') ? join(target, basename(path)) : target);
      cpSync(source, copy, { recursive: true, filter: (file) => !skipped.includes(file) });
    }
  }
  return folder;
}

async function run(folder: string, args: string[]): Promise<void> {
  const { code, output, errors } = await runCommand(process.execPath, args, {}, { cwd: folder });
  expect(code, `${args.join(' ')}: ${output}${errors}`).to.equal(0);
}

describe('Dockerfile', function () {
  this.timeout(900_000);
  it('copies all files that the builds and the programs need, and installs all packages that the programs need', async () => {
    const folders = new Map<string | undefined, string>();
    for (const stage of readStages()) folders.set(stage.name, await build(stage, folders));
    const image = folders.get(undefined)!;
    expect(existsSync(join(image, 'console/dist/en/index.html'))).to.equal(true);
    for (const program of PROGRAMS) {
      // Loads all of its files, then ends because settings are missing.
      const { errors } = await runCommand(process.execPath, [program], {}, { cwd: image });
      expect(errors, program).to.match(/^DATABASE_URL is required/);
    }
  });
});
