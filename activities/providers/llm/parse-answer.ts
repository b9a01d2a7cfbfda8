/** Finds the answer in a model's text: the last complete JSON object with a summary, after any reasoning. */
import { jsonrepair } from 'jsonrepair';
import { isDeeperThan, MAX_JSON_DEPTH, postgresSafeJson, postgresSafeText } from '../../../runtime/postgres-safe.ts';
import { ANSWER_SCHEMA } from './answer-schema.ts';
import { findClosing, findJson, parseJson } from './find-json.ts';
import { findReasoning, withoutReasoning } from './find-reasoning.ts';

export interface ParsedAnswer {
  raw_response: Record<string, unknown>;
  summary_text: string;
}

/** Why a text has no answer. */
export type NoAnswer = 'cut_off' | 'unreadable' | 'no_summary' | 'prose';

/** Returns the answer, or why there is none. Text around the answer, wrappers and small flaws of the JSON don't matter. */
export function parseAnswer(text: string): ParsedAnswer | NoAnswer {
  const { spans, broken } = findJson(text);
  const isReasoning = findReasoning(text, spans);
  const complete = spans.filter(({ start }) => !isReasoning(start));
  const flawed = broken.filter((start) => !isReasoning(start)).slice(-MAX_STARTS);
  const found = complete
    .map(({ start, end }) => ({ start, answer: findAnswer(parseJson(text.slice(start, end))) }))
    .findLast(({ answer }) => answer !== undefined);
  const repaired = repairAnswer(
    text,
    flawed.filter((start) => start > (found?.start ?? -1)),
    found === undefined,
  );
  const answer = repaired ?? found?.answer;
  if (answer) return answer;
  if (
    flawed.some(
      (start) =>
        text[start] === '{' && findClosing(text, start) === -1 && CUT_START.test(text.slice(start, start + 99)),
    )
  )
    return 'cut_off';
  if (flawed.some((start) => text.includes(SUMMARY, start))) return 'unreadable';
  return complete.length > 0 ? 'no_summary' : 'prose';
}

/** Returns a text without JSON as a summary, marked as such; undefined if it is nothing but reasoning. */
export function summaryOfProse(text: string): ParsedAnswer | undefined {
  const summary_text = postgresSafeText(withoutReasoning(text).trim());
  return isSummary(summary_text) ? { summary_text, raw_response: { summary_text, prose: true } } : undefined;
}

const SUMMARY = 'summary_text';

/** The beginning of an object. Prose may contain a single bracket. */
const CUT_START = /^\{\s*(?:$|["'“])/;

/** Starts of flawed JSON to repair. */
const MAX_STARTS = 8;

/** Characters to repair in one text. The library takes quadratic time: 0.1 s for 20,000 hostile characters. */
const MAX_REPAIRED = 20_000;

/**
 * Returns the answer in flawed JSON, the last one first. Never completes an answer that was cut off: its brackets must
 * close, or, if a missing quote hides that, it must have every member and end outside of a text.
 */
function repairAnswer(text: string, starts: readonly number[], mayLackEnd: boolean): ParsedAnswer | undefined {
  let left = MAX_REPAIRED;
  const repair = (start: number, end: number): ParsedAnswer | undefined => {
    left -= end - start;
    return left < 0 || end - start < 2 ? undefined : findAnswer(tryRepair(text.slice(start, end)));
  };
  for (const start of starts.toReversed()) {
    if (!text.includes(SUMMARY, start)) continue;
    const closing = findClosing(text, start);
    const closed = closing === -1 ? undefined : repair(start, closing);
    if (closed) return closed;
    if (!mayLackEnd) continue;
    const end = Math.max(...['}', ']', '"'].map((sign) => text.lastIndexOf(sign))) + 1;
    const answer = repair(start, end);
    if (answer && isWhole(answer) && JSON.stringify(repair(start, end - 1)) === JSON.stringify(answer)) return answer;
  }
  return undefined;
}

const isWhole = ({ raw_response }: ParsedAnswer) =>
  ANSWER_SCHEMA.required.every((name) => raw_response[name] != null) && Array.isArray(raw_response['findings']);

function tryRepair(json: string): unknown {
  const brackets = json.match(/[{[]/g) ?? [];
  if (brackets.length > MAX_REPAIRED / 10) return undefined;
  try {
    return JSON.parse(jsonrepair(json)) as unknown;
  } catch {
    return undefined;
  }
}

/** Wrappers around an answer, such as an array, or JSON in a string. */
const MAX_TEXT_WRAPPERS = 3;

/** Members of a wrapper that contain drafts. */
const REASONING_NAME = /think|thought|reason|draft|scratchpad/i;

/** Returns the last object with a summary in a value. The outer one counts if an object with a summary contains another. */
function findAnswer(value: unknown, textWrappers = 0): ParsedAnswer | undefined {
  if (isDeeperThan(value, MAX_JSON_DEPTH)) return undefined;
  if (typeof value === 'string') {
    if (textWrappers === MAX_TEXT_WRAPPERS || !/^[\s\uFEFF]*(?:```(?:json)?\s*)?["{[]/.test(value)) return undefined;
    const [span, ...others] = findJson(value).spans;
    return span && others.length === 0
      ? findAnswer(parseJson(value.slice(span.start, span.end)), textWrappers + 1)
      : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { summary_text } = value as { summary_text?: unknown };
  if (!Array.isArray(value) && typeof summary_text === 'string') {
    const inner = findAnswer(summary_text, textWrappers);
    if (inner) return inner;
    if (!isSummary(summary_text)) return undefined;
    const raw_response = postgresSafeJson(value) as Record<string, unknown>;
    return { raw_response, summary_text: raw_response['summary_text'] as string };
  }
  const members = Object.entries(value).filter(([name]) => !REASONING_NAME.test(name));
  for (const [, member] of members.toReversed()) {
    const answer = findAnswer(member, textWrappers);
    if (answer) return answer;
  }
  return undefined;
}

/** Returns whether a text can be a summary: words, and not the JSON of an answer that has no summary. */
function isSummary(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  const value = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  return typeof value !== 'object' || value === null || !Object.keys(value).some((name) => OWN_NAMES.has(name));
}

const OWN_NAMES = new Set<string>([...Object.keys(ANSWER_SCHEMA.properties), 'fields', 'evidence', 'roles']);
