/** How a turn is written as lines, for a model and for a reader. */
import type { Turn } from './sessions.ts';

/** Every character that some reader takes for the end of a line. https://www.unicode.org/reports/tr14/#BK */
const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/**
 * Returns a turn as lines of text, of which only the first is not indented: what is said in a turn can't pass for the
 * beginning of another one.
 */
export function toLines({ role, text }: Turn): string {
  return `${role.replaceAll(LINE_BREAKS, ' ')}: ${text.replaceAll(LINE_BREAKS, '\n    ')}`;
}
