/**
 * `npm run check:expressions`: fails if a hostile text makes a regular expression literal take more than linear time. One that
 * is composed when the program runs is judged by its test. Safe expressions are cached, because judging all takes 15 s.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { check } from 'recheck';
import recheck from 'recheck/package.json' with { type: 'json' };
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** All code except tests. */
const FOLDERS =
  'activities,api,bench,clients,console,contract,db,deploy,examples,local,redaction,runtime,scripts,worker,workflows';

/** Many times the time that an expression takes to judge. One that takes longer must be made simpler. */
const TIMEOUT_MS = 30_000;

/** Characters of the text that tries an attack, and the time for it: many times what a linear expression takes. */
const ATTACK_CHARACTERS = 300_000;
const ATTACK_TIMEOUT_MS = 3000;

/** Expressions that this version of the tool found to be safe. */
const CACHE = join(ROOT, `node_modules/.cache/expressions-${recheck.version}.json`);

const known = new Set(existsSync(CACHE) ? (JSON.parse(readFileSync(CACHE, 'utf8')) as string[]) : []);
const safe: string[] = [];
for (const [literal, file] of readLiterals()) {
  const fault = known.has(literal) ? null : await judge(literal);
  if (fault === null) safe.push(literal);
  else process.stderr.write(`${file} ${literal}: ${fault}\n`);
  if (fault !== null) process.exitCode = 1;
}
mkdirSync(dirname(CACHE), { recursive: true });
writeFileSync(CACHE, JSON.stringify(safe));

/** Returns each different literal with a file that contains it. */
function readLiterals(): Map<string, string> {
  const found = new Map<string, string>();
  const options = { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] };
  for (const file of globSync(`{${FOLDERS}}/**/*.{ts,tsx,js}`, options).sort()) {
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.set(node.text, file);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest));
  }
  return found;
}

/** Returns why the expression is not safe; null: it is. The seed is fixed, so that each run judges alike. */
async function judge(literal: string): Promise<string | null> {
  const end = literal.lastIndexOf('/');
  const [source, flags] = [literal.slice(1, end), literal.slice(end + 1)];
  const judged = await check(source, flags, { timeout: TIMEOUT_MS, randomSeed: 1 });
  if (judged.status === 'safe') return null;
  if (judged.status === 'unknown') return `not judged (${judged.error.kind})`;
  const { pattern, pumps, suffix } = judged.attack;
  const repeat = (pump: string) => pump.repeat(ATTACK_CHARACTERS / pumps.length / pump.length + 1);
  const text = pumps.map(({ prefix, pump }) => prefix + repeat(pump)).join('') + suffix;
  try {
    // The tool takes short repetitions with a limit, such as {0,80}, for unlimited ones: try the attack.
    runInNewContext('new RegExp(source, flags).test(text)', { source, flags, text }, { timeout: ATTACK_TIMEOUT_MS });
    return null;
  } catch {
    return `${judged.complexity.summary}, by ${pattern.slice(0, 200)}`;
  }
}
