/** Brings the channels of a recording, which were transcribed apart, into the order of a conversation. */
import type { Piece } from './transcript.ts';

/** What was heard on one channel, and who speaks there. */
export interface Channel {
  role: string;
  pieces: readonly Piece[];
}

/** Seconds of silence after which what somebody says may stand behind the answer of somebody else. */
const PAUSE_S = 0.3;

/** What somebody says without a pause. */
interface Utterance {
  pieces: Piece[];
  startS: number;
  endS: number;
}

/** Returns the pieces of all channels, each utterance at the place where it begins, with the roles of their channels. */
export function mergeChannels(channels: readonly Channel[]): Piece[] {
  return channels
    .flatMap(({ role, pieces }) => splitAtPauses(pieces.map((piece) => ({ ...piece, speaker: role, role }))))
    .sort((a, b) => a.startS - b.startS)
    .flatMap(({ pieces }) => pieces);
}

/** A piece without times belongs to the utterance before it. Silence is no utterance: it would part another's turn. */
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
