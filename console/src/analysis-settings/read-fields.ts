/** From the inputs of the form's fields to what the API takes. */
import type { FieldType } from '../../../contract/constants.ts';
import type { ResultField } from '../../../contract/result-fields.ts';

/** Returns the fields in the order of their rows; null for none. @param prefix what the names of their inputs begin with. */
export function readFields(values: Record<string, string>, prefix = ''): ResultField[] | null {
  const rows = new Map<number, Record<string, string>>();
  for (const [path, text] of Object.entries(values)) {
    const [, index, key] = (path.startsWith(prefix) && /^fields\.(\d+)\.(\w+)$/.exec(path.slice(prefix.length))) || [];
    if (index === undefined || key === undefined) continue;
    rows.set(Number(index), { ...rows.get(Number(index)), [key]: text });
  }
  const fields = [...rows].sort(([a], [b]) => a - b).map(([, row]) => readRow(row));
  return fields.length > 0 ? fields : null;
}

/** An input that is not in the form, such as a box that is not ticked, has no text. */
function readRow({
  name = '',
  type = '',
  description = '',
  options,
  minimum,
  maximum,
  evidence,
}: Record<string, string>) {
  return inOrder({
    ...{ name, type: type as FieldType, description, evidence: evidence !== undefined },
    ...(options !== undefined && {
      options: options
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    }),
    ...(minimum && { minimum: Number(minimum) }),
    ...(maximum && { maximum: Number(maximum) }),
  });
}

/** Returns whether the fields ask the same in the same order. */
export function areSame(some: readonly ResultField[] | null, others: readonly ResultField[] | null): boolean {
  const print = (fields: typeof some) => JSON.stringify((fields ?? []).map(inOrder));
  return print(some) === print(others);
}

/** The database does not keep the order of keys. */
function inOrder({ name, type, description, options, minimum, maximum, evidence }: ResultField): ResultField {
  return {
    ...{ name, type, description, evidence },
    ...(options && { options }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}
