import { isDatabaseUnavailable } from '../../db/connect.ts';
import { isTemporalUnavailable } from '../../runtime/temporal/connect.ts';
import type { Log } from '../../runtime/telemetry/log.ts';

/** Rows that are read at once, and of these the ones that are looked at together. */
const BATCH = 500;
const AT_ONCE = 10;

/** A sweep ends after this time, well within its activity's; the next one goes on. */
const MAX_DURATION_MS = 120_000;

export interface CheckedBatches<T> {
  find: (limit: number) => PromiseLike<T[]>;
  check: (row: T) => Promise<void>;
  /** Takes a row out of what `find` returns, for a while. */
  setChecked: (row: T) => PromiseLike<unknown>;
  log: Log;
}

/**
 * Checks all rows that `find` returns, a few at a time, until none is left. Every row gets its turn: a sweep that does
 * not come to the end is continued by the next one, and a row that cannot be checked stops no other.
 */
export async function inCheckedBatches<T extends { id: string }>(sweep: CheckedBatches<T>): Promise<void> {
  const { find, check, setChecked, log } = sweep;
  const endAt = Date.now() + MAX_DURATION_MS;
  for (;;) {
    const rows = await find(BATCH);
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      if (Date.now() > endAt) return;
      await Promise.all(rows.slice(from, from + AT_ONCE).map(checkRow));
    }
    if (rows.length < BATCH) return;
  }

  async function checkRow(row: T): Promise<void> {
    try {
      await check(row);
    } catch (err) {
      if (isDatabaseUnavailable(err) || isTemporalUnavailable(err)) throw err;
      log.error({ err, id: row.id }, 'a sweep could not check a row');
    }
    await setChecked(row);
  }
}
