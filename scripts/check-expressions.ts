/**
 * `npm run check:expressions`: fails if a hostile text makes a regular expression take more than linear time. Safe
 * expressions are cached, because judging all takes 15 s.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { check } from 'recheck';
import recheck from 'recheck/package.json' with { type: 'json' };
import { readExpressions, type Expression } from './expressions.ts';

/** All code except tests. */
const FOLDERS =
  'activities,api,bench,clients,console,contract,db,deploy,examples,local,redaction,runtime,scripts,worker,workflows';

/** Many times the time that an expression takes to judge. One that takes longer must be made simpler. */
const TIMEOUT_MS = 30_000;

/** Characters of the text that tries an attack, and the time for it: many times what a linear expression takes. */
const ATTACK_CHARACTERS = 300_000;
const ATTACK_TIMEOUT_MS = 3000;

/** Expressions that this version of the tool found to be safe. */
const CACHE = fileURLToPath(new URL(`../node_modules/.cache/expressions-${recheck.version}.json`, import.meta.url));

const known = new Set(existsSync(CACHE) ? (JSON.parse(readFileSync(CACHE, 'utf8')) as string[]) : []);
const safe: string[] = [];
for (const expression of readExpressions(FOLDERS)) {
  const name = `/${expression.source}/${expression.flags}`;
  const fault = known.has(name) ? null : await judge(expression);
  if (fault === null) safe.push(name);
  else process.stderr.write(`${expression.file} ${name}: ${fault}\n`);
  if (fault !== null) process.exitCode = 1;
}
mkdirSync(dirname(CACHE), { recursive: true });
writeFileSync(CACHE, JSON.stringify(safe));

/** Returns why the expression is not safe; null: it is. The seed is fixed, so that each run judges alike. */
async function judge({ source, flags }: Expression): Promise<string | null> {
  const judged = await check(source, flags, { timeout: TIMEOUT_MS, randomSeed: 1 });
  if (judged.status === 'safe') return null;
  if (judged.status === 'unknown') return `not judged (${judged.error.kind})`;
  const { pattern, pumps, suffix } = judged.attack;
  // The tool takes short repetitions with a limit, such as {0,80}, for unlimited ones.
  return isFast({ source, flags }, pumps, suffix) ? null : `${judged.complexity.summary}, by ${pattern.slice(0, 200)}`;
}

/** Returns whether a long text of this attack takes linear time. */
function isFast(
  expression: Pick<Expression, 'source' | 'flags'>,
  pumps: readonly { prefix: string; pump: string }[],
  suffix: string,
): boolean {
  const repeat = (pump: string) => pump.repeat(ATTACK_CHARACTERS / pumps.length / pump.length + 1);
  const text = pumps.map(({ prefix, pump }) => prefix + repeat(pump)).join('') + suffix;
  try {
    runInNewContext('new RegExp(source, flags).test(text)', { ...expression, text }, { timeout: ATTACK_TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
}
