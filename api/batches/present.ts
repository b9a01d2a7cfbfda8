import type { BatchComparisonItem, FieldChange, FieldComparison } from '../../contract/batch-comparison.ts';
import type { Batch, BatchSummary } from '../../contract/batches.ts';
import type { BatchModel } from '../../db/models/batch.ts';
import type { ComparedPair, ComparedRow } from '../../db/queries/compare-batch.ts';

export const presentBatch = (row: BatchModel): Batch => ({ ...summarizeBatch(row), overrides: row.overrides });

/** Returns a batch as an item of a list. Its counts are those of its last step, which are some seconds old at most. */
export function summarizeBatch(row: BatchModel): BatchSummary {
  const { name, action, filter, assistant_version, notify, status, held_by, total, begun, ...rest } = row;
  const { completed, failed, canceled, cost_usd, max_cost_usd } = rest;
  return {
    batch_id: row.id,
    name,
    action,
    filter,
    assistant_version,
    notify,
    status,
    held_by,
    total,
    // Failed sessions may match the filter again.
    remaining: Math.max(0, total - begun),
    running: begun - completed - failed - canceled,
    completed,
    failed,
    canceled,
    cost_usd,
    max_cost_usd,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
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
