/** Reads the marked dialogues of test/fixtures/redaction, and measures what redaction makes of them. */
import { readFileSync } from 'node:fs';
import { findHits } from '../../redaction/redact.ts';

/**
 * `held-out` is every third dialogue of the folder `hard`, `dictated-held-out` every second of `dictated`, and
 * `untuned-held-out` of `untuned`, and `fresh-held-out` all of `fresh`. Their failures are counted but never shown.
 */
export const PARTS = [
  'tuned',
  'unseen',
  'hard',
  'held-out',
  'dictated',
  'dictated-held-out',
  'untuned',
  'untuned-held-out',
  'fresh-held-out',
] as const;
export type Part = (typeof PARTS)[number];
export const LANGUAGES = ['en', 'ru', 'uz-latn', 'uz-cyrl'] as const;

interface Mark {
  /** `card1`; `any`: may be replaced or not. */
  name: string;
  turn: number;
  start: number;
  end: number;
}

interface Dialogue {
  title: string;
  turns: { role: string; text: string }[];
  marks: Mark[];
}

const MARK = /\{(?<name>\w+)\|(?<text>[^}]*)\}/g;

export function readDialogues(part: Part, language: string): Dialogue[] {
  const isHeldOut = part.endsWith('held-out');
  const folder = part === 'held-out' ? 'hard' : part.replace('-held-out', '');
  const every = { hard: 3, dictated: 2, untuned: 2 }[folder];
  const file = new URL(`../fixtures/redaction/${folder}/${language}.txt`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n\n')
    .filter((_, index) => every === undefined || (index % every === every - 1) === isHeldOut)
    .map(readDialogue);
}

function readDialogue(source: string): Dialogue {
  const [title = '', ...lines] = source.split('\n');
  const marks: Mark[] = [];
  const turns = lines.map((line, turn) => {
    const [role = '', marked = ''] = line.split(/: (.*)/s);
    let text = '';
    let end = 0;
    for (const match of marked.matchAll(MARK)) {
      text += marked.slice(end, match.index);
      const start = text.length;
      text += match.groups?.text ?? '';
      marks.push({ name: match.groups?.name ?? '', turn, start, end: text.length });
      end = match.index + match[0].length;
    }
    return { role, text: text + marked.slice(end) };
  });
  return { title: title.replace('## ', ''), turns, marks };
}

export interface Measured {
  kind: string;
  isSpoken: boolean;
  isHidden: boolean;
  pieces: number;
  hiddenPieces: number;
  /** What was shown of it, with the dialogue's title. */
  note: string;
}

export interface Measurement {
  dialogues: number;
  values: Measured[];
  /** Replacements of what is no personal number. */
  falseOnes: string[];
}

/** Replaces and measures the dialogues of one part in one language. */
export function measure(part: Part, language: string): Measurement {
  const dialogues = readDialogues(part, language);
  const values: Measured[] = [];
  const falseOnes: string[] = [];
  for (const { title, turns, marks } of dialogues) {
    const hits = findHits(turns);
    const isHiddenAt = (turn: number, at: number) =>
      hits.some((each) => each.turn === turn && each.start <= at && at < each.end);
    for (const [name, own] of Object.entries(Object.groupBy(marks, (mark) => mark.name))) {
      if (name === 'any' || !own) continue;
      const texts = own.map(({ turn, start, end }) => turns[turn]!.text.slice(start, end));
      const shown = own.filter(({ turn, start, end }) =>
        [...turns[turn]!.text.slice(start, end)].some(
          (sign, index) => /[\p{L}\d]/u.test(sign) && !isHiddenAt(turn, start + index),
        ),
      );
      const isSpoken = !texts.join('').includes('@') && /\p{Ll}{2}/u.test(texts.join(' '));
      const note = `${title}: ${shown.map(({ turn, start, end }) => turns[turn]!.text.slice(start, end)).join(' … ')}`;
      values.push({
        kind: name.replace(/\d+$/, ''),
        isSpoken,
        isHidden: shown.length === 0,
        pieces: own.length,
        hiddenPieces: own.length - shown.length,
        note,
      });
    }
    for (const { kind, turn, start, end } of hits) {
      const isMarked = marks.some((mark) => mark.turn === turn && mark.start < end && start < mark.end);
      if (!isMarked) falseOnes.push(`${title}: ${kind} ${turns[turn]!.text.slice(start, end)}`);
    }
  }
  return { dialogues: dialogues.length, values, falseOnes };
}
