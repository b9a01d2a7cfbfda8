/** Finds names and addresses with a server that implements Presidio Analyzer's API: https://microsoft.github.io/presidio/api-docs/ */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { RecognizerKind } from '../contract/values/redaction-kinds.ts';
import type { Turn } from '../contract/sessions/sessions.ts';
import type { ProviderFetch } from '../runtime/outbound/provider-fetch.ts';
import { RedactionError } from './redaction-error.ts';
import type { Hit } from './types.ts';

interface RecognizerOptions {
  /** The server's URL without `/analyze`. */
  url: string;
  /** Languages that the server supports. Conversations in other languages are analyzed in the first one. */
  languages: readonly string[];
  fetch: ProviderFetch;
  /** Timeout of one request. */
  timeoutMs?: number;
  /** Pause before the second try; it doubles. */
  pauseMs?: number;
}

export interface Recognizer {
  /** Returns the names and addresses in the turns. Throws `RedactionError`. @param language ISO 639-1; null if unknown. */
  recognize(
    turns: readonly Pick<Turn, 'text'>[],
    kinds: readonly RecognizerKind[],
    language: string | null,
    signal: AbortSignal,
  ): Promise<Hit[]>;
}

const ENTITIES: Readonly<Record<RecognizerKind, readonly string[]>> = {
  name: ['PERSON'],
  address: ['LOCATION', 'ADDRESS'],
};
const MIN_SCORE = 0.5;
const MAX_TEXT = 4_000;
const TRIES = 4;
/** A card could be a part of a text with more digits. */
const MAX_KEPT_DIGITS = 7;

const ResponseSchema = z.array(
  z.object({ entity_type: z.string(), start: z.int().min(0), end: z.int().min(0), score: z.number() }),
);

/** A part of a turn. */
interface Piece {
  turn: number;
  start: number;
  text: string;
}

export function createRecognizer({
  url,
  languages,
  fetch,
  timeoutMs = 10_000,
  pauseMs = 500,
}: RecognizerOptions): Recognizer {
  async function analyzeRepeatedly(...request: Parameters<typeof analyze>): ReturnType<typeof analyze> {
    for (let tried = 1; ; tried++) {
      try {
        return await analyze(...request);
      } catch (error) {
        if (tried === TRIES || !(error instanceof RedactionError)) throw error;
        await sleep(pauseMs * 2 ** (tried - 1), undefined, { signal: request[3] });
      }
    }
  }

  async function analyze(text: string, entities: readonly string[], language: string, signal: AbortSignal) {
    try {
      const response = await fetch(`${url}/analyze`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ text, language, entities, score_threshold: MIN_SCORE }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      if (!response.ok) throw new RedactionError('unavailable', `the recognizer responded with ${response.status}`);
      return ResponseSchema.parse(await response.json());
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RedactionError) throw error;
      throw new RedactionError('unavailable', 'the recognizer could not be reached or sent an invalid response');
    }
  }

  return {
    async recognize(turns, kinds, language, signal) {
      const spoken = languages.find((known) => known === language) ?? languages[0] ?? 'en';
      const entities = kinds.flatMap((kind) => ENTITIES[kind]);
      const hits: Hit[] = [];
      for (const pieces of inTexts(turns)) {
        const text = pieces.map((piece) => piece.text).join('\n');
        const found = await analyzeRepeatedly(text, entities, spoken, signal);
        const units = unitsOfCodePoints(text);
        for (const { entity_type, start, end, score } of found) {
          const kind = kinds.find((each) => ENTITIES[each].includes(entity_type));
          if (kind === undefined || score < MIN_SCORE) continue;
          const [from, to] = [units[start], units[end]];
          if (from === undefined || to === undefined || from >= to) {
            throw new RedactionError('unavailable', 'the recognizer sent an invalid range');
          }
          hits.push(...toHits(pieces, kind, from, to));
        }
      }
      return hits;
    },
  };
}

/** Joins the turns to texts that are short enough for the recognizer's timeout. */
function inTexts(turns: readonly Pick<Turn, 'text'>[]): Piece[][] {
  const texts: Piece[][] = [];
  let size = MAX_TEXT;
  for (const [turn, { text }] of turns.entries()) {
    for (let start = 0; start < text.length;) {
      const end = endOfPiece(text, start);
      if (size + end - start > MAX_TEXT) {
        texts.push([]);
        size = 0;
      }
      texts.at(-1)?.push({ turn, start, text: text.slice(start, end) });
      size += end - start + 1;
      start = end;
    }
  }
  return texts;
}

function endOfPiece(text: string, start: number): number {
  if (text.length - start <= MAX_TEXT) return text.length;
  const space = text.lastIndexOf(' ', start + MAX_TEXT - 1);
  return space > start ? space + 1 : start + MAX_TEXT;
}

/** Returns the UTF-16 position of each code point and of the end. Presidio's positions count code points. */
function unitsOfCodePoints(text: string): number[] {
  const units = [0];
  for (const character of text) units.push((units.at(-1) ?? 0) + character.length);
  return units;
}

/** Converts a range of the joined text to ranges of the turns. */
function toHits(pieces: readonly Piece[], kind: RecognizerKind, from: number, to: number): Hit[] {
  let offset = 0;
  const hits: Hit[] = [];
  for (const { turn, start, text } of pieces) {
    const [first, last] = [Math.max(0, from - offset), Math.min(text.length, to - offset)];
    if (first < last) {
      const said = text.slice(first, last);
      const isKept = said.replaceAll(/\D/g, '').length <= MAX_KEPT_DIGITS;
      const place = { turn, start: start + first, end: start + last };
      hits.push({ kind, value: said.toLowerCase(), isKept, isContinued: false, ...place });
    }
    offset += text.length + 1;
  }
  return hits;
}
