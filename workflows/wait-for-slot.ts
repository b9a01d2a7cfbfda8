import { condition, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { SessionStatus } from '../contract/constants.ts';
import { isRunLong } from './continue-run.ts';
import { showStatus } from './search-attributes.ts';
import { slotFreeSignal } from './signals.ts';

/** A signal ends the wait; asking again is for one that was lost. Growing, so that a long queue asks seldom. */
const FIRST_RECHECK_MS = 30_000;
const MAX_RECHECK_MS = 600_000;

/** The first signal is heeded at once; who is refused all the same asks no sooner than after this time, growing. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

const SUMMARY = 'waiting for a free slot of this user, or for a vendor that is away';

export interface SlotWait<T> {
  /** What the session does once it has a slot. */
  status: SessionStatus;
  /** Asks for a slot and does the step; `queued`: the session's owner has enough in flight. */
  ask: () => Promise<T>;
  /** Asks that were refused in earlier runs. */
  refused?: number | undefined;
  /** Goes on in a new run, which is told of the asks that were refused so far. */
  goOn: (refused: number) => Promise<never>;
}

/** Asks for the step until its session gets a slot. */
export async function waitForSlot<T extends { status: string }>(wait: SlotWait<T>): Promise<T> {
  let isWoken = false;
  let shown = wait.status;
  const show = (status: SessionStatus) => status !== shown && showStatus({ SessionStatus: (shown = status) });
  setHandler(slotFreeSignal, () => void (isWoken = true));
  for (let asks = 1, refused = wait.refused ?? 0; ; asks++) {
    const outcome = await wait.ask();
    if (outcome.status !== 'queued') return outcome;
    refused += 1;
    const refusedAt = Date.now();
    show('queued');
    setCurrentDetails(`It is ${SUMMARY}.`);
    await condition(() => isWoken, grow(FIRST_RECHECK_MS, refused, MAX_RECHECK_MS), { summary: SUMMARY });
    const pauseMs = refused === 1 ? 0 : grow(FIRST_PAUSE_MS, refused - 1, MAX_PAUSE_MS);
    const leftMs = refusedAt + pauseMs - Date.now();
    if (leftMs > 0) await sleep(leftMs, { summary: 'asked a moment ago' });
    if (isRunLong(asks)) return wait.goOn(refused);
    // Who asks by itself is likely to be refused again.
    if (isWoken) show(wait.status);
    isWoken = false;
    setCurrentDetails('');
  }
}

const grow = (firstMs: number, times: number, maxMs: number) => Math.min(firstMs * 2 ** Math.min(times - 1, 30), maxMs);
