/** Runs `deploy/upgrade.sh` with a stand-in for Docker, which records its calls. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { newFolder } from './support/new-folder.ts';
import { runCommand } from './support/run-command.ts';

const SCRIPT = fileURLToPath(new URL('../deploy/upgrade.sh', import.meta.url));

/** A call that contains the text in `fails` fails. Each status query returns the next line of `open`. */
const DOCKER = `#!/bin/sh
echo "\${RELEASE:-} $*" >> calls
case "$*" in
  *"$(cat fails)"*) exit 1 ;;
  'compose ps'*) cat workers ;;
  *--status)
    echo "1.1.0: drained, 0 runs open"
    echo "1.2.3: $(head -n 1 open) runs open"
    [ "$(wc -l < open)" -eq 1 ] || sed -i 1d open ;;
esac
`;

describe('deploy/upgrade.sh', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
    for (const [name, text] of Object.entries({ docker: DOCKER, sleep: '#!/bin/sh\n' })) {
      writeFileSync(join(folder, name), text, { mode: 0o755 });
    }
  });

  interface Scene {
    to?: string;
    /** The release in .env. */
    from?: string;
    /** Output of `docker compose ps`. */
    workers?: string[];
    /** State and open workflows of the former release, for each status query. */
    open?: string[];
    /** Part of the call that fails. */
    fails?: string;
  }

  async function upgrade({
    to = '1.3.0',
    from = '1.2.3',
    workers = OLD,
    open = ['draining, 2', 'draining, 10', 'drained, 0'],
    fails = 'nothing',
  }: Scene = {}) {
    writeFileSync(join(folder, '.env'), `DOMAIN=localhost\nRELEASE=${from}\n`);
    const lines = { workers, open, fails: [fails] };
    for (const [name, values] of Object.entries(lines)) {
      writeFileSync(join(folder, name), values.map((value) => `${value}\n`).join(''));
    }
    const env = { PATH: [folder, process.env['PATH']].join(delimiter), DRAIN_S: '60' };
    const { code, output } = await runCommand('sh', [SCRIPT, to], env, { cwd: folder });
    const calls = join(folder, 'calls');
    return {
      code,
      output,
      calls: existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : [],
      release: /^RELEASE=(.*)$/m.exec(readFileSync(join(folder, '.env'), 'utf8'))?.[1],
    };
  }

  const OLD = ['conversation-analysis-service:1.2.3 one', 'conversation-analysis-service:1.2.3 two'];
  const NEW = 'conversation-analysis-service:1.3.0 three';
  const STATUS = '1.3.0 compose run --rm --no-deps release node worker/run-release.ts --status';

  it('upgrades schema, workers, current release and APIs in this order, and stops the drained former workers', async () => {
    const { code, calls, release } = await upgrade();
    expect(calls.slice(1)).to.deep.equal([
      '1.3.0 compose build migrate',
      '1.3.0 compose run --rm migrate',
      '1.3.0 compose up -d --no-deps --no-recreate --scale worker=4 worker',
      '1.3.0 compose run --rm --no-deps release',
      '1.3.0 compose up -d --no-deps api',
      STATUS,
      STATUS,
      STATUS,
      ' stop one two',
      ' rm one two',
    ]);
    expect({ code, release }).to.deep.equal({ code: 0, release: '1.3.0' });
  });

  it('keeps the former workers if their workflows stay open', async () => {
    const { code, output, calls, release } = await upgrade({ open: ['draining, 3'] });
    expect(calls.at(-1)).to.equal(STATUS);
    expect(output).to.contain('Some workflows are still open');
    expect({ code, release }).to.deep.equal({ code: 1, release: '1.3.0' });
  });

  for (const fails of ['build migrate', 'run --rm migrate', '--scale', '--no-deps release', '-d --no-deps api']) {
    it(`stops if \`${fails}\` fails, and keeps the former release in .env`, async () => {
      const { code, calls, release } = await upgrade({ fails });
      expect(calls.at(-1)).to.contain(fails);
      expect({ code, release }).to.deep.equal({ code: 1, release: '1.2.3' });
    });
  }

  it('stops no worker of the next release after a restart', async () => {
    const { calls } = await upgrade({ workers: [...OLD, NEW] });
    expect(calls).to.include('1.3.0 compose up -d --no-deps --no-recreate --scale worker=4 worker');
    expect(calls.slice(-2)).to.deep.equal([' stop one two', ' rm one two']);
  });

  it('continues after an interruption of its wait, and stops drained workers', async () => {
    const { code, calls, release } = await upgrade({
      from: '1.3.0',
      workers: [...OLD, NEW],
      open: ['draining, 0', 'drained, 0'],
    });
    expect(calls.slice(1)).to.deep.equal([STATUS, STATUS, ' stop one two', ' rm one two']);
    expect({ code, release }).to.deep.equal({ code: 0, release: '1.3.0' });
  });

  it('waits for the workflows of all former releases', async () => {
    const { calls } = await upgrade({
      workers: ['conversation-analysis-service:1.1.0 zero', ...OLD],
      open: ['draining, 0', 'drained, 0'],
    });
    expect(calls).to.include('1.3.0 compose up -d --no-deps --no-recreate --scale worker=5 worker');
    expect(calls.slice(-4)).to.deep.equal([STATUS, STATUS, ' stop zero one two', ' rm zero one two']);
  });

  it('does nothing if only this release runs', async () => {
    const { code, output, calls } = await upgrade({ to: '1.2.3' });
    expect({ code, output }).to.deep.equal({ code: 0, output: '1.2.3 is the only running release.\n' });
    expect(calls).to.have.length(1);
  });

  it('does nothing if Docker does not list the workers', async () => {
    const { code, calls } = await upgrade({ fails: 'compose ps' });
    expect({ code, calls: calls.length }).to.deep.equal({ code: 1, calls: 1 });
  });
});
