/** Finds the code and the parameters of an English message, for errors that are not thrown by their reason yet. */
import { FAILURES } from './failures.ts';
import { FIELD_ERRORS, type FieldErrorCode } from './field-errors.ts';
import { PROBLEMS } from './problems.ts';
import type { Reason } from './reasons.ts';
import { codeOf as codeIn } from './sentence.ts';

interface ReadMessage<C extends string> {
  code: C;
  params?: Record<string, string>;
}

/**
 * Returns a function that finds the code of a message; undefined for a message without a code. The first message that matches
 * counts. In a message, `{name}` is a parameter, and a part in brackets may be absent.
 */
function messageReader<C extends string>(
  messages: Record<C, readonly string[]>,
): (message: string) => ReadMessage<C> | undefined {
  const patterns = (Object.keys(messages) as C[]).flatMap((code) =>
    messages[code].flatMap(withAndWithoutPart).map((message) => ({ code, parts: message.split(/\{(\w+)\}/) })),
  );
  return (message) => {
    for (const { code, parts } of patterns) {
      const params = readParams(message, parts);
      if (params) return { code, ...(parts.length > 1 && { params }) };
    }
    return undefined;
  };
}

const withAndWithoutPart = (message: string): string[] =>
  message.includes('[') ? [message.replace(/\[([^[\]]*)\]/, '$1'), message.replace(/\[[^[\]]*\]/, '')] : [message];

/**
 * Returns the parameters of a message, or undefined if it does not match. Texts are at even places of `parts`, the names of
 * parameters between them. A parameter has at least one character.
 */
function readParams(message: string, [start = '', ...rest]: readonly string[]): Record<string, string> | undefined {
  if (rest.length === 0) return message === start ? {} : undefined;
  if (!message.startsWith(start)) return undefined;
  const params: Record<string, string> = {};
  let from = start.length;
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', text = ''] = rest.slice(index);
    const isLast = index + 2 === rest.length;
    const end =
      isLast && message.endsWith(text) ? message.length - text.length : isLast ? -1 : message.indexOf(text, from + 1);
    if (end <= from) return undefined;
    params[name] = message.slice(from, end);
    from = end + text.length;
  }
  return params;
}

const readReason = messageReader({
  ...Object.fromEntries(Object.entries(PROBLEMS).map(([key, [, sentence]]) => [key, [sentence]])),
  ...Object.fromEntries(Object.entries(FAILURES).map(([key, sentence]) => [key, [sentence]])),
});
const readCode = messageReader(
  Object.fromEntries(Object.entries(FIELD_ERRORS).map(([key, sentence]) => [key, [sentence]])),
);

export function reasonOf(sentence: string): { reason: Reason; params?: Record<string, string> } | undefined {
  const found = readReason(sentence);
  return found && { ...(found.params && { params: found.params }), reason: codeIn(found.code) as Reason };
}

export function codeOf(message: string) {
  const found = readCode(message);
  return found && { ...found, code: codeIn(found.code) as FieldErrorCode };
}
