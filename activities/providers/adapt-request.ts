/** Leaves out of a request what a model or server refuses. docs/own-models.md, "Requests that adapt". */
import type { LeftOut } from '../../contract/sessions/left-out.ts';
import type { ProviderFault, Step } from '../../contract/values/constants.ts';
import { ProviderError } from './provider-error.ts';
import type { Refusal } from './read-refusal.ts';

/**
 * What a request carries beyond model and messages: for each parameter its values, the preferred one first. After the
 * last one, the parameter is left out.
 */
export type Parameters = Record<string, readonly unknown[]>;

interface Change {
  /** Index of the value to send; the length of the values: none. */
  step: number;
  /** Highest number that was not refused. */
  max?: number;
}

/** The changes of one analysis or transcription. A caller that repeats the call passes it again. */
export interface Adaptation {
  readonly changes: Map<string, Change>;
  /** The parameters that the last request lacked or had in a simpler form. */
  leftOut: string[];
  /** True if the last request had no parameter for JSON or a schema. */
  isFree?: boolean;
  /** The lowered limit of output tokens, if any. */
  maxOutputTokens?: number | undefined;
}

export const newAdaptation = (): Adaptation => ({ changes: new Map(), leftOut: [] });

/** Returns what a session shows of the requests of a step; null: nothing. */
export const leftOutIn = (step: Step, { leftOut }: Adaptation): LeftOut[] | null =>
  leftOut.length === 0 ? null : leftOut.map((parameter) => ({ step, parameter }));

interface AdaptedRequest {
  model: string;
  parameters: Parameters;
  /** Parameters that are never left out, only lowered. */
  required?: readonly string[];
  /** Given: a refused request is not repeated here, but thrown as `isAdapted`, so that the ledger has each request. */
  adaptation?: Adaptation | undefined;
  /** Returns whether a refusal must reach the caller. */
  keeps?: (parameter: string, reply: Refusal) => boolean;
}

/** How replies name the parameters. */
const NAMES: Record<string, RegExp> = {
  temperature: /temperature/i,
  max_tokens: /\bmax_?tokens\b|max(?:imum)? (?:output |completion )?tokens/i,
  max_completion_tokens: /\bmax_?completion_?tokens\b|max(?:imum)? (?:output |completion )?tokens/i,
  maxOutputTokens: /max_?output_?tokens|max(?:imum)? (?:output )?tokens/i,
  response_format:
    /response_?format|response format|(?:verbose|diarized)_json|json[_ ]?(?:schema|object)|json mode|structured[_ ]outputs?|\bschema\b|grammar|guided/i,
  responseSchema: /response_?(?:json_?)?schema|\bschema\b/i,
  responseMimeType: /response[_ ]?mime[_ ]?type|json mode/i,
  format: /output[_ ](?:config|format)|\bschema\b|structured[_ ]outputs?|grammar/i,
  reasoning_effort: /reasoning[_. ]?effort|\breasoning\b|thinking/i,
  effort: /\beffort\b|output_config/i,
  thinkingConfig: /thinking/i,
  prompt_cache_options: /prompt_cache/i,
  chunking_strategy: /chunking/i,
  language: /\blanguage\b/i,
  languages: /\blanguages\b/i,
  language_code: /\blanguage/i,
  diarize: /diarize|diarization/i,
  has_diarization: /diarize|diarization/i,
  tag_audio_events: /audio_events/i,
};

const isFormat = (name: string): boolean =>
  ['response_format', 'format', 'responseSchema', 'responseMimeType'].includes(name);

/** Makes the request of `send` again, with a row of its own in the ledger, each time that it was adapted. */
export async function repeatAdapted<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ProviderError && error.isAdapted)) throw error;
    }
  }
}

/** How long a model is not asked again for what it refused. */
const MEMORY_MS = 24 * 3_600_000;
const MAX_MODELS = 1_000;

/** A smaller number in a reply is no limit of output tokens. */
const MIN_LIMIT = 16;

/** Returns the function that sends requests of one provider and base URL, and remembers what each model refused, for a day. */
export function createAdapter(now: () => number = Date.now) {
  const memory = new Map<string, Map<string, Change & { until: number }>>();

  function remembered(model: string): [string, Change][] {
    return [...(memory.get(model) ?? [])].filter(([, { until }]) => until > now());
  }

  /** Called after a success only: the sentence of a failed request may have named the parameter by chance. */
  function remember(model: string, changes: ReadonlyMap<string, Change>): void {
    if (changes.size === 0) return;
    const until = now() + MEMORY_MS;
    const added = [...changes].map(([name, change]): [string, Change & { until: number }] => [
      name,
      { ...change, until },
    ]);
    const known = new Map([...(memory.get(model) ?? []), ...added]);
    memory.delete(model);
    memory.set(model, known);
    const [oldest] = memory.keys();
    if (memory.size > MAX_MODELS && oldest !== undefined) memory.delete(oldest);
  }

  return async function send<T>(
    { model, parameters, required = [], adaptation: given, keeps = () => false }: AdaptedRequest,
    post: (values: Record<string, unknown>) => Promise<T>,
  ): Promise<T> {
    const adaptation = given ?? newAdaptation();
    for (;;) {
      const changes = new Map([...remembered(model), ...adaptation.changes]);
      const values = valuesOf(parameters, changes);
      try {
        const answer = await post(values);
        remember(model, adaptation.changes);
        adaptation.leftOut = leftOutOf(parameters, changes, values);
        adaptation.isFree = !Object.keys(values).some(isFormat);
        adaptation.maxOutputTokens = lowest(changes);
        return answer;
      } catch (error) {
        const reply = error instanceof ProviderError && FAULTS.includes(error.fault) ? error.reply() : undefined;
        const name = reply && findRefused(reply, Object.keys(values));
        if (!reply || name === undefined || keeps(name, reply)) throw error;
        const learned = changeOf(name, values, changes, withoutName(reply.sentences, model), required);
        if (!learned) throw error;
        for (const [each, change] of learned) adaptation.changes.set(each, change);
        if (!given) continue;
        (error as ProviderError).isAdapted = true;
        throw error;
      }
    }
  };
}

