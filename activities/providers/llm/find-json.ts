/** Finds JSON values in any text. */

/** A complete value: `text.slice(start, end)`. */
export interface JsonSpan {
  start: number;
  end: number;
}

export interface JsonInText {
  /** The complete objects, arrays and strings with JSON, in order. None is inside another. */
  spans: JsonSpan[];
  /** Starts of objects and arrays that have a syntax error or no end. */
  broken: number[];
}

/**
 * Returns the JSON values in a text, in linear time: what a failed attempt has read as JSON is not read again. Strings may
 * contain control characters, as some servers generate them.
 */
export function findJson(text: string): JsonInText {
  const spans: JsonSpan[] = [];
  const broken: number[] = [];
  const isRead = new Uint8Array(text.length);
  let next = 0;
  for (let start = findStart(text, next); start !== -1; start = findStart(text, next)) {
    next = start + 1;
    if (isRead[start] === 1) continue;
    const { found, openers, isComplete } = readValue(text, start);
    if (!isComplete) broken.push(start);
    for (const opener of openers) isRead[opener] = 1;
    for (const span of found) isRead.fill(1, span.start, span.end);
    spans.push(...found);
    if (isComplete) next = found[0]?.end ?? next;
  }
  return { spans: spans.sort((a, b) => a.start - b.start), broken };
}

/** An object, an array, or a string, which may contain one of these. */
const START = /[{["]/g;

/** What follows the opening quote of a string that contains an object or an array with escaped quotes. */
const ESCAPED_VALUE = /[\s\\nrt"]{0,30}[{[][\s\\nrt{[]{0,30}\\"/y;

function findStart(text: string, from: number): number {
  START.lastIndex = from;
  for (let match = START.exec(text); match; match = START.exec(text)) {
    if (match[0] !== '"') return match.index;
    ESCAPED_VALUE.lastIndex = START.lastIndex;
    if (text[match.index - 1] !== '\\' && ESCAPED_VALUE.test(text)) return match.index;
  }
  return -1;
}

/** Structure, text, and other values. */
const TOKEN = /\s*(?:([{}[\]:,])|("[^"\\]*(?:\\[^][^"\\]*)*")|(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))/y;

type Expected = 'value' | 'first_value' | 'key' | 'first_key' | 'colon' | 'more';

/** Reads a value until it ends or has a syntax error. Returns its complete parts, and the starts of objects and arrays. */
function readValue(text: string, start: number) {
  const found: JsonSpan[] = [];
  const openers: number[] = [];
  const open: number[] = [];
  let expected: Expected = 'value';
  TOKEN.lastIndex = start;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    const [, sign, string] = token;
    const end = TOKEN.lastIndex;
    const isClosed = sign === '}' || sign === ']';
    const after = follow(expected, sign, string, text[open.at(-1) ?? -1]);
    if (after === undefined) break;
    expected = after;
    if (sign === '{' || sign === '[') {
      openers.push(end - 1);
      open.push(end - 1);
    }
    if (isClosed || open.length === 0) {
      const from = open.pop() ?? start;
      // The parts of a complete value are not values of their own.
      while ((found.at(-1)?.start ?? -1) > from) found.pop();
      found.push({ start: from, end });
    }
    if (open.length === 0) return { found, openers, isComplete: true };
  }
  return { found, openers, isComplete: false };
}

/** Returns what may follow a token; undefined if the token is a syntax error. */
function follow(
  expected: Expected,
  sign: string | undefined,
  string: string | undefined,
  opener: string | undefined,
): Expected | undefined {
  const isEnd = sign === (opener === '{' ? '}' : ']');
  switch (expected) {
    case 'colon':
      return sign === ':' ? 'value' : undefined;
    case 'more':
      if (sign === ',') return opener === '{' ? 'key' : 'value';
      return isEnd ? 'more' : undefined;
    case 'key':
    case 'first_key':
      if (string !== undefined) return 'colon';
      return isEnd && expected === 'first_key' ? 'more' : undefined;
    case 'value':
    case 'first_value':
      if (sign === '{') return 'first_key';
      if (sign === '[') return 'first_value';
      if (sign === undefined) return 'more';
      return isEnd && expected === 'first_value' ? 'more' : undefined;
  }
}

/** Returns the value of a span; undefined if an escape in it is invalid. */
export function parseJson(json: string): unknown {
  for (const candidate of [json, json.replaceAll(/\p{Cc}/gu, ' ')]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {}
  }
  return undefined;
}

/** Returns the end of the brackets that open at `start`, whatever is between them; -1 if they stay open. */
export function findClosing(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isInString = !isInString;
    else if (character === '\\') at++;
    else if (!isInString && (character === '{' || character === '[')) depth++;
    else if (!isInString && (character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return -1;
}
