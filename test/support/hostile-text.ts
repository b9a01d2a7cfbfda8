/** Finds long texts for which a regular expression takes more than linear time. */
import { runInNewContext } from 'node:vm';

export const HOSTILE_CHARACTERS = 20_000;

/** Far above the milliseconds of a linear expression, and far below the tenths of a second of a quadratic one. */
const MAX_MS = 60;

/** After this time the expression is stopped, because an exponential one never ends. */
const STOP_MS = 20_000;

/** Pieces to repeat: each kind of character, and words that this service treats specially. */
const PIECES = [
  'a',
  'A',
  '0',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\0',
  'е',
  'мас',
  'may',
  'не',
  'e\u0301',
  '\u0301',
  '😀',
  '’',
  'a ',
  ' a',
  '1,',
  '1 ',
  '. ',
  'a.',
  'a-',
  '- ',
  '/a',
  'a:',
  '\n ',
  'a=',
  '"a',
  '[a',
  '{a',
  '<a',
  'a,',
  '1.1',
];
const ENDS = ['', '!'];

/**
 * Returns hostile texts for one expression: general pieces, and the words and signs of the expression itself, repeated after
 * each prefix that the expression may match.
 */
function hostileTexts(source: string): string[] {
  const words = [
    ...new Set(source.replaceAll(/\\[pPu]\{.*?\}|\\u\w{4}|\\[a-zA-Z]/g, ' ').match(/[\p{L}\d_-]{2,}|[\p{L}\d]/gu)),
  ];
  const signs = [...new Set(source.match(/[^\p{L}\d\s]/gu))];
  const begins = ['', ...words.slice(0, 3), ...signs.slice(0, 3)];
  const pieces = new Set([...PIECES, ...words.slice(0, 20), ...signs, ...signs.map((sign) => `${sign}a`)]);
  return begins.flatMap((begin) =>
    [...pieces].flatMap((piece) =>
      ENDS.map((end) => begin + piece.repeat(Math.ceil(HOSTILE_CHARACTERS / piece.length)) + end),
    ),
  );
}

/** Returns the start and end of the first text for which the expression is too slow, and the time. */
export function findSlowText(source: string, flags: string): string | undefined {
  const expression = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  let text = '';
  const named = () => JSON.stringify(`${text.slice(0, 20)}…${text.slice(-10)}`);
  const find = () => {
    for (text of hostileTexts(source)) {
      let ms = millisecondsToRead(expression, text);
      // Measures again, because the garbage collector may have run.
      for (let again = 0; again < 3 && ms > MAX_MS; again++) ms = Math.min(ms, millisecondsToRead(expression, text));
      if (ms > MAX_MS) return `${named()}: ${Math.round(ms)} ms`;
    }
    return undefined;
  };
  try {
    return runInNewContext('find()', { find }, { timeout: STOP_MS }) as string | undefined;
  } catch {
    return `${named()}: stopped after ${STOP_MS} ms`;
  }
}

/** Returns the processor time to find every match, which is the slowest use of an expression. */
function millisecondsToRead(expression: RegExp, text: string): number {
  const started = process.threadCpuUsage();
  text.replace(expression, '');
  return process.threadCpuUsage(started).user / 1_000;
}
