/** Sums amounts by key and in total. A key with 0 takes no memory. */
interface Tally {
  add(key: string, amount: number): void;
  of(key: string): number;
  ofAll(): number;
}

export function createTally(): Tally {
  const held = new Map<string, number>();
  let heldByAll = 0;
  return {
    add(key, amount) {
      heldByAll += amount;
      const left = (held.get(key) ?? 0) + amount;
      if (left > 0) held.set(key, left);
      else held.delete(key);
    },
    of: (key) => held.get(key) ?? 0,
    ofAll: () => heldByAll,
  };
}
