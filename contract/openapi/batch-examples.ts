import { fields } from './field-examples.ts';
import type { Batch, BatchEstimate, BatchInput } from '../batches.ts';
import type { BatchItem } from '../batch-items.ts';

const filter = { assistant_id: 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7', created_after: '2026-10-01T00:00:00.000Z' };

const overrides = { system_prompt: 'Was the operator polite?', fields };

const batchInput: Partial<BatchInput> = { action: 'reanalyze', filter, overrides, dry_run: false };

const batchEstimate: BatchEstimate = {
  ...{ dry_run: true, total: 10_000 },
  ...{ expected_cost_usd: 4.2, max_cost_usd: 11.6, sampled: true },
};

const batch: Batch = {
  batch_id: 'bat_01kaj4v5rzf1xtm8w3b2c9d0e7',
  ...{ action: 'reanalyze', filter },
  ...{ assistant_version: null, notify: false },
  ...{ status: 'running', held_by: null, max_cost_usd: 25 },
  ...{ total: 10_000, remaining: 7_475, running: 25, completed: 2_488, failed: 12, canceled: 0 },
  ...{ cost_usd: 1.04, created_at: '2026-11-21T10:00:00.000Z', ended_at: null },
};

const batchItem: BatchItem = {
  source_session_id: 'sess_01kaj4v5rzf1xtm8w3b2c9d0e7',
  session_id: 'sess_01kaj8m2t4e8ksr0q6y5v1n3ba',
  status: 'completed',
  error: null,
};

/** By the name of the schema. */
export const BATCH_BODIES: Record<string, unknown> = {
  ...{ Batch: batch, BatchEstimate: batchEstimate, BatchInput: batchInput },
  ...{ BatchItem: batchItem, BatchChange: { max_cost_usd: 50 } },
  ReanalysisInput: overrides,
};
