/** The difference of two texts, line by line. */

export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Beyond this the table of common lines would take too long: all of the old is removed, all of the new added. */
const MAX_CELLS = 1_000_000;

export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split('\n');
  const young = after.split('\n');
  if (old.length * young.length > MAX_CELLS) return [...mark('removed', old), ...mark('added', young)];
  const common = countCommon(old, young);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < young.length) {
    if (i < old.length && j < young.length && old[i] === young[j]) {
      lines.push({ kind: 'same', text: old[i] ?? '' });
      i++;
      j++;
    } else if (j >= young.length || (i < old.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push({ kind: 'removed', text: old[i++] ?? '' });
    } else {
      lines.push({ kind: 'added', text: young[j++] ?? '' });
    }
  }
  return lines;
}

const mark = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }));

/** Returns, for each pair of positions, how many lines the rests have in common. */
function countCommon(old: readonly string[], young: readonly string[]): number[][] {
  const common = Array.from({ length: old.length + 1 }, () => new Array<number>(young.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    const row = common[i] ?? [];
    for (let j = young.length - 1; j >= 0; j--) {
      const below = common[i + 1] ?? [];
      row[j] = old[i] === young[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return common;
}
