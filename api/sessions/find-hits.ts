/** Where a search matches conversations. */
import { piecesOf } from '../../contract/fields/pieces.ts';
import { SEARCHED_CHARACTERS } from '../../contract/sessions/session-filter.ts';
import type { SearchHit, Turn } from '../../contract/sessions/sessions.ts';
import { eachIncluded } from '../../db/queries/list-sessions.ts';
import { findStems } from '../../db/queries/search-sessions.ts';

const MAX_WORDS = 20;
/** Of the conversations of a page. */
const MAX_CHARACTERS = 10 * SEARCHED_CHARACTERS;
/** Characters of a sentence before and after the hit. */
const [BEFORE, AFTER] = [80, 120];
const SENTENCE_END = /(?<=[.!?…。！？]\s|[\n。！？])/u;

/** Returns the hit of each session in this order; null if its conversation does not contain the words. */
export async function findHits(q: string, ids: readonly string[]): Promise<(SearchHit | null)[]> {
  const stems = await findStems(q);
  const hits: (SearchHit | null)[] = [];
  let characters = 0;
  for await (const included of eachIncluded(ids, ['conversation'])) {
    const turns = characters > MAX_CHARACTERS ? [] : (included?.conversation ?? []);
    hits.push(findHit(stems, turns));
    characters += turns.reduce((sum, { text }) => sum + text.length, 0);
  }
  return hits;
}

/** Returns the first of the turns with the most of the stems, and all words that begin with one of them. */
function findHit(stems: readonly string[], turns: readonly Turn[]): SearchHit | null {
  const known = new Map<string, string[]>();
  const written = new Set<string>();
  let [best, most, characters] = [null as SearchHit | null, 0, 0];
  for (const [turn, { text, start_s }] of turns.entries()) {
    if ((characters += text.length) > SEARCHED_CHARACTERS) break;
    const found = new Map<string, number>();
    for (const { start, end, words } of piecesOf(text, known)) {
      for (const stem of stems) {
        // Only a stem of a script without blanks has several pieces: "c" does not match "can".
        const isWord = words.some((word) => (stem.length < 3 ? word === stem : word.startsWith(stem)));
        if (!isWord && (stem.length < end - start || !text.startsWith(stem, start))) continue;
        found.set(stem, found.get(stem) ?? start);
        if (written.size < MAX_WORDS) written.add(isWord ? text.slice(start, end) : stem);
      }
    }
    if (found.size <= most) continue;
    most = found.size;
    best = { turn, start_s: start_s ?? null, text: sentenceAt(text, Math.min(...found.values())), words: [] };
  }
  return best && { ...best, words: [...written] };
}

function sentenceAt(text: string, at: number): string {
  const before =
    text
      .slice(Math.max(0, at - BEFORE), at)
      .split(SENTENCE_END)
      .at(-1) ?? '';
  const [after = ''] = text.slice(at, at + AFTER).split(SENTENCE_END);
  // A cut character leaves half of it.
  return `${before}${after}`.replaceAll(/\p{Cs}/gu, '').trim();
}
