import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchOnce } from '../../local/fetch-once.ts';
import { errorOf } from '../support/error-of.ts';
import { newFolder } from '../support/new-folder.ts';

describe('Getting a shared program', () => {
  let cache: string;
  let target: string;
  beforeEach(() => {
    cache = join(newFolder(), 'cache');
    target = join(cache, 'program');
  });

  const fetchFolder = (folder: string) => {
    const fetched = join(folder, 'fetched');
    mkdirSync(fetched);
    writeFileSync(join(fetched, 'file'), 'complete');
    return Promise.resolve(fetched);
  };

  it('gives it to all who fetch at the same time, and leaves nothing else', async () => {
    const fetched = await Promise.all(Array.from({ length: 4 }, () => fetchOnce(target, fetchFolder)));
    expect(fetched).to.deep.equal([target, target, target, target]);
    expect(readFileSync(join(target, 'file'), 'utf8')).to.equal('complete');
    expect(readdirSync(cache)).to.deep.equal(['program']);
  });

  it('happens once: again only if it failed', async () => {
    const fail = () => Promise.reject(new Error('no network'));
    expect(await errorOf(fetchOnce(target, fail))).to.have.property('message', 'no network');
    expect(readdirSync(cache)).to.deep.equal([]);
    expect(await fetchOnce(target, fetchFolder)).to.equal(target);
    expect(await fetchOnce(target, fail)).to.equal(target);
  });
});
