import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashWorkflowSources } from '../../worker/workflow-bundle.ts';
import { newFolder } from '../support/new-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('The cached workflow bundle', () => {
  it('belongs to its sources: each change of a file requires a new one', () => {
    const copy = newFolder();
    for (const name of ['workflows', 'contract', 'worker'])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    const hashes = [hashWorkflowSources(), hashWorkflowSources(copy)];
    expect(hashes[1]).to.equal(hashes[0]);
    for (const file of ['workflows/index.ts', 'contract/values/constants.ts', 'workflows/new.ts']) {
      writeFileSync(join(copy, file), '\n', { flag: 'a' });
      hashes.push(hashWorkflowSources(copy));
    }
    expect(new Set(hashes)).to.have.property('size', hashes.length - 1);
  });

  it('is built in the image, from its folders, before the user loses write access', () => {
    const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split('\n');
    const image = newFolder();
    const build = lines.findIndex((line) => line.startsWith('RUN node worker/build-workflows.ts'));
    expect(build).to.be.above(0).and.below(lines.indexOf('USER node'));
    for (const line of lines.slice(0, build)) {
      const [, folder] = /^COPY ([a-z]+) \1$/.exec(line) ?? [];
      if (folder !== undefined) cpSync(join(ROOT, folder), join(image, folder), { recursive: true });
    }
    expect(existsSync(join(image, 'worker', 'build-workflows.ts'))).to.equal(true);
    expect(hashWorkflowSources(image)).to.equal(hashWorkflowSources());
  });
});
