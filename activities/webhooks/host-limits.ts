/** Bounds how many webhook attempts this process makes at once, so that no receiver takes what others need. */

export interface HostLimitsOptions {
  /** Attempts in flight to one host. */
  perHost: number;
  /** Attempts in flight to all of them. */
  total: number;
  /** Clock in milliseconds. */
  now?: () => number;
}

export interface HostLimits {
  /** Takes a place, to be left once; or says after how many milliseconds to ask again. */
  enter(host: string): { leave: () => void } | { wait_ms: number };
}

interface Host {
  /** When each attempt that is under way began, the oldest first. */
  inFlight: Set<{ readonly began: number }>;
  /** How long its attempts take, recent ones counting most. */
  meanMs: number;
  /** The place in time that was promised last. */
  promisedAt: number;
}

const MIN_WAIT_MS = 1_000;
/** A receiver that recovers waits no longer than this for what it missed. */
const MAX_WAIT_MS = 60_000;
/** Of a host that nothing is known of: a burst for one that is well is soon over. */
const FIRST_MEAN_MS = 100;
const WEIGHT = 0.3;

export function createHostLimits({ perHost, total, now = () => performance.now() }: HostLimitsOptions): HostLimits {
  const hosts = new Map<string, Host>();
  let inFlight = 0;

  return {
    enter(name) {
      const host = hosts.get(name) ?? { inFlight: new Set(), meanMs: FIRST_MEAN_MS, promisedAt: 0 };
      hosts.set(name, host);
      if (host.inFlight.size >= perHost) return { wait_ms: promise(host) };
      if (inFlight >= total) return { wait_ms: MIN_WAIT_MS };
      const attempt = { began: now() };
      host.inFlight.add(attempt);
      inFlight += 1;
      return {
        leave() {
          host.inFlight.delete(attempt);
          inFlight -= 1;
          host.meanMs += WEIGHT * (now() - attempt.began - host.meanMs);
          if (host.inFlight.size === 0 && host.promisedAt <= now()) hosts.delete(name);
        },
      };
    },
  };

  /** Those who are sent away come back one by one, as places get free, instead of all at once and again and again. */
  function promise(host: Host): number {
    const present = now();
    const [oldest] = host.inFlight;
    const expectedMs = Math.max(host.meanMs, present - (oldest?.began ?? present));
    const next = Math.max(host.promisedAt, present) + expectedMs / perHost;
    host.promisedAt = Math.min(Math.max(next, present + MIN_WAIT_MS), present + MAX_WAIT_MS);
    return Math.round(host.promisedAt - present);
  }
}
