import { diffArrays, diffLines } from 'diff';
import styles from './diff.module.css';

/** Words of any script, and every other character. */
const WORDS = /[\p{L}\p{M}\p{N}'’]+|./gsu;

/** Limit of changed words. Longer edits are compared by line only, because a comparison by word would be slow. */
const MAX_WORD_EDITS = 500;

interface Part {
  text: string;
  /** Whether only this side has the words. */
  isMarked: boolean;
}

interface Line {
  look: 'same' | 'removed' | 'added';
  parts: readonly Part[];
}

const SIGNS = { same: '  ', removed: '− ', added: '+ ' };

/** Compares two texts by line, and marks the changed words in changed lines. */
export const Diff = ({ label, before, after }: { label: string; before: string; after: string }) => (
  <pre className={styles['diff']} dir="auto" tabIndex={0} aria-label={label}>
    {compare(`${before}\n`, `${after}\n`).map(({ look, parts }, index) => (
      <span key={index} className={styles[look]}>
        {SIGNS[look]}
        {parts.map(({ text, isMarked }, at) => (isMarked ? <mark key={at}>{text}</mark> : text))}
        {'\n'}
      </span>
    ))}
  </pre>
);

function compare(before: string, after: string): Line[] {
  const changes = diffLines(before, after);
  return changes.flatMap(({ added, removed, value }, index) => {
    const look = removed ? 'removed' : added ? 'added' : 'same';
    const [one, other] = [changes[index - (added ? 1 : 0)], changes[index + (removed ? 1 : 0)]];
    const isRewritten = look !== 'same' && one?.removed && other?.added;
    return toLines(look, isRewritten ? markWords(one.value, other.value, look) : [{ text: value, isMarked: false }]);
  });
}

/** Returns the lines of one side, with the words that the other side does not have. */
function markWords(removed: string, added: string, side: 'removed' | 'added'): Part[] {
  const [before = [], after = []] = [removed, added].map((text) => text.match(WORDS) ?? []);
  const words = diffArrays<string>(before, after, { maxEditLength: MAX_WORD_EDITS });
  if (!words) return [{ text: side === 'removed' ? removed : added, isMarked: false }];
  return words
    .filter((word) => word[side] || word.added === word.removed)
    .map((word) => ({ text: word.value.join(''), isMarked: word[side] }));
}

/** Splits parts at the ends of lines. */
function toLines(look: Line['look'], parts: readonly Part[]): Line[] {
  const lines: Part[][] = [[]];
  for (const { text, isMarked } of parts) {
    text.split('\n').forEach((piece, index) => {
      if (index > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ text: piece, isMarked });
    });
  }
  // The text ends with a line break.
  return lines.slice(0, -1).map((each) => ({ look, parts: each }));
}
