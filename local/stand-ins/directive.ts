/** Reads directives, which simulate faults, from conversations and file names. */
import { createHash } from 'node:crypto';

export interface Directive {
  /** HTTP status of the response. Default: a normal response. */
  status?: number;
  /** Value of `Retry-After`, in seconds. */
  retry_after_s?: number;
  /** Delay of the response. */
  delay_ms?: number;
  /** Number of calls with the same text to which the directive applies. Default: all. */
  times?: number;
  /** Duration of a job. */
  job_ms?: number;
  /** 1 if the job fails. */
  job_fails?: number;
  /** Reported length of the recording. */
  duration_s?: number;
  /** Number of channels in the recording. */
  channels?: number;
}

const PATTERN = /\[provider((?: \w+=\d+)+)\]/;

const NAMES = ['status', 'retry_after_s', 'delay_ms', 'times', 'job_ms', 'job_fails', 'duration_s', 'channels'];

const isName = (name: string): name is keyof Directive => NAMES.includes(name);

/**
 * Returns a function that reads directives such as `[provider status=503 times=2]` or `[provider delay_ms=20000]`, and
 * counts the calls with each text.
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
