/** Faults on demand: a text, or the name of a file, that contains a directive makes the stand-in misbehave as it says. */
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
  /** How long a job stays unfinished. */
  job_ms?: number;
  /** 1: the job ends as failed. */
  job_fails?: number;
  /** What the stand-in takes the recording's length for. */
  duration_s?: number;
  /** How many channels it finds in the recording. */
  channels?: number;
}

const PATTERN = /\[vendor((?: \w+=\d+)+)\]/;

const NAMES = ['status', 'retry_after_s', 'delay_ms', 'times', 'job_ms', 'job_fails', 'duration_s', 'channels'];

const isName = (name: string): name is keyof Directive => NAMES.includes(name);

/**
 * Returns a reader of directives, such as `[vendor status=503 times=2]` or `[vendor delay_ms=20000]`. It counts how
 * often it has seen each text.
 */
export function createDirectives() {
  const seen = new Map<string, number>();

  return function directiveOf(text: string): Directive {
    const found = PATTERN.exec(text)?.[1];
    if (found === undefined) return {};
    const directive: Directive = {};
    for (const pair of found.trim().split(' ')) {
      const [name = '', value = ''] = pair.split('=');
      if (isName(name)) directive[name] = Number(value);
    }
    const key = createHash('sha256').update(text).digest('hex');
    const calls = (seen.get(key) ?? 0) + 1;
    seen.set(key, calls);
    return directive.times === undefined || calls <= directive.times ? directive : {};
  };
}
