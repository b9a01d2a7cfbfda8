/** Faults on demand: a conversation or a prompt that contains a directive makes the stand-in misbehave as it says. */
import { createHash } from 'node:crypto';

export interface Directive {
  /** Answer with this HTTP status; undefined: answer normally. */
  status?: number;
  /** Value of `Retry-After`, in seconds. */
  retry_after_s?: number;
  /** Wait before answering. */
  delay_ms?: number;
  /** How many calls with the same text this holds for; undefined: all. */
  times?: number;
}

const PATTERN = /\[vendor((?: \w+=\d+)+)\]/;
const NAMES = new Set(['status', 'retry_after_s', 'delay_ms', 'times']);

/** For example `[vendor status=503 times=2]` or `[vendor delay_ms=20000]`. */
export function createDirectives() {
  const seen = new Map<string, number>();

  return function directiveOf(text: string): Directive {
    const found = PATTERN.exec(text)?.[1];
    if (found === undefined) return {};
    const pairs = found.trim().split(' ').map((pair) => pair.split('='));
    const directive: Directive = Object.fromEntries(pairs.filter(([name = '']) => NAMES.has(name)).map(([name, value]) => [name, Number(value)]));
    const key = createHash('sha256').update(text).digest('hex');
    const calls = (seen.get(key) ?? 0) + 1;
    seen.set(key, calls);
    return directive.times === undefined || calls <= directive.times ? directive : {};
  };
}
