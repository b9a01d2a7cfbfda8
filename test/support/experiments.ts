/** Reanalysis batches over reviewed sessions, without provider calls. */
import type { FieldValue } from '../../contract/fields/result-fields.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { BatchModel } from '../../db/models/batch.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { send } from './api.ts';
import { createAnswered, createBatch } from './factories.ts';

export type Values = Record<string, FieldValue | null>;

/** A session with its review, and its reanalysis. */
export interface MadePair {
  before: Values;
  after: Values;
  right: Values;
  sampled?: boolean;
  /** Of the reanalysis. */
  fields?: Partial<SessionModel>;
  /** Of the original session. */
  source?: Partial<SessionModel>;
}

/** Returns the ID of the batch. */
export async function createExperiment(
  api: { url: string },
  { token, assistant }: { token: string; assistant: AssistantModel },
  pairs: readonly MadePair[],
  batch: Partial<BatchModel> = {},
): Promise<string> {
  const filter = { assistant_id: assistant.id, review: 'sampled' as const };
  const row = { action: 'reanalyze', filter, completed: pairs.length, settings: assistant.freeze(), ...batch } as const;
  const { id } = await createBatch(assistant.workspace_id, row);
  for (const { before, after, right, sampled = true, fields, source: given } of pairs) {
    const source = await createAnswered(assistant, before, given);
    const review = { params: { id: source.id }, body: { answers: right, sampled } };
    await send(api, 'putSessionReview', { token, ...review });
    const { id: session_id } = await createAnswered(assistant, after, {
      source_session_id: source.id,
      batch_id: id,
      ...fields,
    });
    const item = { batch_id: id, source_session_id: source.id, session_id, outcome: 'completed' };
    await BatchModel.knex()('batch_items').insert(item);
  }
  return id;
}
