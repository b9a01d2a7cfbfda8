/** Finds the answer in a model's text: the last JSON object with a summary, outside of any reasoning. */
import { jsonrepair } from 'jsonrepair';
import { isDeeperThan, MAX_JSON_DEPTH, postgresSafeJson, postgresSafeText } from '../../../runtime/postgres-safe.ts';

export interface ParsedAnswer {
  raw_response: Record<string, unknown>;
  summary_text: string;
}

/** Why a text has no answer. */
export type NoAnswer = 'cut_off' | 'unreadable' | 'no_summary' | 'prose';

/** Returns the answer, or why there is none. Never completes an answer that was cut off. */
export function parseAnswer(text: string): ParsedAnswer | NoAnswer {
  const whole = findAnswer(text);
  if (whole) return whole;
  let found: { at: number; answer: ParsedAnswer | undefined }[] = [];
  let reasoningAt = Infinity;
  let fault: NoAnswer | undefined;
  let [repairable, failed] = [MAX_REPAIRED, 0];
  const starts = new RegExp(`[{[]|${TAG.source}`, 'gi');
  for (let start = starts.exec(text); start && failed < MAX_FAILED; start = starts.exec(text)) {
    const { 0: sign, 1: slash, index } = start;
    if (sign.length > 1) {
      // Text before an end without a beginning is reasoning, too.
      if (slash) found = found.filter(({ at }) => reasoningAt < Infinity && at < reasoningAt);
      if (slash) fault = undefined;
      reasoningAt = slash ? Infinity : Math.min(reasoningAt, index);
      continue;
    }
    const end = findClosing(text, index);
    const json = text.slice(index, Math.max(index, end));
    const value = parseLooseJson(json);
    const isFlawed = value === undefined && json.includes('summary_text');
    if (isFlawed) repairable -= json.length;
    const answer = findAnswer(isFlawed && repairable >= 0 ? tryRepair(json) : value);
    if (value !== undefined || answer) {
      found.push({ at: index, answer });
      starts.lastIndex = end;
      continue;
    }
    failed += 1;
    if (reasoningAt < Infinity) continue;
    if (end === -1 && CUT_START.test(text.slice(index, index + 99))) fault = 'cut_off';
    else if (isFlawed) fault ??= 'unreadable';
  }
  const outside = found.filter(({ at }) => at < reasoningAt);
  const last = outside.findLast(({ answer }) => answer !== undefined);
  return last?.answer ?? fault ?? (outside.length > 0 ? 'no_summary' : 'prose');
}

/** Returns a text without JSON as a summary, marked as such; undefined if it is nothing but reasoning. */
export function summaryOfProse(text: string): ParsedAnswer | undefined {
  const tags = [...text.matchAll(TAG)];
  const end = tags.findLast(([, slash]) => slash);
  const from = end ? end.index + end[0].length : 0;
  const to = tags.find(({ index }) => index >= from)?.index;
  const summary_text = postgresSafeText(text.slice(from, to).trim());
  return isSummary(summary_text) ? { summary_text, raw_response: { summary_text, prose: true } } : undefined;
}

/** Tags such as `<think>` and `[/THINK]`. The first group is the slash of an end. */
const TAG = /[<[](\/?)[\w:. -]{0,20}(?:think|reason)[\w:. -]{0,20}[>\]]/gi;

/** Brackets that begin no value. Each of them takes linear time. */
const MAX_FAILED = 200;

/** Characters to repair in one text. The library takes quadratic time: 0.1 s for 20,000 hostile characters. */
const MAX_REPAIRED = 20_000;

/** The beginning of an object. Prose may contain a single bracket. */
const CUT_START = /^\{\s*(?:$|["'“])/;

/** Returns the end of the brackets that open at `start`, whatever is between them; -1 if they stay open. */
function findClosing(text: string, start: number): number {
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

/** Returns the value of JSON, which may contain control characters; undefined if it is flawed. */
function parseLooseJson(json: string): unknown {
  for (const candidate of [json, json.replaceAll(/\p{Cc}/gu, ' ')]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {}
  }
  return undefined;
}

function tryRepair(json: string): unknown {
  const brackets = json.match(/[{[]/g) ?? [];
  if (brackets.length > MAX_REPAIRED / 10) return undefined;
  try {
    return JSON.parse(jsonrepair(json)) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the last object with a summary in a value, which may be JSON in a string. An object that contains another counts first. */
function findAnswer(value: unknown, depth = 0): ParsedAnswer | undefined {
  if (typeof value === 'string') {
    const isJson = depth < 3 && /^[\s\uFEFF]*["{[]/.test(value);
    return isJson ? findAnswer(parseLooseJson(value.replace('\uFEFF', '')), depth + 1) : undefined;
  }
  if (typeof value !== 'object' || value === null || isDeeperThan(value, MAX_JSON_DEPTH)) return undefined;
  const { summary_text } = value as { summary_text?: unknown };
  if (!Array.isArray(value) && typeof summary_text === 'string') {
    const inner = findAnswer(summary_text, depth);
    if (inner) return inner;
    if (!isSummary(summary_text)) return undefined;
    const raw_response = postgresSafeJson(value) as Record<string, unknown>;
    return { raw_response, summary_text: raw_response['summary_text'] as string };
  }
  for (const member of Object.values(value).toReversed()) {
    const answer = findAnswer(member, depth);
    if (answer) return answer;
  }
  return undefined;
}

/** Returns whether a text can be a summary: it has a letter or a digit. */
const isSummary = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
