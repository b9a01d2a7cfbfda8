/** Reads the error replies of all providers, gateways and proxies: JSON of any shape, plain text, or a web page. */

/** What a reply says about its error. */
export interface Refusal {
  /** Status in the body if the reply's own status is 200 or a general one; otherwise the HTTP status. */
  status: number;
  /** Identifiers only: a sentence could quote a conversation. */
  code: string | null;
  type: string | null;
  param: string | null;
  /** Every parameter that the reply names outside of its sentences. */
  params: string[];
  /** What the provider said, for people who may read the conversation; null: nothing. */
  message: string | null;
  /** All codes, types and sentences. Never stored or shown. */
  words: string;
  sentences: string;
  /** True for a web page of a proxy or another server. */
  isPage: boolean;
  /** Milliseconds that the body asks to wait. */
  waitMs: number | undefined;
}

/** Members with an identifier, and members with sentences or with further members. */
const MEMBERS = {
  codes: /^(?:code|err(?:or)?_?code|reason|status_?code|__type|quotaid)$/,
  types: /^(?:type|status)$/,
  params: /^(?:param|parameter|loc|field)$/,
  delays: /^(?:retry_?delay|(?:retry_?after|resets?_in)(?:_?(?:ms|s|seconds))?)$/,
  resets: /^(?:x-ratelimit-reset|resets?_at)$/,
  texts: /^(?:errors?|err(?:or)?_?msg|message|msg|details?|status_msg|title|raw|description|reasons|quotavalue)$/,
};
const PARTS =
  /^(?:inner_?error|metadata|headers|base_resp|violations|fieldviolations|choices|error|errors|message|details?|raw)$/;

/** A body with one of these is an answer, unless it has an error. */
const ANSWERS = ['choices', 'content', 'candidates', 'text', 'transcripts', 'transcript', 'id', 'output'];

/** Far more than an error has, so that a large body does not stop the worker. */
const MAX_NODES = 300;
const MAX_TEXT = 4_000;

export type Json = Record<string, unknown>;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether the body of a reply with status 200 is an error. */
export function isErrorBody(body: unknown): boolean {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(first)) return false;
  // The state of a job, which the adapter reads.
  if ('status' in first && 'id' in first && !('choices' in first)) return false;
  const { error, type, object, success, choices, base_resp } = first;
  if (saysError(error) || type === 'error' || object === 'error' || success === false) return true;
  if (isObject(base_resp) && Number(base_resp['status_code']) > 0) return true;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (isObject(choice) && saysError(choice['error'])) return true;
  const isAnswer = ANSWERS.some((name) => name in first);
  return !isAnswer && ['message', 'msg', 'detail', 'errors'].some((name) => saysError(first[name]));
}

/** Some gateways send an empty error, or the code of a success, beside every answer. */
function saysError(error: unknown): boolean {
  if (typeof error === 'string') return error.trim() !== '';
  if (Array.isArray(error)) return error.length > 0;
  if (!isObject(error) || Object.keys(error).length === 0) return false;
  return (
    !['0', '200', 'success'].includes(String(error['code'])) && !(error['code'] == null && error['message'] === '')
  );
}

/** Characters of a message that are kept. */
const MAX_MESSAGE = 500;

/** Returns a text without control characters, cut; null if nothing is left. */
function cleanMessage(texts: readonly string[]): string | null {
  const said = [...new Set(texts)]
    .join(' ')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return said.slice(0, MAX_MESSAGE).toWellFormed() || null;
}

/**
 * @param body the parsed body, or the text of a body that is not JSON.
 * @param secrets what the request contained; *** replaces it.
 */
export function readRefusal(status: number, body: unknown, secrets: readonly string[] = []): Refusal {
  const isPage = typeof body === 'string' && /^\s*</.test(body);
  const hide = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
  const found = collect(isPage ? /<title[^<>]*>([^<]{0,200})/i.exec(body)?.[1] : body, hide);
  const { codes, types, params, texts, delays, resets } = found;
  const sentences = texts.join(' ').slice(0, MAX_TEXT);
  const words = [...codes, ...types, sentences].join(' ').slice(0, MAX_TEXT);
  // A gateway wraps the refusal of another server in a reply with a general status.
  const isGeneral = status < 400 || [400, 500, 502].includes(status);
  const told = [/(?:error|status) code:? (\d{3})\b/i.exec(words)?.[1], ...codes, ...types]
    .map(Number)
    .find((code) => code >= 400 && code < 600);
  const inBody = isGeneral ? (told ?? (status < 400 ? statusOfWords(words) : undefined)) : undefined;
  return {
    status: inBody ?? status,
    code: identifierIn(codes),
    type: identifierIn(types),
    param: identifierIn(params),
    params,
    message: cleanMessage(texts),
    words,
    sentences,
    isPage,
    waitMs: readWait(sentences, delays, resets),
  };
}

