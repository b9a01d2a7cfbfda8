/** Search parameters of a page: typed, and free of what a hand-written URL may hold. What is not set is not there. */

type Raw = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns the parameter if it is one of the values. */
export function oneOf<const T extends string>(raw: Raw, name: string, values: readonly T[]): T | undefined {
  const value = raw[name];
  return values.find((each) => each === value);
}

export function textOf(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  return isText(value) ? value : undefined;
}

/** Returns the parameter if it is a moment that a Date can hold. */
export function momentOf(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  return isText(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

export function numberOf(raw: Raw, name: string): number | undefined {
  const value = raw[name];
  return isText(value) && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

/** Drops what is undefined, so that it does not show in the URL. */
export function clean<T extends Raw>(search: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Reads a query string in the router's form: plain text, nothing quoted; of a name that is there several times, all. */
export function parseQuery(query: string): Raw {
  const all = new URLSearchParams(query);
  return Object.fromEntries([...new Set(all.keys())].map((name) => [name, oneOrAll(all.getAll(name))]));
}

const oneOrAll = (values: string[]) => (values.length === 1 ? values[0] : values);

export function printQuery(search: Raw): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each] as const),
  );
  const set = entries.filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}
