import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { SessionStatus } from '../contract/constants.ts';
import { showStatus } from './search-attributes.ts';
import { slotFreeSignal } from './signals.ts';

/** A signal ends the wait; asking again is for one that was lost. Growing, so that a long queue asks seldom. */
const FIRST_RECHECK_MS = 30_000;
const MAX_RECHECK_MS = 600_000;

const SUMMARY = 'waiting for a free slot of this user';

/** Asks for the step until it is the session's turn: `queued` means that its owner has enough sessions in flight. */
export async function waitForSlot<T extends { status: string }>(
  stepStatus: SessionStatus,
  ask: () => Promise<T>,
): Promise<T> {
  let isCalled = false;
  setHandler(slotFreeSignal, () => void (isCalled = true));
  for (let recheckMs = FIRST_RECHECK_MS; ; recheckMs = Math.min(recheckMs * 2, MAX_RECHECK_MS)) {
    const outcome = await ask();
    if (outcome.status !== 'queued') return outcome;
    if (!isCalled) {
      showStatus({ SessionStatus: 'queued' });
      setCurrentDetails(`It is ${SUMMARY}.`);
      await condition(() => isCalled, recheckMs, { summary: SUMMARY });
      showStatus({ SessionStatus: stepStatus });
      setCurrentDetails('');
    }
    isCalled = false;
  }
}
