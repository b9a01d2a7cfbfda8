import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { hashWorkflowSources, loadWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { newFolder } from '../support/new-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('The cached workflow bundle', () => {
  let cache: string;
  let built: string[];
  beforeEach(() => {
    cache = join(newFolder(), 'cache');
    built = [];
  });

  const load = (options: { isTraced?: boolean; cache?: string } = {}) =>
    loadWorkflowBundle({
      cache,
      ...options,
      async build(isTraced) {
        built.push(isTraced ? 'traced' : 'plain');
        return `// ${isTraced ? 'traced' : 'plain'}`;
      },
    });

  it('is built once, with and without traces', async () => {
    for (let start = 0; start < 2; start += 1) {
      expect(await load()).to.deep.equal({ code: '// plain' });
      expect(await load({ isTraced: true })).to.deep.equal({ code: '// traced' });
    }
    expect(built).to.deep.equal(['plain', 'traced']);
  });

  it('is complete for every process that builds it at the same time, and leaves one file', async () => {
    const bundles = await Promise.all(Array.from({ length: 5 }, () => load()));
    expect(new Set(bundles.map(({ code }) => code))).to.deep.equal(new Set(['// plain']));
    expect(readdirSync(cache)).to.have.length(1);
  });

  it('replaces the bundle of older sources', async () => {
    mkdirSync(cache);
    writeFileSync(join(cache, 'plain-of-older-sources.js'), '// older');
    writeFileSync(join(cache, 'traced-of-older-sources.js'), '// older');
    await load();
    expect(readdirSync(cache)).to.have.length(2).and.to.include('traced-of-older-sources.js');
  });

  it('is built at every start if it cannot be stored', async () => {
    writeFileSync(cache, 'a file');
    for (let start = 0; start < 2; start += 1) expect(await load()).to.deep.equal({ code: '// plain' });
    expect(built).to.deep.equal(['plain', 'plain']);
  });

  describe('belongs to its sources', () => {
    let copy: string;
    beforeEach(() => {
      copy = join(cache, '..', 'copy');
      for (const name of ['workflows', 'contract', 'worker'])
        cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    });

    it('and is the same for the same sources in another folder', () => {
      expect(hashWorkflowSources(copy)).to.equal(hashWorkflowSources());
    });

    for (const file of [
      'workflows/index.ts',
      'contract/values/constants.ts',
      'worker/bundle-workflows.ts',
      'workflows/new.ts',
    ]) {
      it(`a change of ${file} requires a new one`, () => {
        writeFileSync(join(copy, file), '\n', { flag: 'a' });
        expect(hashWorkflowSources(copy)).not.to.equal(hashWorkflowSources());
      });
    }
  });

  it('is built in the image, from its folders, before the user loses write access', () => {
    const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split('\n');
    const image = join(cache, '..', 'image');
    const build = lines.indexOf('RUN node worker/build-workflows.ts');
    expect(build).to.be.above(0).and.below(lines.indexOf('USER node'));
    for (const line of lines.slice(0, build)) {
      const [, folder] = /^COPY ([a-z]+) \1$/.exec(line) ?? [];
      if (folder !== undefined) cpSync(join(ROOT, folder), join(image, folder), { recursive: true });
    }
    expect(existsSync(join(image, 'worker', 'build-workflows.ts'))).to.equal(true);
    expect(hashWorkflowSources(image)).to.equal(hashWorkflowSources());
  });
});
