import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { CONSOLE_LANGUAGES } from '../../contract/values/constants.ts';

const DIST = fileURLToPath(new URL('../../console/dist/', import.meta.url));

/** After gzip -9; 1 kB is 1,000 bytes: docs/decisions.md, "Console". */
const MAX_FIRST_LOAD_BYTES = 140_000;

const sizeOf = (path: string) => gzipSync(readFileSync(join(DIST, path)), { level: 9 }).length;

describe("The console's size", () => {
  for (const language of CONSOLE_LANGUAGES) {
    it(`stays within 140 kB for the first load in ${language}`, () => {
      const page = readFileSync(join(DIST, language, 'index.html'), 'utf8');
      const files = [...page.matchAll(/"\/console\/([\w./-]+\.(?:js|css))"/g)].map(([, file = '']) => file);
      expect(files).to.have.length.above(2);
      const sizes = [`${language}/index.html`, ...files].map(sizeOf);
      expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(MAX_FIRST_LOAD_BYTES);
    });
  }
});
