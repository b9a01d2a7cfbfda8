/** Has the lists of one user read on in turns, so that many at once are no faster than one. */
import { createFairShares } from '../../runtime/fair-shares.ts';

/** Bytes in a millisecond that one user reads, so that lists of very much leave the processor to others too. */
const PACE = 6 * 1024;

const turns = createFairShares({ total: Infinity, perKey: 1 });

/** Reads a part of a list. The next one of this user waits as long as the bytes of this one take at the pace. */
export async function readInTurn<P extends { bytes: number }>(userId: string, read: () => Promise<P>): Promise<P> {
  const giveBack = await turns.take(userId, 1);
  const began = performance.now();
  let bytes = 0;
  try {
    const part = await read();
    bytes = part.bytes;
    return part;
  } finally {
    setTimeout(giveBack, Math.max(0, bytes / PACE - (performance.now() - began))).unref();
  }
}
