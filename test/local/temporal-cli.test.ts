import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findTemporalCli } from '../../local/temporal-cli.ts';
import { StartError } from '../../runtime/process/process.ts';
import { errorOf } from '../support/error-of.ts';
import { newFolder } from '../support/new-folder.ts';

describe('The program temporal', () => {
  let root: string;
  let cache: string;
  const say = () => undefined;
  beforeEach(() => {
    root = newFolder();
    cache = join(root, 'cache', 'conversation-analysis-service');
    mkdirSync(cache, { recursive: true });
  });

  const env = (more: Record<string, string> = {}) => ({ XDG_CACHE_HOME: join(root, 'cache'), PATH: '', ...more });

  function place(folder: string, name = 'temporal'): string {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
    return join(folder, name);
  }

  it('is TEMPORAL_CLI_PATH if that is set', async () => {
    place(cache);
    place(join(root, 'bin'));
    const given = place(join(root, 'given'), 'my-temporal');
    const found = await findTemporalCli(env({ PATH: join(root, 'bin'), TEMPORAL_CLI_PATH: given }), say);
    expect(found).to.equal(given);
  });

  it("is otherwise searched on the PATH, in the order of its folders, and then in the project's cache", async () => {
    const cached = place(cache);
    const first = place(join(root, 'first'));
    place(join(root, 'second'));
    const PATH = [join(root, 'none'), join(root, 'first'), join(root, 'second')].join(delimiter);
    expect(await findTemporalCli(env({ PATH }), say)).to.equal(first);
    expect(await findTemporalCli(env(), say)).to.equal(cached);
  });

  it('is not searched elsewhere if TEMPORAL_CLI_PATH does not exist; the error names that path', async () => {
    place(cache);
    const error = await errorOf(findTemporalCli(env({ TEMPORAL_CLI_PATH: '/nowhere/temporal' }), say));
    expect(error).to.be.instanceOf(StartError).with.property('message').that.contains('/nowhere/temporal');
  });
});
