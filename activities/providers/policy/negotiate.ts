/** Leaves out of a request what a model or server refuses. docs/own-models.md, "Requests that adapt". */
import type { LeftOut } from '../../../contract/sessions/left-out.ts';
import type { Step } from '../../../contract/values/constants.ts';
import { causeOf } from './causes.ts';
import { ProviderError } from './provider-error.ts';
import type { Refusal } from './read-refusal.ts';

/**
 * What a request carries beyond model and messages: for each parameter its values, the preferred one first. After the
 * last one, the parameter is left out. A dot in a name separates an object from its member.
 */
export type Parameters = Readonly<Record<string, readonly unknown[]>>;

/** Which value of each parameter is sent: its index; the number of values: none. Default: 0. */
export type Steps = Readonly<Record<string, number>>;

/** Returns the values to send. */
export function valuesOf(parameters: Parameters, steps: Steps = {}): Record<string, unknown> {
  const entries = Object.entries(parameters).map(([name, values]) => [name, values[steps[name] ?? 0]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

/** Returns an output limit, and half and a quarter of it. */
export const lowered = (limit: number): number[] => [limit, Math.ceil(limit / 2), Math.ceil(limit / 4)];

const LIMIT = /tokens$/i;

/** Returns the lowest limit of output tokens that is sent; undefined if none is. */
export function limitIn(parameters: Parameters, steps: Steps): number | undefined {
  const limits = Object.entries(valuesOf(parameters, steps)).filter(([name]) => LIMIT.test(name));
  return limits.length === 0 ? undefined : Math.min(...limits.map(([, value]) => Number(value)));
}

/** Returns the parameters that are left out or have a simpler value. A lower output limit does not count. */
export function leftOut(parameters: Parameters, steps: Steps): string[] {
  const isLimited = limitIn(parameters, steps) !== undefined;
  return Object.keys(parameters).filter((name) => (steps[name] ?? 0) > 0 && !(isLimited && LIMIT.test(name)));
}

/** Returns what a session shows of the requests of a step; null: nothing. */
export const showLeftOut = (step: Step, names: readonly string[] = []): LeftOut[] | null =>
  names.length === 0 ? null : names.map((parameter) => ({ step, parameter }));

/** Returns the steps of the next request after a refusal; undefined if the refusal names nothing that can be left out. */
export function next(parameters: Parameters, steps: Steps, refusal: Refusal | undefined): Steps | undefined {
  const name = refusal && findRefused(parameters, steps, refusal);
  if (!refusal || name === undefined) return undefined;
  const values = valuesOf(parameters, steps);
  const { [name]: { length } = [] } = parameters;
  const step = refusal.codes.includes('unsupported_parameter') ? length : (steps[name] ?? 0) + 1;
  if (typeof values[name] !== 'number') return { ...steps, [name]: step };
  // An output limit may have two names. If lower ones did not help, the server refuses the name.
  const same = Object.keys(values).filter((each) => values[each] === values[name]);
  return { ...steps, ...Object.fromEntries(same.map((each) => [each, step === length ? 0 : step])), [name]: step };
}

/**
 * Returns the sent parameter that a reply with status 400 or 422 refuses: the one that it names as such, else the first one
 * in its text, by its name or a text of its value, else the first one whose number is in the text.
 */
export function findRefused(parameters: Parameters, steps: Steps, refusal: Refusal): string | undefined {
  const { status, params, text } = refusal;
  if (![400, 422].includes(status) || !['request', 'length'].includes(causeOf(refusal))) return undefined;
  const sent = Object.entries(valuesOf(parameters, steps));
  const named = params.map(lettersOf).filter((param) => !['', 'none', 'null'].includes(param));
  return named.length > 0 ? findFirst(sent, named.join(' ')) : findFirst(sent, lettersOf(text), text);
}

function findFirst(sent: readonly [string, unknown][], letters: string, text = ''): string | undefined {
  const places = sent.flatMap(([name, value]) =>
    wordsOf(name, value).map((word) => ({ name, at: letters.indexOf(word), length: word.length })),
  );
  const [first] = places.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at || b.length - a.length);
  const hasNumber = ([, value]: [string, unknown]) =>
    typeof value === 'number' && value >= 1_000 && new RegExp(`(?<!\\d)${value}(?!\\d)`).test(text);
  return first?.name ?? sent.find(hasNumber)?.[0];
}

/** Letters of a text that can't be found by chance. */
const LONG = 8;

/** Returns the letters of a parameter's name, of its parts, and of the longer texts of its value, without those of a schema. */
function wordsOf(name: string, value: unknown): string[] {
  const texts =
    typeof value === 'string' ? [value] : Object.values(value ?? {}).filter((each) => typeof each === 'string');
  return [...[name, ...name.split('.')].map(lettersOf), ...texts.map(lettersOf).filter(({ length }) => length >= LONG)];
}

const lettersOf = (text: string): string => text.replaceAll(/\P{L}/gu, '').toLowerCase();

/**
 * Sends a request, and after each failure the one that `change` returns, until one succeeds. `send` records each of them in
 * the ledger. Throws the last failure.
 */
export async function negotiate<S, T>(
  first: S,
  send: (settings: S) => Promise<T>,
  change: (settings: S, error: ProviderError) => S | undefined,
): Promise<T> {
  for (let settings = first; ;) {
    try {
      return await send(settings);
    } catch (error) {
      const changed = error instanceof ProviderError ? change(settings, error) : undefined;
      if (changed === undefined) throw error;
      settings = changed;
    }
  }
}

interface Adaptable<R> {
  parametersOf(request: R): Parameters;
  memory: Memory;
}

/** Sends a request without what the model refuses, and remembers that. Returns the answer, and the parameters that were left out. */
export async function adapt<R extends { model: string | null; steps?: Steps }, T>(
  { parametersOf, memory }: Adaptable<R>,
  request: R,
  send: (request: R) => Promise<T>,
): Promise<{ answer: T; leftOut: string[] }> {
  const { model } = request;
  const parameters = parametersOf(request);
  const { answer, steps } = await negotiate(
    memory.recall(model ?? ''),
    async (tried) => ({ answer: await send({ ...request, steps: tried }), steps: tried }),
    (tried, error) => next(parameters, tried, error.reply()),
  );
  memory.remember(model ?? '', steps);
  return { answer, leftOut: leftOut(parameters, steps) };
}

/** How long a model is not asked again for what it refused. */
const MEMORY_MS = 24 * 3_600_000;
const MAX_MODELS = 1_000;

/** What each model of one provider and address refused, for a day. */
export interface Memory {
  recall(model: string): Steps;
  /** Call this after a success only: the text of a failed request may have named a parameter by chance. */
  remember(model: string, steps: Steps): void;
}

export function createMemory(now: () => number = Date.now): Memory {
  const models = new Map<string, { steps: Steps; until: number }>();
  const recall = (model: string): Steps => {
    const known = models.get(model);
    return known && known.until > now() ? known.steps : NOTHING;
  };
  return {
    recall,
    remember(model, steps) {
      const known = recall(model);
      if (steps === known) return;
      models.delete(model);
      models.set(model, { steps: { ...known, ...steps }, until: now() + MEMORY_MS });
      const [oldest] = models.keys();
      if (models.size > MAX_MODELS && oldest !== undefined) models.delete(oldest);
    },
  };
}

const NOTHING: Steps = {};
