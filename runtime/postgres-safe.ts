/** Makes received text and JSON storable in PostgreSQL. */

/** Maximum nesting of JSON that is returned, logged or stored. `JSON.stringify` overflows the stack near 5,000. */
export const MAX_JSON_DEPTH = 32;

/** Replaces NUL and unpaired surrogates with U+FFFD. */
export function postgresSafeText(value: string): string {
  return value.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** Returns a storable copy. Numbers that JSON can't represent become null. Check the depth first. */
export function postgresSafeJson(value: unknown): unknown {
  if (typeof value === 'string') return postgresSafeText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(postgresSafeJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [postgresSafeText(key), postgresSafeJson(item)]),
  );
}

/** Works without recursion, so deep nesting can't overflow the stack. */
export function isDeeperThan(value: unknown, maxDepth: number): boolean {
  const pending: { item: unknown; depth: number }[] = [{ item: value, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { item, depth } = next;
    if (typeof item !== 'object' || item === null) continue;
    if (depth > maxDepth) return true;
    for (const child of Object.values(item)) pending.push({ item: child, depth: depth + 1 });
  }
  return false;
}
