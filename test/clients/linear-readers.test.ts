import { createContext, Script } from 'node:vm';
import { FormatError, readConversation } from 'conversation-analysis-client/uploads';

const CHARACTERS = 60_000;

/** JSON is parsed fast. */
const JSON_CHARACTERS = 200_000;

/** Linear readers take 5 to 20 ms of processor time, quadratic ones at least ten times that. */
const MAX_MS = 100;
const MAX_JSON_MS = 500;

/**
 * Texts are first read with this part of their length. A reader that takes more than the maximum for the whole text takes more
 * than the square of this part of it, so all others are linear.
 */
const PART = 1 / 4;

/** A reader that takes exponential time never ends. */
const STOP_MS = 10_000;

/** Texts of each reader, as lists of lines. */
const TEXTS = [
  'Ann: Hello\nand more\nBob (00:01): My card\n[00:00:04] Ann: Bye',
  'WEBVTT - A call\n\nNOTE by A\n\nintro\n00:01.000 --> 00:02.500 align:start\n<v.loud Ann>Hello, <b>you</b> &amp; &#39;</v>\nAnn: a\n\nmore\n1\n00:02.500 --> 00:03.000\n{\\an8}Bob: c',
  '1/2/26, 11:26 am - Bob: a.jpg (file attached)\nIt is broken\n28/3/2026, 9:29 p. m. - Ann: b\n1/2/26, 11:28 am - Eve joined\n1.02.26 г., 14:05 ч. - Ann: \u200e<Media omitted>',
  'Ann  9:30 AM\nHello\n\nBob Lee   0:09\nBye\n[9:31 AM] Bob\nmore',
  'From: Ann <a@example.com>\nTo: Bob\n c\nDate: x\n\nHello\n-----Original-----\nFrom: Bob\nTo: Ann\n\nOn x, Ann <a@example.com> wrote:\n> Hello\n>> a',
  '**Bob** (2:05 PM): a\n<Ann> b\n[3/12/2026 2:05 PM | Edited] Ann: c\nAnn, [12.03.2026 14:05]\nb',
  '[AM 1404-10-11, at 10:00:01 AM x y] Bob: b\n26/1/1 (12:00 AM) - Ann: c',
].map((text) => text.split('\n'));

/** Exports as JSON, with every kind of member that a reader looks at. */
const EXPORTS: unknown[] = [
  { conversation: [{ role: 'operator', text: 'Hello', start_s: 1 }] },
  [{ type: 'message', ts: '1.1', text: 'a &lt;', user_profile: { real_name: 'Ann' } }, { text: 'b' }],
  {
    transcripts: [{ phrases: [{ speaker: 'A', text: 'b', words: [{ text: 'c', speaker: 'A' }] }] }],
    parts: [['a'], { text: ['b', { text: 'c' }] }],
  },
];

/** Returns a text of a given length. */
type Text = (characters: number) => string;

const times = (characters: number, piece: string, separator = '') =>
  Array.from({ length: Math.ceil(characters / (piece.length + separator.length)) }, () => piece).join(separator);

/** Returns the text with each line, each pair of lines and each character repeated; each after what precedes it. */
function* repeatLines(lines: readonly string[]): Generator<Text> {
  for (const [index, line] of lines.entries()) {
    const [before, after] = [lines.slice(0, index), lines.slice(index + 1)];
    for (const piece of [line, `${line}\n`, [...lines.slice(index - 1, index), line].join('\n'), lines.join('\n')]) {
      yield (characters) => [...before, times(characters, piece, '\n'), ...after].join('\n');
      // Behind one large cue or message.
      yield (characters) => [...before, line, times(characters / 2, 'a\n'), times(characters, piece, '\n')].join('\n');
    }
    for (const at of new Set([...line].map((each) => line.indexOf(each)))) {
      const [head, tail] = [line.slice(0, at), line.slice(at)];
      for (const piece of new Set([line.slice(at, at + 1), line.slice(at, at + 2), ' '])) {
        yield (characters) => [...before, head + times(characters, piece) + tail, ...after].join('\n');
        yield (characters) => [...before, `${head}${times(characters, piece)}x`, ...after].join('\n');
      }
    }
  }
}

/** Returns the export with each value, list and key repeated, nested and made long. */
function* repeatMembers(value: unknown, rebuild: (changed: string) => string): Generator<Text> {
  const text = JSON.stringify(value);
  const keys = (members: string) => members.replaceAll(/"k"/g, (_, at: number) => `"k${at}"`);
  const list = (piece: string) => (characters: number) => `[${times(characters, piece, ',')}]`;
  const changes: Text[] = [
    list(text),
    (characters) => `{${keys(times(characters, '"k":0', ','))}}`,
    list('{"y":[{}]}'),
    list(`{"y":[${text}]}`),
    list(`{"y":{"z":[{}]},"text":[${text}]}`),
    (characters) => `{"${'k'.repeat(characters / 2)}":${list('{"y":[{}]}')(characters / 2)}}`,
    (characters) => `{${keys(times(characters, `"k":[${text}]`, ','))}}`,
    (characters) => '['.repeat(characters / 2) + ']'.repeat(characters / 2),
    (characters) => '{"text":'.repeat(characters / 9) + '0' + '}'.repeat(characters / 9),
  ];
  for (const change of changes) yield (characters) => rebuild(change(characters));
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const mark = '\u0001';
    const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    copy[name] = mark;
    const whole = JSON.stringify(copy);
    yield* repeatMembers(member, (changed) => rebuild(whole.replace(JSON.stringify(mark), () => changed)));
  }
}

const context = createContext({ read: () => undefined });
const script = new Script('read()');

/** Returns the milliseconds of processor time to read the text; more than `STOP_MS` if it was stopped. */
function millisecondsToRead(text: string): number {
  context['read'] = () => {
    try {
      readConversation(text);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
    }
  };
  const started = process.threadCpuUsage();
  try {
    script.runInContext(context, { timeout: STOP_MS });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  }
  // Copying lists takes the time of the system, for their memory.
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1_000;
}

/** Returns whether reading takes longer. Measures up to three times, because the garbage collector may have run. */
function takesLonger(text: string, maxMs: number): boolean {
  for (let tries = 0; tries < 3; tries++) {
    const ms = millisecondsToRead(text);
    if (ms <= maxMs || ms >= STOP_MS) return ms > maxMs;
  }
  return true;
}

describe('Readers of conversations', () => {
  const read = (texts: Iterable<Text>, characters: number, maxMs: number) => {
    const slow = [];
    for (const textOf of texts) {
      if (!takesLonger(textOf(characters * PART), maxMs * PART ** 2)) continue;
      const text = textOf(characters);
      if (takesLonger(text, maxMs)) slow.push(`${text.slice(0, 150)}…${text.slice(-50)}`);
    }
    expect(slow).to.deep.equal([]);
  };

  it(`take linear time for ${CHARACTERS} characters, whichever line or character is repeated`, () => {
    for (const lines of TEXTS) read(repeatLines(lines), CHARACTERS, MAX_MS);
  }).timeout(300_000);

  it(`take linear time for ${JSON_CHARACTERS} characters, whichever list or key is repeated`, () => {
    for (const value of EXPORTS) read(repeatMembers(value, String), JSON_CHARACTERS, MAX_JSON_MS);
  }).timeout(120_000);
});
