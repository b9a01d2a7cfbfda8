/** Returns the value of a field. Own properties only, because a field may be named `constructor`. */
export const fieldValueOf = <V>(values: Readonly<Record<string, V>>, name: string): V | null =>
  Object.hasOwn(values, name) ? (values[name] ?? null) : null;
