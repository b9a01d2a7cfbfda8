/** Parses search parameters. Invalid values are ignored. */

type Raw = Record<string, unknown>;

/** Returns the parameter if it is one of the values. */
export function oneOf<const T extends string>(raw: Raw, name: string, values: readonly T[]): T | undefined {
  const value = raw[name];
  return values.find((each) => each === value);
}

export function textOf(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns all values of a repeated parameter; undefined without one. */
export function textsOf(raw: Raw, name: string): string[] | undefined {
  const values = [raw[name]].flat().filter((value) => typeof value === 'string' && value !== '');
  return values.length === 0 ? undefined : (values as string[]);
}

/** Returns the parameter if it is a valid date. */
export function momentOf(raw: Raw, name: string): string | undefined {
  const value = textOf(raw, name);
  return Number.isNaN(Date.parse(value ?? '')) ? undefined : value;
}

export function numberOf(raw: Raw, name: string): number | undefined {
  // The router also passes values that are already parsed.
  const value = typeof raw[name] === 'number' ? raw[name] : Number(textOf(raw, name) ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** Removes undefined parameters, which would appear in the URL. */
export const clean = <T extends Raw>(search: T) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Parses a query string without the router's JSON quoting. The value of a repeated name is an array. */
export function parseQuery(query: string): Raw {
  const byName = Map.groupBy(new URLSearchParams(query), ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, pairs]) => [name, pairs.length === 1 ? pairs[0]?.[1] : pairs.map(([, value]) => value)]),
  );
}

export function printQuery(search: Raw): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const values = [value as string | number | string[] | undefined].flat();
    for (const each of values) if (each !== undefined && each !== '') query.append(name, String(each));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}
