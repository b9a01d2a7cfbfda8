/** The `Prefer` header: `respond-async` and `wait=N`. RFC 7240. */

export interface Preference {
  /** How long to wait for the result, in milliseconds. */
  waitMs: number;
  /** Value of `Preference-Applied`; undefined if nothing was asked for. */
  applied: string | undefined;
}

/** Preferences that are unknown or malformed are ignored, as the RFC wants. @param boundMs the server's own bound. */
export function readPreference(header: string | string[] | undefined, boundMs: number): Preference {
  const tokens = [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((token) => token.trim().toLowerCase());
  if (tokens.includes('respond-async')) return { waitMs: 0, applied: 'respond-async' };
  const seconds = tokens
    .map((token) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(token)?.[1])
    .find((value) => value !== undefined);
  if (seconds === undefined) return { waitMs: boundMs, applied: undefined };
  const waitMs = Math.min(Number(seconds) * 1_000, boundMs);
  return { waitMs, applied: `wait=${waitMs / 1_000}` };
}
