/** Reads `raw_response` and `summary_text` from a model's text. */
import { isDeeperThan, MAX_JSON_DEPTH, postgresSafeJson, postgresSafeText } from '../../../runtime/postgres-safe.ts';

export interface ParsedAnswer {
  raw_response: Record<string, unknown>;
  summary_text: string;
}

/**
 * Returns the answer's JSON object and its summary. Any other text, or JSON that is nested too deeply, is kept as
 * `{"text": …}`: prose is a result too.
 */
export function parseAnswer(text: string): ParsedAnswer {
  const raw_response = parseObject(text) ?? { text: postgresSafeText(text) };
  const { summary_text } = raw_response;
  return { raw_response, summary_text: typeof summary_text === 'string' ? summary_text : postgresSafeText(text) };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(withoutCodeFence(text));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && !isDeeperThan(value, MAX_JSON_DEPTH)
      ? (postgresSafeJson(value) as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Removes a Markdown code fence, into which models without a structured-output mode like to put JSON. */
function withoutCodeFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
}
