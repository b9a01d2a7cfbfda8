/** Reads the reviewed sessions of a reanalysis batch with their reviews. */
import type { FieldValue, ResultField } from '../../contract/fields/result-fields.ts';
import type { BatchModel } from '../models/batch.ts';
import { SessionModel } from '../models/session.ts';
import { SAMPLE } from './compare-batch.ts';

type Values = Record<string, FieldValue | null>;

/** The values of a session before and after, and the right ones. */
export interface ReviewedPair {
  answers: Values;
  sampled: boolean;
  before: Values | null;
  after: Values | null;
  /** Whether a fallback provider gave the new answer. */
  fallback: boolean;
}

/** The fields of the settings before and after. Each combination is listed once. */
export interface QuestionPair {
  before: ResultField[] | null;
  after: ResultField[] | null;
}

interface ReviewedPairs {
  pairs: ReviewedPair[];
  questions: QuestionPair[];
  is_sample: boolean;
}

/** Returns the reviewed pairs of a batch, or an even sample of them. */
export async function findReviewedPairs({ id, completed }: BatchModel): Promise<ReviewedPairs> {
  const everyNth = Math.max(1, Math.ceil(completed / SAMPLE));
  const read = async <R>(columns: string): Promise<R[]> => {
    const { rows } = await SessionModel.knex().raw<{ rows: R[] }>(`select ${columns} ${PAIRS}`, { id, everyNth });
    return rows;
  };
  const [pairs, questions] = await Promise.all([
    read<ReviewedPair>(`review.answers, review.sampled, before.raw_response -> 'fields' as before,
      after.raw_response -> 'fields' as after, after.answered_by is not null as fallback`),
    read<QuestionPair>(`distinct before.assistant -> 'fields' as before, after.assistant -> 'fields' as after`),
  ]);
  return { pairs, questions, is_sample: everyNth > 1 };
}

const PAIRS = `from batch_items item
  join session_reviews review on review.session_id = item.source_session_id
  join sessions before on before.id = item.source_session_id
  join sessions after on after.id = item.session_id and after.status = 'completed'
  where item.batch_id = :id and item.outcome = 'completed' and mod(hashtext(item.source_session_id), :everyNth) = 0`;

/** Counts the batches that reanalyzed reviewed sessions of an assistant in the last 30 days. */
export async function countTests(workspaceId: string, assistantId: string): Promise<number> {
  const { rows } = await SessionModel.knex().raw<{ rows: [{ tests: number }] }>(
    `select count(*)::int as tests from batches
     where workspace_id = ? and action = 'reanalyze' and created_at > now() - interval '30 days'
       and filter ->> 'assistant_id' = ? and filter -> 'review' is not null`,
    [workspaceId, assistantId],
  );
  return rows[0].tests;
}
