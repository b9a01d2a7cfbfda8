/** Merges the separately transcribed channels of a recording into one conversation. */
import type { Piece } from './transcript.ts';

/** The transcript of one channel, and the role of its speaker. */
export interface Channel {
  role: string;
  pieces: readonly Piece[];
}

/** Seconds of silence that separate two utterances. */
const PAUSE_S = 0.3;

/** Speech without a pause. */
interface Utterance {
  pieces: Piece[];
  startS: number;
  endS: number;
}

/** Returns the pieces of all channels with their roles, ordered by the start of their utterances. */
export function mergeChannels(channels: readonly Channel[]): Piece[] {
  return channels
    .flatMap(({ role, pieces }) => splitAtPauses(pieces.map((piece) => ({ ...piece, speaker: role, role }))))
    .sort((a, b) => a.startS - b.startS)
    .flatMap(({ pieces }) => pieces);
}

/** A piece without times belongs to the previous utterance. Silence is dropped: it would split another speaker's turn. */
function splitAtPauses(pieces: readonly Piece[]): Utterance[] {
  const utterances: Utterance[] = [];
  for (const piece of pieces) {
    const { start, end = start } = piece;
    const isSpoken = isWord(piece);
    const last = utterances.at(-1);
    if (!last || (isSpoken && start !== undefined && start - last.endS >= PAUSE_S)) {
      utterances.push({ pieces: [piece], startS: start ?? 0, endS: end ?? 0 });
      continue;
    }
    last.pieces.push(piece);
    if (isSpoken) last.endS = Math.max(last.endS, end ?? 0);
  }
  return utterances.filter((utterance) => utterance.pieces.some(isWord));
}

const isWord = ({ text }: Piece) => text.trim() !== '';
