/** Reads `raw_response` and `summary_text` from a model's text. */
import { isDeeperThan, MAX_JSON_DEPTH, postgresSafeJson, postgresSafeText } from '../../../runtime/postgres-safe.ts';
import { startsAsJson } from './read-response.ts';

export interface ParsedAnswer {
  raw_response: Record<string, unknown>;
  summary_text: string;
}

/** Returns the answer's JSON object and its summary. Other text, or JSON that is nested too deeply, becomes `{"text": …}`. */
export function parseAnswer(text: string): ParsedAnswer {
  const raw_response = parseObject(text) ?? { text: postgresSafeText(text) };
  const { summary_text } = raw_response;
  return { raw_response, summary_text: typeof summary_text === 'string' ? summary_text : postgresSafeText(text) };
}

/** Returns whether an answer is the beginning of a JSON object: it was cut off, even if the provider does not report that. */
export const isPartial = (text: string) => startsAsJson(text) && parseJson(text) === undefined;

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !isDeeperThan(value, MAX_JSON_DEPTH)
    ? (postgresSafeJson(value) as Record<string, unknown>)
    : undefined;
}

/** Returns undefined for text that is not JSON. Some servers generate control characters in strings. */
function parseJson(text: string): unknown {
  const json = withoutCodeFence(text);
  for (const candidate of [json, json.replaceAll(/\p{Cc}/gu, ' ')]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {}
  }
  return undefined;
}

/** Removes a Markdown code fence, which models without a structured-output mode often add. */
function withoutCodeFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
}
