import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CONSOLE_LANGUAGES } from '../../contract/values/constants.ts';

const DIST = fileURLToPath(new URL('../../console/dist/', import.meta.url));

/** Sizes after gzip -9; 1 kB is 1,000 bytes: docs/decisions.md, "Console". */
const MAX_FIRST_LOAD_BYTES = 140_000;
const MAX_PAGE_BYTES = 40_000;

/** The list of all other files in the entry file. */
const LIST = /\[("assets\/[^\]]+")\]/;

const read = (path: string) => readFileSync(join(DIST, path), 'utf8');
const sizeOf = (path: string) => gzipSync(read(path), { level: 9 }).length;

/** Returns the files that a text contains, relative to the console's base. */
const filesIn = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, file = '']) => file)),
];

describe("The console's size", () => {
  const page = read('index.html');
  const first = ['index.html', ...filesIn(page, /"\/console\/([\w./-]+\.(?:js|css))"/g)];
  const entry = first.find((file) => file.endsWith('.js') && LIST.test(read(file))) ?? '';

  /** Returns the file and all its imports, without the files of the first load. */
  function filesOf(file: string, found = new Set<string>()): Set<string> {
    if (first.includes(file) || found.has(file)) return found;
    found.add(file);
    for (const name of filesIn(read(file), /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
      filesOf(`assets/${name}`, found);
    return found;
  }

  for (const language of CONSOLE_LANGUAGES) {
    it(`stays within 140 kB for the first load in ${language}`, () => {
      expect(entry).not.to.equal('');
      const [texts] = filesIn(read(entry), new RegExp(`\\b(${language}-[\\w-]{7}\\.js)`, 'g'));
      expect(texts).not.to.equal(undefined);
      const sizes = [...first, ...filesOf(`assets/${texts}`)].map((file) => sizeOf(file));
      expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(MAX_FIRST_LOAD_BYTES);
    });
  }

  it('stays within 40 kB for each other page with its imports', () => {
    const listed = LIST.exec(read(entry))?.[1] ?? '';
    const known = listed.split(',').map((file) => file.slice(1, -1));
    const pages = known.filter((file) => /assets\/[\w-]+-page-[\w-]+\.js$/.test(file));
    expect(pages).to.have.length.above(8);
    for (const file of pages) {
      const size = [...filesOf(file)].reduce((sum, name) => sum + sizeOf(name), 0);
      expect(size, file).to.be.below(MAX_PAGE_BYTES);
    }
  });
});
