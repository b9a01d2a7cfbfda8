import type { SearchHit } from 'conversation-analysis-client';
import { formatPosition } from '../format/durations.ts';
import { escapePattern } from '../format/fill.ts';

/** A sentence with its time and the words that match. */
export function Said({ hit: { text, start_s, words } }: { hit: SearchHit }) {
  const parts = text.split(new RegExp(`(${words.map(escapePattern).join('|')})`, 'u'));
  return (
    <>
      {start_s !== null && <span className="note">{`▷ ${formatPosition(start_s)} `}</span>}
      {parts.map((part, at) => (at % 2 === 0 ? part : <mark key={at}>{part}</mark>))}
    </>
  );
}
