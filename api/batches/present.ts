import { BatchSchema, BatchSummarySchema, type Batch } from '../../contract/sessions/batches.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { BatchModel } from '../../db/models/batch.ts';
import { countOwnReceivers } from '../../db/queries/batch-deliveries.ts';
import { findDifferent } from '../assistants/settings.ts';
import { presentRow } from '../http/handle.ts';

export async function presentBatch(row: BatchModel): Promise<Batch> {
  const receivers = row.action === 'redeliver' ? await countOwnReceivers(row.id) : null;
  return presentRow(BatchSchema, { ...addCounts(row), differs: differsFrom(row, await findTested([row])), receivers });
}

/** Returns the assistants that the reanalyses among the batches belong to, by ID. */
export async function findTested(rows: readonly BatchModel[]): Promise<Map<string, AssistantModel>> {
  const ids = rows.flatMap(({ settings }) => settings?.id ?? []);
  const found = ids.length === 0 ? [] : await AssistantModel.query().findByIds(ids).whereNull('deleted_at');
  return new Map(found.map((assistant) => [assistant.id, assistant]));
}

/** Returns a batch as an item of a list. */
export const summarizeBatch = (row: BatchModel, assistants: Map<string, AssistantModel>) =>
  presentRow(BatchSummarySchema, { ...addCounts(row), differs: differsFrom(row, assistants) });

function differsFrom({ settings }: BatchModel, assistants: Map<string, AssistantModel>): Batch['differs'] {
  const assistant = assistants.get(settings?.id ?? '');
  return settings && assistant ? findDifferent(settings, assistant) : null;
}

/** Adds the counts that are not stored. All counts are those of the last step, which are some seconds old at most. */
function addCounts(row: BatchModel) {
  const { id: batch_id, total, begun, completed, failed, canceled, settings } = row;
  // Failed sessions may match the filter again.
  return {
    ...row,
    batch_id,
    economy: settings?.economy,
    assistant_id: row.action === 'analyze' ? settings?.id : undefined,
    remaining: Math.max(0, total - begun),
    running: begun - completed - failed - canceled,
  };
}
