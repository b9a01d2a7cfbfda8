import type { ProviderName, VendorFault } from '../../contract/constants.ts';

/** So many sessions in a row that found the vendor away, and nobody whom it answered, show that it is away for all. */
const SESSIONS = 5;

/** A vendor of which nothing was heard for this long is looked at anew. */
const WITHIN_MS = 60_000;

/** How vendors answered of late, as the worker that holds this saw it. */
export interface VendorSilence {
  /** Notes how a call of a session ended; no fault: it was answered. */
  note(provider: ProviderName, sessionId: string, fault?: VendorFault): void;
  /** Returns whether the vendor answers nobody at present. */
  isSilent(provider: ProviderName): boolean;
}

/** Who refuses a request, or asks for patience, is there. */
const SILENT_FAULTS: readonly VendorFault[] = ['unavailable', 'timeout'];

export function createVendorSilence(now: () => number = Date.now): VendorSilence {
  const unanswered = new Map<ProviderName, { sessions: Set<string>; lastAt: number }>();
  const find = (provider: ProviderName) => {
    const found = unanswered.get(provider);
    return found && found.lastAt >= now() - WITHIN_MS ? found : undefined;
  };
  return {
    note(provider, sessionId, fault) {
      if (fault === undefined || !SILENT_FAULTS.includes(fault)) return void unanswered.delete(provider);
      const sessions = find(provider)?.sessions ?? new Set();
      // More than enough tell nothing more.
      if (sessions.size < SESSIONS) sessions.add(sessionId);
      unanswered.set(provider, { sessions, lastAt: now() });
    },
    isSilent: (provider) => find(provider)?.sessions.size === SESSIONS,
  };
}