function valuesOf(parameters: Parameters, changes: ReadonlyMap<string, Change>): Record<string, unknown> {
  const entries = Object.entries(parameters).map(([name, values]) => {
    const { step = 0, max = Infinity } = changes.get(name) ?? {};
    const value = values[step];
    return [name, typeof value === 'number' ? Math.min(value, max) : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

/** A limit of output tokens that is still sent under its other name is not left out. */
function leftOutOf(
  parameters: Parameters,
  changes: ReadonlyMap<string, Change>,
  values: Record<string, unknown>,
): string[] {
  const isLimited = Object.keys(values).some((name) => LIMIT.test(name));
  const changed = Object.keys(parameters).filter((name) => (changes.get(name)?.step ?? 0) > 0);
  return changed.filter((name) => !isLimited || !LIMIT.test(name));
}

const LIMIT = /tokens$/i;

const lowest = (changes: ReadonlyMap<string, Change>): number | undefined => {
  const limits = [...changes.values()].flatMap(({ max }) => max ?? []);
  return limits.length === 0 ? undefined : Math.min(...limits);
};

/** Faults of replies that may be about a parameter. */
const FAULTS: readonly ProviderFault[] = ['bad_input', 'unknown_model', 'unavailable'];

/** A reply to the parameters of the request, without a name. */
const UNNAMED = /that can handle the requested parameters/i;

/** Returns the sent parameter that a reply refuses: the one that it names as such, else the first one in its sentences. */
function findRefused({ status, params, words }: Refusal, sent: readonly string[]): string | undefined {
  if (UNNAMED.test(words)) return sent.find(isFormat) ?? sent.find((name) => !LIMIT.test(name));
  // Servers that refuse a format with another status have done nothing yet.
  const mayBe = { 400: () => true, 422: () => true, 500: isFormat, 501: isFormat }[status] ?? (() => false);
  const candidates = sent.filter(mayBe);
  const named = params.filter((param) => !/^(?:|none|null)$/i.test(param));
  const byParam = candidates.find((name) => named.some((param) => param.includes(name) || NAMES[name]?.test(param)));
  if (byParam !== undefined || named.length > 0) return byParam;
  const places = candidates.map((name) => ({ name, at: NAMES[name]?.exec(words)?.index ?? -1 }));
  return places.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0]?.name;
}

/** Returns the changes that a refusal of `name` requires; undefined if there is none left. */
function changeOf(
  name: string,
  values: Record<string, unknown>,
  changes: ReadonlyMap<string, Change>,
  /** Without the model's name, whose numbers are no limits. */
  sentences: string,
  required: readonly string[],
): [string, Change][] | undefined {
  const { step = 0, max } = changes.get(name) ?? {};
  const sent = values[name];
  const limit =
    typeof sent === 'number' && sent > MIN_LIMIT && max === undefined ? limitIn(sentences, sent) : undefined;
  // A limit of output tokens may have two names.
  if (limit !== undefined)
    return Object.entries(values).flatMap(([each, value]) =>
      value === sent ? [[each, { step: changes.get(each)?.step ?? 0, max: limit }] as [string, Change]] : [],
    );
  return required.includes(name) ? undefined : [[name, { step: step + 1, ...(max !== undefined && { max }) }]];
}

const withoutName = (words: string, model: string) => (/\d/.test(model) ? words.replaceAll(model, ' ') : words);

/** Returns the largest number below `sent` in a sentence about a limit: the highest one that the server accepts. */
function limitIn(words: string, sent: number): number | undefined {
  if (!/most|\bmax(?:imum)?\b|less|lower|exceed|range|limit|between|too (?:large|big|high)|[<>≤]/i.test(words))
    return undefined;
  const numbers = words.matchAll(/(?<!(?:code|status|HTTP)\W{0,3}|[\w.-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w-]|\.\d)/gi);
  const found = [...numbers].map(([, digits = '']) => Number(digits.replaceAll(',', '')));
  const limit = Math.max(...found.filter((number) => number >= MIN_LIMIT && number < sent));
  const isExclusive =
    /lower than|less than (?!or equal)|\bexclusive/i.test(words) && !/less than or equal/i.test(words);
  return Number.isFinite(limit) ? limit - Number(isExclusive) : undefined;
}
