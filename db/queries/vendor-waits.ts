/** Sessions that wait until a vendor is back: docs/decisions.md, "Vendor away". */
import type { ProviderName, VendorFault } from '../../contract/constants.ts';
import { inMs, now } from '../clock.ts';
import { SessionModel } from '../models/session.ts';
import { VendorOutageModel } from '../models/vendor-outage.ts';

/** When the sweep looks at a waiting session again: until then the probes call it. */
const CHECK_AFTER_MS = 20 * 60_000;

/**
 * Puts a session that found its vendor away back into the queue, without its slot. Returns false if the session has
 * ended meanwhile.
 */
export function waitForVendor(id: string, provider: ProviderName, reason: VendorFault): Promise<boolean> {
  return SessionModel.transaction(async (trx) => {
    await VendorOutageModel.begin(provider, reason, trx);
    const count = await SessionModel.query(trx)
      .patch({
        ...{ status: 'queued', waiting_for_provider: provider, waiting_reason: reason },
        waiting_since: SessionModel.raw('coalesce(waiting_since, now())') as never,
        check_after: inMs(CHECK_AFTER_MS),
      })
      .where({ id })
      .whereIn('status', ['transcribing', 'analyzing']);
    return count === 1;
  });
}

/** Lets a session that waits for a vendor go on. */
export async function resumeSession(id: string): Promise<void> {
  await SessionModel.query().patch({ waiting_for_provider: null, resumed_at: now() }).where({ id, status: 'queued' });
}

/** Ends an outage and lets all sessions that wait for the vendor go on, as their owners' slots allow. */
export async function endOutage(provider: ProviderName): Promise<void> {
  await SessionModel.transaction(async (trx) => {
    await VendorOutageModel.end(provider, trx);
    await SessionModel.query(trx)
      .patch({ waiting_for_provider: null, resumed_at: now(), waiting_for_slot: true, woken_at: null })
      .where({ waiting_for_provider: provider, status: 'queued' });
  });
}

/**
 * Finds the session that has waited longest for a vendor since it last asked it; undefined if none waits. So they take
 * turns: one whose own request the vendor never answers does not keep the others waiting.
 */
export function findLongestWaiting(provider: ProviderName) {
  return SessionModel.query()
    .select('id')
    .where({ waiting_for_provider: provider, status: 'queued' })
    .orderByRaw('greatest(waiting_since, resumed_at)')
    .first();
}
