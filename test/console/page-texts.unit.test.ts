import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ON_MOST_PAGES } from '../../console/most-pages.ts';

const ROOT = fileURLToPath(new URL('../../console/src/', import.meta.url));

const fileOf = new Map<string, string>();
for (const path of globSync('texts/en/*.ts', { cwd: ROOT }).filter((name) => !name.endsWith('index.ts')))
  for (const [, group = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(/^export const (\w+)/gm))
    fileOf.set(group, path.replace(/^.*\/|\.ts$/g, ''));

/** A file that another one loads later, with the files of texts that are loaded before it. */
interface Later {
  file: string;
  texts: string[];
}

interface Source {
  imports: string[];
  later: Later[];
  /** Files of texts that it uses. */
  uses: string[];
}

const sources = new Map<string, Source>();
for (const path of globSync('**/*.{ts,tsx}', { cwd: ROOT, exclude: ['texts/**'] })) {
  const code = readFileSync(join(ROOT, path), 'utf8');
  const resolve = (name: string) => normalize(join(dirname(path), name));
  const later = [...code.matchAll(/import\('([^']+)'\)(?:,\s*'\w+')?(?:,\s*\[([^\]]*)\])?/g)].map(
    ([, name = '', list = '']) => ({ file: resolve(name), texts: [...list.matchAll(/\w+/g)].map(String) }),
  );
  const imports = [...code.matchAll(/^(?:import|export) (?!type )[^'=]*'(\.[^']+\.tsx?)'/gm)];
  const uses = [...code.matchAll(/\btexts\.(\w+)/g)].map(([, group = '']) => fileOf.get(group) ?? group);
  sources.set(path, { later, imports: imports.map(([, name = '']) => resolve(name)), uses });
}

/** Returns the file and all that it imports, without those in `loaded`. */
function importsOf(file: string, loaded = new Set<string>(), found = new Set<string>()): Set<string> {
  if (!sources.has(file) || loaded.has(file) || found.has(file)) return found;
  found.add(file);
  for (const name of sources.get(file)?.imports ?? []) importsOf(name, loaded, found);
  return found;
}

const first = importsOf('main.tsx');

/** Returns what a file uses before its texts are loaded, also in the parts that it loads later. */
function missing(root: Later, given: readonly string[], seen: readonly string[] = []): string[] {
  const texts = [...given, ...root.texts];
  return [...importsOf(root.file, first)].flatMap((name) => [
    ...(sources.get(name)?.uses ?? []).filter((file) => !texts.includes(file)).map((file) => `${name}: ${file}`),
    ...(sources.get(name)?.later ?? [])
      .filter(({ file }) => !seen.includes(file))
      .flatMap((part) => missing(part, texts, [...seen, root.file])),
  ]);
}

describe('The texts of a page', () => {
  it('are those of the first load in the files of the first load', () => {
    const used = [...first].flatMap((name) => (sources.get(name)?.uses ?? []).map((file) => `${name}: ${file}`));
    expect(used.filter((each) => !each.endsWith(': common'))).to.deep.equal([]);
  });

  it('are those of all pages in the files that are loaded with the first page', () => {
    const files = [...sources.keys()].filter((name) => ON_MOST_PAGES.test(`/console/src/${name}`));
    expect(files.length).to.be.above(10);
    const used = files
      .flatMap((file) => [...importsOf(file)])
      .flatMap((name) => (sources.get(name)?.uses ?? []).map((file) => `${name}: ${file}`));
    expect(used.filter((each) => !/: (common|shared)$/.test(each))).to.deep.equal([]);
  });

  it('are loaded before the page and before each part of it', () => {
    const roots = [...first].flatMap((name) => sources.get(name)?.later ?? []);
    expect(roots.length).to.be.above(30);
    expect(roots.flatMap((root) => missing(root, ['common', 'shared']))).to.deep.equal([]);
  });
});
