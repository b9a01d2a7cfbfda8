/** What answered a call, if that may be something else than what was requested. */
export interface ServedBy {
  /** The model that the response names. */
  model: string | undefined;
  /** Factor of the list price, by tier and region; null: unknown. */
  factor: number | null;
}

/** @param told what a response says about its tier, region and speed, and the factor of each value. Without a value: 1. */
export function servedBy(model: unknown, ...told: [value: unknown, factors: Record<string, number>][]): ServedBy {
  const factors = told.map(([value, known]) => {
    if (value == null) return 1;
    return typeof value === 'string' ? known[value.toLowerCase()] : undefined;
  });
  const factor = factors.reduce<number>((product, each) => product * (each ?? Number.NaN), 1);
  return { model: typeof model === 'string' ? model : undefined, factor: Number.isNaN(factor) ? null : factor };
}
