/** Reads the error replies of all providers, gateways and proxies: JSON of any shape, plain text, or a web page. */

/** What a reply says about its error. */
export interface Refusal {
  /** Status in the body if the reply's own status is 200 or a general one; otherwise the HTTP status. */
  status: number;
  /** Identifiers only: a sentence could quote a conversation. */
  code: string | null;
  type: string | null;
  param: string | null;
  /** All codes and types in lower case, with underscores for blanks. */
  codes: string[];
  /** Every parameter that the reply names outside of its sentences. */
  params: string[];
  /** What the provider said, for people who may read the conversation; null: nothing. */
  message: string | null;
  /** All sentences. Never stored or shown. */
  text: string;
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
  texts: /^(?:errors?|err(?:or)?_?msg|message|msg|details?|status_msg|title|raw|description)$/,
};
const PARTS =
  /^(?:inner_?error|metadata|headers|base_resp|violations|fieldviolations|choices|error|errors|message|details?|raw)$/;

/** A body with one of these is an answer, unless it has an error. */
const ANSWERS = ['choices', 'content', 'candidates', 'text', 'transcripts', 'transcript', 'id', 'output'];

/** Far more than an error has, so that a large body does not stop the worker. */
const MAX_NODES = 300;
const MAX_TEXT = 4_000;

/** Characters of a message that are kept. */
const MAX_MESSAGE = 500;

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

/**
 * @param body the parsed body, or the text of a body that is not JSON.
 * @param secrets what the request contained; *** replaces it.
 */
export function readRefusal(status: number, body: unknown, secrets: readonly string[] = []): Refusal {
  const isPage = typeof body === 'string' && /^\s*</.test(body);
  const hide = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
  const found = collect(isPage ? /<title[^<>]*>([^<]{0,200})/i.exec(body)?.[1] : body, hide);
  const { codes, types, params, texts } = found;
  const all = [...codes, ...types];
  // A gateway wraps the refusal of another server in a reply with a general status.
  const isGeneral = status < 400 || [400, 500, 502].includes(status);
  const inBody = isGeneral ? all.map(Number).find((code) => code >= 400 && code < 600) : undefined;
  const said = [...new Set(texts)].join(' ').replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return {
    status: inBody ?? status,
    code: identifierIn(codes),
    type: identifierIn(types),
    param: identifierIn(params),
    // One API puts a sentence after a code.
    codes: all.map((code) => code.replace(/:.*/s, '').toLowerCase().replaceAll(' ', '_')),
    params,
    message:
      said
        .trim()
        .slice(0, MAX_MESSAGE)
        .replace(/\p{Cs}$/u, '')
        .toWellFormed() || null,
    text: said.slice(0, MAX_TEXT),
    isPage,
    waitMs: readWait(found),
  };
}

type Found = Record<keyof typeof MEMBERS, string[]>;

/** Reads the members level by level, so that an error comes before those that it wraps. */
function collect(body: unknown, hide: (text: string) => string): Found {
  const found: Found = { codes: [], types: [], params: [], delays: [], resets: [], texts: [] };
  const queue: { name: string; value: unknown }[] = [{ name: 'error', value: body }];
  for (let next = 0; next < queue.length && next < MAX_NODES; next++) {
    const { name, value } = queue[next] as { name: string; value: unknown };
    const kinds = (Object.keys(MEMBERS) as (keyof Found)[]).filter((kind) => MEMBERS[kind].test(name));
    // OpenRouter has no code for what its moderation refused.
    if (name === 'flagged_input') found.codes.push(name);
    if (name === 'loc' && Array.isArray(value)) {
      found.params.push(value.filter((part) => part !== 'body').join('.'));
    } else if (PARTS.test(name) && typeof value === 'object' && value !== null) {
      const members = Array.isArray(value) ? value.map((each: unknown) => [name, each]) : Object.entries(value);
      queue.push(...members.map(([key, member]) => ({ name: String(key).toLowerCase(), value: member as unknown })));
    } else if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
      // Sentences about the field of this name.
      found.texts.push(hide(`${name}: ${value.join(' ')}`).slice(0, MAX_TEXT));
    } else if (typeof value === 'string' && /^\s*[[{]/.test(value) && parseJson(value) !== undefined) {
      queue.push({ name, value: parseJson(value) });
    } else if (typeof value === 'string' || typeof value === 'number') {
      const unit = kinds.includes('delays') && name.endsWith('ms') ? 'ms' : '';
      for (const kind of kinds) found[kind].push(hide(`${value}${unit}`).slice(0, MAX_TEXT));
    }
  }
  return found;
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

/** Returns the longest wait in milliseconds: a delay such as `34`, `34.5s` or `500ms`, or an end. */
function readWait({ delays, resets }: Found): number | undefined {
  const waits = [
    ...delays.map((delay) => Number.parseFloat(delay) * (delay.endsWith('ms') ? 1 : 1_000)),
    ...resets.map((end) => timeOf(end) - Date.now()),
  ];
  const longest = Math.max(0, ...waits.filter((wait) => Number.isFinite(wait)));
  return longest > 0 ? longest : undefined;
}

/** Returns the time of a date, or of seconds or milliseconds since 1970. */
const timeOf = (end: string): number =>
  Number.isNaN(Number(end)) ? Date.parse(end) : Number(end) * (Number(end) > 1e12 ? 1 : 1_000);
