import type { BatchComparisonItem, FieldChange, FieldComparison } from '../../contract/sessions/batch-comparison.ts';
import { BatchSchema, BatchSummarySchema } from '../../contract/sessions/batches.ts';
import type { BatchModel } from '../../db/models/batch.ts';
import type { ComparedPair, ComparedRow } from '../../db/queries/compare-batch.ts';
import { presentRow } from '../http/handle.ts';

export const presentBatch = (row: BatchModel) => presentRow(BatchSchema, addCounts(row));

/** Returns a batch as an item of a list. */
export const summarizeBatch = (row: BatchModel) => presentRow(BatchSummarySchema, addCounts(row));

/** Adds the counts that are not stored. All counts are those of the last step, which are some seconds old at most. */
function addCounts(row: BatchModel) {
  const { id: batch_id, total, begun, completed, failed, canceled } = row;
  // Failed sessions may match the filter again.
  return { ...row, batch_id, remaining: Math.max(0, total - begun), running: begun - completed - failed - canceled };
}

/** Returns a session, its reanalysis, and the fields of both. */
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
  // Values are texts, numbers, booleans and lists of texts, so equal values have equal JSON.
  if (JSON.stringify(before) === JSON.stringify(after)) return 'same';
  if (before === null) return 'gained';
  return after === null ? 'lost' : 'changed';
}