/** Reads the members level by level, so that an error comes before those that it wraps. */
function collect(body: unknown, hide: (text: string) => string): Record<keyof typeof MEMBERS, string[]> {
  const found = Object.fromEntries(Object.keys(MEMBERS).map((kind): [string, string[]] => [kind, []]));
  const queue: { name: string; value: unknown }[] = [{ name: 'error', value: body }];
  for (let next = 0; next < queue.length && next < MAX_NODES; next++) {
    const { name, value } = queue[next] as { name: string; value: unknown };
    const kinds = Object.entries(MEMBERS).flatMap(([kind, names]) => (names.test(name) ? kind : []));
    if (name === 'loc' && Array.isArray(value)) {
      found['params']?.push(value.filter((part) => part !== 'body').join('.'));
    } else if (PARTS.test(name) && typeof value === 'object' && value !== null) {
      const members = Array.isArray(value) ? value.map((each: unknown) => [name, each]) : Object.entries(value);
      queue.push(...members.map(([key, member]) => ({ name: String(key).toLowerCase(), value: member as unknown })));
    } else if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
      // Sentences about the field of this name.
      found['texts']?.push(hide(`${name}: ${value.join(' ')}`).slice(0, MAX_TEXT));
    } else if (typeof value === 'string' && /^\s*[[{]/.test(value) && parseJson(value) !== undefined) {
      queue.push({ name, value: parseJson(value) });
    } else if (typeof value === 'string' || typeof value === 'number') {
      // A delay without a unit is in seconds, unless its name says otherwise.
      const unit = kinds[0] === 'delays' && !/\D$/.test(String(value)) ? (name.endsWith('ms') ? 'ms' : 's') : '';
      for (const kind of kinds) found[kind]?.push(hide(`${value}${unit}`).slice(0, MAX_TEXT));
    }
  }
  return found as Record<keyof typeof MEMBERS, string[]>;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the first identifier, one with letters before a number. Longer numbers could be a telephone number. */
function identifierIn(found: readonly string[]): string | null {
  const isNamed = (text: string) => /^[A-Za-z_][\w.:/[\]-]{0,79}$/.test(text) && !/^(?:none|null)$/i.test(text);
  return found.find(isNamed) ?? found.find((text) => /^\d{1,6}$/.test(text)) ?? null;
}

/** The status that an error inside a reply with status 200 would have. */
const STATUS_OF_WORDS: [RegExp, number][] = [
  [/rate.?limit|too many requests|resource_exhausted|throttled|throttling/i, 429],
  [/authentication|unauthenticated|unauthorized|invalid.{0,9}key/i, 401],
  [/permission|forbidden/i, 403],
  [/not_found|not found/i, 404],
  [/time.?out|timed out|deadline/i, 504],
  [/overloaded|unavailable|server_error|internal|api_error|upstream|gateway|busy/i, 503],
  [/invalid|bad.?request|validation|unsupported|not supported|failed_precondition/i, 400],
];

const statusOfWords = (words: string) => STATUS_OF_WORDS.find(([says]) => says.test(words))?.[1];

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION =
  /(?<!\d)(\d{1,12}(?:\.\d{1,9})?) ?(ms|milliseconds?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hours?|d|days?)(?![a-z])/gi;
const WAIT = new RegExp(
  `(?:again|retry|reset|available|wait)[a-z ]{0,20} (?:(?:in|after|for) )?((?:${DURATION.source}[ ,]{0,2}){1,4})`,
  'i',
);
const END = /(?:again|retry|resets?|access|available|until)\D{0,30}(\d{4}-\d\d-\d\d)(?:T| at | )(\d\d:\d\d(?::\d\d)?)/i;

/** Returns the longest wait in milliseconds: a duration or an end, in a sentence or in a member of its own. */
function readWait(text: string, delays: readonly string[], resets: readonly string[]): number | undefined {
  const [, day, time] = END.exec(text) ?? [];
  const waits = [
    durationOf(WAIT.exec(text)?.[1]),
    ...delays.map(durationOf),
    ...[...resets, ...(day === undefined ? [] : [`${day}T${time}Z`])].map((end) => timeOf(end) - Date.now()),
  ];
  const longest = Math.max(0, ...waits.filter((wait) => Number.isFinite(wait)));
  return longest > 0 ? longest : undefined;
}

/** Returns the time of a date, or of seconds or milliseconds since 1970. */
const timeOf = (end: string): number =>
  Number.isNaN(Number(end)) ? Date.parse(end) : Number(end) * (Number(end) > 1e12 ? 1 : 1_000);

/** Returns milliseconds of `7m12.5s`, `34s`, `500ms`, `5 minutes`. */
function durationOf(text = ''): number {
  const parts = [...text.matchAll(DURATION)];
  return parts.reduce((sum, [, count, unit = '']) => {
    const short = /^(?:ms|mil)/i.test(unit) ? 'ms' : unit.charAt(0).toLowerCase();
    return sum + Number(count) * (UNIT_MS[short] ?? 0);
  }, 0);
}
