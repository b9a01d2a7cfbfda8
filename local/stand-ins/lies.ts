/**
 * Reads directives that simulate wrong answers: `[value score=99]`, `[field score=null]`, `[field score missing]`,
 * `[quote invented]`, `[quote turn+3]` and `[schema refuse]` in the conversation or the instructions. With ` once` before the
 * closing bracket, the correction request gets a correct answer.
 *
 * `[truth resolved=true score=7]` in the conversation and `[errs resolved=0.15 hard=0.5]` in the prompt simulate a model with a
 * known error rate: it returns the truth, except at these rates. The truth of the demo's calls is known without the directive. `hard` is the share of errors that do not depend on the prompt.
 */
import { createHash } from 'node:crypto';
import { findRates, findTruth } from '../demo-calls.ts';
import type { SpokenTurn } from './analyze.ts';

type Value = string | number | boolean | null;

export interface Lies {
  /** Values to return for these fields; null for "not mentioned". */
  values: ReadonlyMap<string, Value>;
  /** Fields to omit. */
  missing: ReadonlySet<string>;
  inventsQuotes: boolean;
  /** Offset of the turn numbers of quotes. */
  turnOffset: number;
  refusesSchema: boolean;
}

const PATTERN = /\[(value|field|quote|schema) ([^[\]]+?)( once)?\]/g;

interface Asked {
  system: string;
  user: string;
  /** The conversation in `user`. */
  turns: readonly SpokenTurn[];
}

/** @param isSecond whether this is the correction request. */
export function readLies({ system, user, turns }: Asked, isSecond: boolean): Lies {
  const lies = [...`${system}\n${user}`.matchAll(PATTERN)]
    .filter(([, , , once]) => !(isSecond && once))
    .map(([, kind = '', what = '']) => ({ kind, what }));
  const assignments = lies
    .filter(({ kind, what }) => (kind === 'value' || kind === 'field') && what.includes('='))
    .map(({ what }) => what.split('=', 2) as [string, string]);
  const has = (kind: string, what: string) => lies.some((each) => each.kind === kind && each.what === what);
  return {
    values: new Map([
      ...answerFromTruth(system, user, turns),
      ...assignments.map(([name, value]) => [name, parse(value)] as const),
    ]),
    missing: new Set(lies.flatMap(({ what }) => /^(\w+) missing$/.exec(what)?.[1] ?? [])),
    inventsQuotes: has('quote', 'invented'),
    turnOffset: Number(lies.flatMap(({ what }) => /^turn([+-]\d+)$/.exec(what)?.[1] ?? [])[0] ?? 0),
    refusesSchema: has('schema', 'refuse'),
  };
}

/** Returns the declared values, of which some are wrong. Equal turns and prompts always give equal values. */
function answerFromTruth(system: string, user: string, turns: readonly SpokenTurn[]): [string, Value][] {
  // Not the user message, because it contains the ID of the session.
  const said = JSON.stringify(turns);
  const declared = readPairs(/\[truth ([^[\]]+)\]/, user).map(([name, text]) => [name, parse(text)] as const);
  const known = declared.length > 0 ? undefined : findTruth(turns);
  const truths = known ? Object.entries(known) : declared;
  const stated = Object.fromEntries(readPairs(/\[errs ([^[\]]+)\]/, system));
  const rates: Record<string, string | number> = { ...(known && findRates(system)), ...stated };
  const rateOf = (name: string) => Number(rates[name] ?? 0);
  return truths.map(([name, truth]) => {
    const isHard = chanceOf('hard', name, said) < rateOf('hard');
    const isWrong = chanceOf(name, said, isHard ? '' : system) < rateOf(name);
    return [name, isWrong ? falsify(truth) : truth];
  });
}

function readPairs(directive: RegExp, text: string): [string, string][] {
  const pairs = directive.exec(text)?.[1]?.split(' ') ?? [];
  return pairs.map((pair) => pair.split('=', 2) as [string, string]);
}

/** Returns a number from 0 to 1 that depends only on the texts. */
const chanceOf = (...texts: string[]) =>
  createHash('sha256').update(JSON.stringify(texts)).digest().readUInt32BE() / 2 ** 32;

function falsify(truth: Value): Value {
  if (typeof truth === 'boolean') return !truth;
  return typeof truth === 'number' ? truth + 1 : null;
}

function parse(value: string): Value {
  if (value === 'null') return null;
  if (value === 'true' || value === 'false') return value === 'true';
  return Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Returns an invented quote. */
export const invent = (field: string) =>
  `quite clearly and beyond any doubt the ${field} was mentioned by somebody else`;
