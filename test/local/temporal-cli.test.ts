import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { findOnPath, findTemporalCli } from '../../local/temporal-cli.ts';
import { StartError } from '../../runtime/process.ts';

describe('where the program temporal comes from', () => {
  let root: string;
  let cache: string;
  const say = () => undefined;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cas-cli-'));
    cache = join(root, 'cache', 'conversation-analysis-service');
    mkdirSync(cache, { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const env = (more: Record<string, string> = {}) => ({ XDG_CACHE_HOME: join(root, 'cache'), PATH: '', ...more });

  function place(folder: string, name = 'temporal'): string {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o755);
    return join(folder, name);
  }

  it('is first of all TEMPORAL_CLI_PATH', async () => {
    place(cache);
    place(join(root, 'bin'));
    const given = place(join(root, 'given'), 'my-temporal');
    const found = await findTemporalCli(env({ PATH: join(root, 'bin'), TEMPORAL_CLI_PATH: given }), say);
    expect(found).to.equal(given);
  });

  it('is then the PATH, its folders in order', async () => {
    place(cache);
    const first = place(join(root, 'first'));
    place(join(root, 'second'));
    const PATH = [join(root, 'none'), join(root, 'first'), join(root, 'second')].join(delimiter);
    expect(await findTemporalCli(env({ PATH }), say)).to.equal(first);
  });

  it('is then the cache of the project', async () => {
    const cached = place(cache);
    expect(await findTemporalCli(env(), say)).to.equal(cached);
  });

  it('is never a TEMPORAL_CLI_PATH that does not exist: the way out is said, nothing else is tried', async () => {
    place(cache);
    const error: unknown = await findTemporalCli(env({ TEMPORAL_CLI_PATH: '/nowhere/temporal' }), say).catch(
      (caught: unknown) => caught,
    );
    expect(error).to.be.instanceOf(StartError).with.property('message').that.contains('/nowhere/temporal');
  });

  it('is nowhere on an empty PATH', () => {
    expect(findOnPath({ PATH: '' }, 'temporal-that-nobody-has')).to.equal(undefined);
    expect(findOnPath({}, 'temporal-that-nobody-has')).to.equal(undefined);
  });
});
