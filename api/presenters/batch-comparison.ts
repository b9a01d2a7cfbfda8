import type { BatchComparisonItem, FieldChange, FieldComparison } from '../../contract/batch-comparison.ts';
import type { ComparedPair, ComparedRow } from '../../db/queries/compare-batch.ts';

/** Shows a session beside the one that was made of it, with the fields of both. */
export function presentComparison({ before, after }: ComparedPair): BatchComparisonItem {
  const names = new Set([...Object.keys(before.fields ?? {}), ...Object.keys(after.fields ?? {})]);
  return {
    before: withoutFields(before),
    after: withoutFields(after),
    fields: [...names].sort().map((name) => compareField(name, before.fields?.[name], after.fields?.[name])),
  };
}

const withoutFields = ({ fields: _, ...session }: ComparedRow) => session;

function compareField(name: string, before: unknown = null, after: unknown = null): FieldComparison {
  return { name, before, after, change: changeOf(before, after) };
}

function changeOf(before: unknown, after: unknown): FieldChange {
  // Values are texts, numbers, booleans and lists of texts: as JSON, equal ones look the same.
  if (JSON.stringify(before) === JSON.stringify(after)) return 'same';
  if (before === null) return 'gained';
  return after === null ? 'lost' : 'changed';
}
