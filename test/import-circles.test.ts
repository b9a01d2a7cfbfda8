import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Not written by hand, or not of this project. */
const LEFT_OUT = ['node_modules', '.git', '.data', 'clients'];

function sourceFiles(directory = ROOT): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.includes(relative(ROOT, path)) ? [] : sourceFiles(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** Returns the files of the project that each file imports, types included. */
function readImports(files: string[]): Map<string, string[]> {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
      const own = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
      return [file, own.map(({ fileName }) => resolve(dirname(file), fileName)).filter((path) => known.has(path))];
    }),
  );
}

/** Returns every circle that a walk along the imports runs into: the files on it, with the first one again at its end. */
function findCircles(imports: Map<string, string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  function walk(file: string): void {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const imported of imports.get(file) ?? []) walk(imported);
    path.pop();
    done.add(file);
  }
  for (const file of imports.keys()) walk(file);
  return circles;
}

const show = (circle: string[]) => circle.map((file) => relative(ROOT, file)).join(' → ');

describe('The files of the project', () => {
  it('import each other in no circle, types included', () => {
    const imports = readImports(sourceFiles());
    expect(imports.size).to.be.above(200);
    expect(findCircles(imports).map(show)).to.deep.equal([]);
  });

  it('would be seen to: a circle is found from wherever the walk begins, and a diamond is none', () => {
    const diamond = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d']],
      ['d', []],
    ]);
    expect(findCircles(diamond)).to.deep.equal([]);
    const circle = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    expect(findCircles(circle)).to.deep.equal([['b', 'c', 'b']]);
  });
});
