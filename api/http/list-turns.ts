/** Has the lists of one user read on in turns, so that many at once are no faster than one. */
import { createFairShares } from '../../runtime/fair-shares.ts';

/** Bytes in a millisecond that one user reads, so that lists of very much leave the processor to others too. */
const PACE = 6 * 1024;

const turns = createFairShares({ total: Infinity, perKey: 1 });

/** Reads a page. The next one of this user waits as long as the bytes of this one take at the pace. */
export async function readInTurn<P extends { rows: readonly unknown[] }>(
  userId: string,
  read: () => Promise<P>,
): Promise<P> {
  const giveBack = await turns.take(userId, 1);
  const began = performance.now();
  let page: P | undefined;
  try {
    page = await read();
    return page;
  } finally {
    setTimeout(giveBack, Math.max(0, bytesOf(page?.rows) / PACE - (performance.now() - began))).unref();
  }
}

/** Returns about how many bytes the value has: what can be long is text. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesOf(each), 0);
}
