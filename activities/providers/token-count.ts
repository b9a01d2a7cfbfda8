import type { CallUsage } from '../../runtime/prices/call-usage.ts';

/** Returns a count that a provider reported; undefined if it is missing, negative, fractional or absurdly large. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e9 ? value : undefined;
}

/** Returns the counts of cached tokens that a provider reported, without zero and unusable ones. */
export function cacheUsage(
  read: unknown,
  written?: unknown,
): Pick<CallUsage, 'cache_read_tokens' | 'cache_write_tokens'> {
  const [cache_read_tokens, cache_write_tokens] = [tokenCount(read), tokenCount(written)];
  return { ...(cache_read_tokens && { cache_read_tokens }), ...(cache_write_tokens && { cache_write_tokens }) };
}
