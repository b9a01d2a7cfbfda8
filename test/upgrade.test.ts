/** `deploy/upgrade.sh` with a stand-in for Docker, which writes down what it is asked for. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runCommand } from './support/run-command.ts';

const SCRIPT = fileURLToPath(new URL('../deploy/upgrade.sh', import.meta.url));

/** Fails where a call contains what `fails` says. The state of the former release is another one with each question. */
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
    folder = mkdtempSync(join(tmpdir(), 'cas-upgrade-'));
    for (const [name, text] of Object.entries({ docker: DOCKER, sleep: '#!/bin/sh\n' })) {
      writeFileSync(join(folder, name), text);
      chmodSync(join(folder, name), 0o755);
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  interface Scene {
    to?: string;
    /** The release that .env names. */
    from?: string;
    /** What `docker compose ps` says of the workers. */
    workers?: string[];
    /** State and open runs of the former release, at each question. */
    open?: string[];
    /** A part of the call that fails. */
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
      ...{ code, output },
      calls: existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : [],
      release: /^RELEASE=(.*)$/m.exec(readFileSync(join(folder, '.env'), 'utf8'))?.[1],
    };
  }

  const OLD = ['conversation-analysis-service:1.2.3 one', 'conversation-analysis-service:1.2.3 two'];
  const NEW = 'conversation-analysis-service:1.3.0 three';
  const STATUS = '1.3.0 compose run --rm --no-deps release node worker/run-release.ts --status';

  it('brings schema, workers, new runs and APIs over in this order, and stops the former workers once drained', async () => {
    const { code, calls, release } = await upgrade();
    expect(calls.slice(1)).to.deep.equal([
      '1.3.0 compose build migrate',
      '1.3.0 compose run --rm migrate',
      '1.3.0 compose up -d --no-deps --no-recreate --scale worker=4 worker',
      '1.3.0 compose run --rm --no-deps release',
      '1.3.0 compose up -d --no-deps api',
      ...[STATUS, STATUS, STATUS],
      ...[' stop one two', ' rm one two'],
    ]);
    expect({ code, release }).to.deep.equal({ code: 0, release: '1.3.0' });
  });

  it('leaves the former workers running where their runs are open for longer than may be', async () => {
    const { code, output, calls, release } = await upgrade({ open: ['draining, 3'] });
    expect(calls.at(-1)).to.equal(STATUS);
    expect(output).to.contain('Some are still open');
    expect({ code, release }).to.deep.equal({ code: 1, release: '1.3.0' });
  });

  for (const fails of ['build migrate', 'run --rm migrate', '--scale', '--no-deps release', '-d --no-deps api']) {
    it(`goes no further where \`${fails}\` fails, and the former release stays the one of .env`, async () => {
      const { code, calls, release } = await upgrade({ fails });
      expect(calls.at(-1)).to.contain(fails);
      expect({ code, release }).to.deep.equal({ code: 1, release: '1.2.3' });
    });
  }

  it('stops none of the next release where it is begun again', async () => {
    const { calls } = await upgrade({ workers: [...OLD, NEW] });
    expect(calls).to.include('1.3.0 compose up -d --no-deps --no-recreate --scale worker=4 worker');
    expect(calls.slice(-2)).to.deep.equal([' stop one two', ' rm one two']);
  });

  it('goes on where it was interrupted while it waited: it asks, and stops what has drained', async () => {
    const { code, calls, release } = await upgrade({
      from: '1.3.0',
      workers: [...OLD, NEW],
      open: ['draining, 0', 'drained, 0'],
    });
    expect(calls.slice(1)).to.deep.equal([STATUS, STATUS, ' stop one two', ' rm one two']);
    expect({ code, release }).to.deep.equal({ code: 0, release: '1.3.0' });
  });

  it('waits for the runs of each release whose workers another upgrade has left', async () => {
    const { calls } = await upgrade({
      workers: ['conversation-analysis-service:1.1.0 zero', ...OLD],
      open: ['draining, 0', 'drained, 0'],
    });
    expect(calls).to.include('1.3.0 compose up -d --no-deps --no-recreate --scale worker=5 worker');
    expect(calls.slice(-4)).to.deep.equal([STATUS, STATUS, ' stop zero one two', ' rm zero one two']);
  });

  it('does nothing where the release runs already, and no other', async () => {
    const { code, output, calls } = await upgrade({ to: '1.2.3' });
    expect({ code, output }).to.deep.equal({ code: 0, output: '1.2.3 runs, and no other.\n' });
    expect(calls).to.have.length(1);
  });

  it('does nothing where Docker does not say what runs', async () => {
    const { code, calls } = await upgrade({ fails: 'compose ps' });
    expect({ code, calls: calls.length }).to.deep.equal({ code: 1, calls: 1 });
  });
});
