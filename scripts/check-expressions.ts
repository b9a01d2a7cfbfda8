/**
 * `npm run check:expressions`: fails if a hostile text makes a regular expression take more than linear time. Safe
 * expressions are cached, because judging all takes 15 s.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from 'recheck';
import recheck from 'recheck/package.json' with { type: 'json' };
import { readExpressions, type Expression } from './expressions.ts';

/** All code except tests. */
const FOLDERS =
  'activities,api,bench,clients,console,contract,db,deploy,examples,local,redaction,runtime,scripts,worker,workflows';

/** Many times the time that an expression takes to judge. One that takes longer must be made simpler. */
const TIMEOUT_MS = 30_000;

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

/** Returns why the expression is not safe; null: it is. */
async function judge({ source, flags }: Expression): Promise<string | null> {
  const judged = await check(source, flags, { timeout: TIMEOUT_MS });
  if (judged.status === 'safe') return null;
  return judged.status === 'unknown'
    ? `not judged (${judged.error.kind})`
    : `${judged.complexity.summary}, by ${judged.attack.pattern.slice(0, 200)}`;
}
