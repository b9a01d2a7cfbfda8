/** Returns a count as a vendor reported it; undefined if it is missing, negative, fractional or absurdly large. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e9 ? value : undefined;
}
