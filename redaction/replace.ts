/** Replaces parts of turns with placeholders. */
import type { Hit, RedactedItem, Redaction } from './types.ts';

interface Turn {
  text: string;
}

/** Longer numbers in the text leave room for the numbers after them. */
const PLACEHOLDER = /\[(?<name>[A-Z]{1,9})_(?<number>\d{1,8})\]/g;

/**
 * Replaces each hit with a placeholder. Returns the turns and all items, including `items` of an earlier replacement. Placeholders
 * are numbered in the order of the conversation, after those that the text already contains.
 */
export function replaceHits<T extends Turn>(
  turns: readonly T[],
  hits: readonly Hit[],
  items: readonly RedactedItem[] = [],
): Redaction<T> {
  const placeholderOf = createPlaceholders(turns);
  const byTurn = Map.groupBy(withoutOverlaps(hits), ({ turn }) => turn);
  const itemsByTurn = Map.groupBy(items, ({ turn }) => turn);
  const all: RedactedItem[] = [];
  const replaced = turns.map((turn, index) => {
    const earlier = itemsByTurn.get(index) ?? [];
    const parts: string[] = [];
    const own: RedactedItem[] = [];
    let end = 0;
    let length = 0;
    let moved = 0;
    const moveUntil = (position: number) => {
      for (let item = earlier[moved]; item && item.start < position; item = earlier[++moved]) {
        const start = item.start - end + length;
        own.push({ ...item, start, end: start + item.placeholder.length });
      }
    };
    for (const hit of byTurn.get(index) ?? []) {
      moveUntil(hit.start);
      const placeholder = placeholderOf(hit);
      const before = turn.text.slice(end, hit.start);
      const original = hit.isKept ? turn.text.slice(hit.start, hit.end) : null;
      const start = length + before.length;
      const { kind, isContinued } = hit;
      own.push({ kind, placeholder, turn: index, start, end: start + placeholder.length, original, isContinued });
      parts.push(before, placeholder);
      length = start + placeholder.length;
      end = hit.end;
    }
    moveUntil(Number.POSITIVE_INFINITY);
    all.push(...own);
    return own.length === earlier.length ? turn : { ...turn, text: parts.join('') + turn.text.slice(end) };
  });
  return { turns: replaced, items: all };
}

function createPlaceholders(turns: readonly Turn[]): (hit: Hit) => string {
  const counts = new Map<string, number>();
  for (const { text } of turns) {
    for (const { groups } of text.matchAll(PLACEHOLDER)) {
      const name = groups?.name ?? '';
      counts.set(name, Math.max(counts.get(name) ?? 0, Number(groups?.number)));
    }
  }
  const placeholders = new Map<string, string>();
  return ({ kind, value }) => {
    const key = `${kind} ${value}`;
    const name = kind.toUpperCase();
    let placeholder = placeholders.get(key);
    if (placeholder === undefined) {
      const number = (counts.get(name) ?? 0) + 1;
      counts.set(name, number);
      placeholder = `[${name}_${number}]`;
      placeholders.set(key, placeholder);
    }
    return placeholder;
  };
}

/** Returns the hits in order. Merges overlapping hits into the first one. */
function withoutOverlaps(hits: readonly Hit[]): Hit[] {
  const kept: Hit[] = [];
  for (const hit of hits.toSorted((a, b) => a.turn - b.turn || a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last?.turn === hit.turn && hit.start < last.end) {
      last.end = Math.max(last.end, hit.end);
      last.isKept &&= hit.isKept;
    } else kept.push({ ...hit });
  }
  return kept;
}
