/** Reads directives, which simulate faults and wrong answers, from conversations, prompts and file names: CONTRIBUTING.md. */
import { createHash } from 'node:crypto';
import { findCall, findRates } from '../demo-calls.ts';
import type { SpokenTurn } from './analyze.ts';

export interface Directive {
  /** HTTP status of the response. Default: a normal response. */
  status?: number;
  /** Value of `Retry-After`, in seconds. */
  retry_after_s?: number;
  /** Delay of the response. */
  delay_ms?: number;
  /** Number of calls with the same text to which the directive applies. Default: all. */
  times?: number;
  /** Duration of a job. */
  job_ms?: number;
  /** Reported length of the recording. */
  duration_s?: number;
  /** Number of channels in the recording. */
  channels?: number;
}

const PATTERN = /\[provider((?: \w+=\d+)+)\]/;

const NAMES = ['status', 'retry_after_s', 'delay_ms', 'times', 'job_ms', 'duration_s', 'channels'];

const isName = (name: string): name is keyof Directive => NAMES.includes(name);

/**
 * Returns a function that reads directives such as `[provider status=503 times=2]` or `[provider delay_ms=20000]`, and
 * counts the calls with each text.
 */
export function createDirectives() {
  const seen = new Map<string, number>();

  return function directiveOf(text: string): Directive {
    const found = PATTERN.exec(text)?.[1];
    if (found === undefined) return {};
    const directive: Directive = {};
    for (const pair of found.trim().split(' ')) {
      const [name = '', value = ''] = pair.split('=');
      if (isName(name)) directive[name] = Number(value);
    }
    const key = createHash('sha256').update(text).digest('hex');
    const calls = (seen.get(key) ?? 0) + 1;
    seen.set(key, calls);
    return directive.times === undefined || calls <= directive.times ? directive : {};
  };
}

type Value = string | number | boolean | null;

export interface Lies {
  /** Values to return for these fields. */
  values: ReadonlyMap<string, Value>;
  inventsQuotes: boolean;
}

const VALUE = /\[value ([^[\]=]+)=([^[\]]+)\]/g;

interface Asked {
  system: string;
  user: string;
  /** The conversation in `user`. */
  turns: readonly SpokenTurn[];
}

export function readLies({ system, user, turns }: Asked): Lies {
  const asked = `${system}\n${user}`;
  const values = [...asked.matchAll(VALUE)].map(([, name = '', value = '']) => [name, parse(value)] as const);
  return {
    values: new Map([...answerDemoCall(system, turns), ...values]),
    inventsQuotes: asked.includes('[quote invented]'),
  };
}

/** Returns the values of a demo call, of which some are wrong. Equal turns and prompts always give equal values. */
function answerDemoCall(system: string, turns: readonly SpokenTurn[]): [string, Value][] {
  const known = findCall(turns)?.truth;
  if (!known) return [];
  const said = JSON.stringify(turns);
  const rates: Record<string, number> = findRates(system);
  const rateOf = (name: string) => rates[name] ?? 0;
  return Object.entries(known).map(([name, truth]) => {
    const isHard = chanceOf('hard', name, said) < rateOf('hard');
    const isWrong = chanceOf(name, said, isHard ? '' : system) < rateOf(name);
    return [name, isWrong ? falsify(truth) : truth];
  });
}

/** Returns a number from 0 to 1 that depends only on the texts. */
const chanceOf = (...texts: string[]) =>
  createHash('sha256').update(JSON.stringify(texts)).digest().readUInt32BE() / 2 ** 32;

function falsify(truth: Value): Value {
  if (typeof truth === 'boolean') return !truth;
  return typeof truth === 'number' ? truth + 1 : null;
}

function parse(value: string): Value {
  if (value === 'true' || value === 'false') return value === 'true';
  return Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Returns an invented quote. */
export const invent = (field: string) =>
  `quite clearly and beyond any doubt the ${field} was mentioned by somebody else`;
