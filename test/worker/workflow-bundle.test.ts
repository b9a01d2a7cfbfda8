import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { hashWorkflowSources, loadWorkflowBundle } from '../../worker/workflow-bundle.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the workflow bundle that is kept', () => {
  let cache: string;
  let built: string[];
  beforeEach(() => {
    cache = join(mkdtempSync(join(tmpdir(), 'cas-bundles-')), 'cache');
    built = [];
  });
  afterEach(() => rmSync(join(cache, '..'), { recursive: true, force: true }));

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

  it('is whole for every process, however many build it at once, and nothing else stays', async () => {
    const bundles = await Promise.all(Array.from({ length: 5 }, () => load()));
    expect(new Set(bundles.map(({ code }) => code))).to.deep.equal(new Set(['// plain']));
    expect(readdirSync(cache)).to.have.length(1);
  });

  it('replaces that of older sources', async () => {
    mkdirSync(cache);
    writeFileSync(join(cache, 'plain-of-older-sources.js'), '// older');
    writeFileSync(join(cache, 'traced-of-older-sources.js'), '// older');
    await load();
    expect(readdirSync(cache)).to.have.length(2).and.to.include('traced-of-older-sources.js');
  });

  it('is built at every start where it cannot be kept', async () => {
    writeFileSync(cache, 'a file');
    for (let start = 0; start < 2; start += 1) expect(await load()).to.deep.equal({ code: '// plain' });
    expect(built).to.deep.equal(['plain', 'plain']);
  });

  describe('belongs to its sources:', () => {
    let copy: string;
    beforeEach(() => {
      copy = join(cache, '..', 'copy');
      for (const name of ['workflows', 'contract', 'worker'])
        cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    });

    it('the same sources elsewhere have the same one', () => {
      expect(hashWorkflowSources(copy)).to.equal(hashWorkflowSources());
    });

    for (const file of ['workflows/index.ts', 'contract/constants.ts', 'worker/bundle-workflows.ts']) {
      it(`a change in ${file} asks for another`, () => {
        writeFileSync(join(copy, file), '\n', { flag: 'a' });
        expect(hashWorkflowSources(copy)).not.to.equal(hashWorkflowSources());
      });
    }

    it('so does a new file', () => {
      writeFileSync(join(copy, 'workflows', 'another.ts'), '');
      expect(hashWorkflowSources(copy)).not.to.equal(hashWorkflowSources());
    });
  });

  it('is built into the image, from the folders that the image has, and before its user may not write', () => {
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
