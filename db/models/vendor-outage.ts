import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import type { ProviderName, VendorFault } from '../../contract/constants.ts';
import { inMs } from '../clock.ts';

/** Seconds between probes: 15, 30, 60 … up to the longest. */
const FIRST_PAUSE_S = 15;
const LONGEST_PAUSE_S = 300;

/** Seconds between probes of a vendor that the account has no credit with. */
const QUOTA_PAUSE_S = 900;

/** How long one session has the sole right to probe. A call that takes longer may see a second one. */
const PROBE_MS = 3 * 60_000;

/** One row of `vendor_outages`: a vendor that is away. */
export class VendorOutageModel extends Model {
  static override tableName = 'vendor_outages';
  static override idColumn = 'provider';
  declare provider: ProviderName;
  /** The fault that the vendor was found with. */
  declare reason: VendorFault;
  declare since: Date;
  declare next_probe_at: Date;
  /** Number of probes that failed. */
  declare probes: number;
  /** The session whose call is the probe; null between probes. */
  declare probe_session: string | null;
  declare probe_until: Date | null;

  /** Notes that a vendor is away; of several sessions that find it so, the first one counts. */
  static async begin(provider: ProviderName, reason: VendorFault, trx?: TransactionOrKnex): Promise<void> {
    await VendorOutageModel.query(trx)
      .insert({ provider, reason, next_probe_at: VendorOutageModel.raw(PAUSE_FROM_NOW, [reason, 0]) as never })
      .onConflict('provider')
      .ignore();
  }

  static find(provider: ProviderName) {
    return VendorOutageModel.query().findById(provider);
  }

  /** Finds outages whose next probe is due. */
  static findDue() {
    return VendorOutageModel.query().whereRaw(IS_DUE);
  }

  /** Returns whether the session's call is the next probe. Of all that ask, one has that right at a time. */
  static async takeProbe(provider: ProviderName, sessionId: string): Promise<boolean> {
    const count = await VendorOutageModel.query()
      .patch({ probe_session: sessionId, probe_until: inMs(PROBE_MS) })
      .where({ provider })
      .where((row) => row.where({ probe_session: sessionId }).orWhereRaw(IS_DUE));
    return count === 1;
  }

  /** Ends a probe that failed: the next one comes after a longer pause. */
  static async endProbe(provider: ProviderName, sessionId: string): Promise<void> {
    await VendorOutageModel.query()
      .patch({
        probes: VendorOutageModel.raw('probes + 1') as never,
        next_probe_at: VendorOutageModel.raw(PAUSE_FROM_NOW, [
          VendorOutageModel.raw('reason'),
          VendorOutageModel.raw('probes + 1'),
        ]) as never,
        ...NO_PROBE,
      })
      .where({ provider, probe_session: sessionId });
  }

  /** Gives the right to probe back: the call told nothing of the vendor. */
  static async dropProbe(provider: ProviderName, sessionId: string): Promise<void> {
    await VendorOutageModel.query().patch(NO_PROBE).where({ provider, probe_session: sessionId });
  }

  static async end(provider: ProviderName, trx: TransactionOrKnex): Promise<void> {
    await VendorOutageModel.query(trx).deleteById(provider);
  }
}

const NO_PROBE = { probe_session: null, probe_until: null };

const IS_DUE = 'next_probe_at <= now() and coalesce(probe_until, now()) <= now()';

/** The time of the next probe of a vendor with this fault, after so many that failed. */
const PAUSE_FROM_NOW = `now() + interval '1 second' * case ? when 'quota_exceeded' then ${QUOTA_PAUSE_S}
  else least(${LONGEST_PAUSE_S}, ${FIRST_PAUSE_S} * 2 ^ least(?, 10)) end`;
