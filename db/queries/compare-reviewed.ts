/** Reads the reviewed sessions of a reanalysis batch with their reviews. */
import type { FieldValue } from '../../contract/fields/result-fields.ts';
import type { BatchModel } from '../models/batch.ts';
import { SAMPLE } from './compare-batch.ts';
import { readRows } from '../statements.ts';

type Values = Record<string, FieldValue | null>;

/** A reviewed session and its reanalysis, without values. */
interface ListedPair {
  source_session_id: string;
  session_id: string;
  sampled: boolean;
  /** Whether a fallback provider gave the new values. */
  by_fallback: boolean;
  /** Whether a fallback provider gave the former values. */
  was_by_fallback: boolean;
}

/** The values of a session before and after, and the right ones. */
export interface ReviewedValues {
  answers: Values;
  sampled: boolean;
  before: Values | null;
  after: Values | null;
  /** Names of the fields with which both settings ask the same question. */
  same: string[];
}

export type ReviewedPair = ReviewedValues & { source_session_id: string };

/** Returns the condition that a fallback provider analyzed the session. */
export const isFallback = (session: string) => `coalesce(${session}.answered_by @> '[{"step": "analysis"}]', false)`;

/** Returns the condition that a review counts in the sample. A recording without speech has values that no model gave. */
export const isSampled = (session: string) => `(review.sampled and ${session}.turn_count is distinct from 0)`;

/** Returns the reviewed pairs of a batch, or a random part of them. Pairs of the random sample come first. */
export async function listReviewedPairs({ id }: BatchModel): Promise<{ listed: ListedPair[]; is_sample: boolean }> {
  const rows = await readRows<ListedPair[]>(
    `select item.source_session_id, item.session_id, ${isSampled('before')} as sampled,
       ${isFallback('after')} as by_fallback, ${isFallback('before')} as was_by_fallback
     from batch_items item
     join session_reviews review on review.session_id = item.source_session_id
     join sessions before on before.id = item.source_session_id
     join sessions after on after.id = item.session_id and after.status = 'completed'
     where item.batch_id = ? and item.outcome = 'completed'
     order by sampled desc, hashtext(item.source_session_id) limit ?`,
    [id, SAMPLE + 1],
  );
  return { listed: rows.slice(0, SAMPLE), is_sample: rows.length > SAMPLE };
}

/** Pairs in memory at once: each has up to 1 MB. */
const AT_ONCE = 20;

/** Yields the pairs with their values. A session that was deleted meanwhile is left out. */
export async function* readPairs(
  listed: readonly Pick<ListedPair, 'source_session_id' | 'session_id'>[],
): AsyncGenerator<ReviewedPair, undefined> {
  for (let at = 0; at < listed.length; at += AT_ONCE) {
    const part = listed.slice(at, at + AT_ONCE);
    const rows = await readRows<ReviewedPair[]>(VALUES, [
      part.map((pair) => pair.source_session_id),
      part.map((pair) => pair.session_id),
    ]);
    yield* rows;
  }
}

/** A question consists of what the model reads, a score of its points. The lax path makes no row of settings without fields. */
const VALUES = `select pair.before_id as source_session_id, review.answers, ${isSampled('before')} as sampled, before.raw_response -> 'fields' as before, after.raw_response -> 'fields' as after,
    array(select asked ->> 'name' from jsonb_path_query(before.assistant, '$.fields[*]') asked
      join jsonb_path_query(after.assistant, '$.fields[*]') question
        on (question ->> 'name', question -> 'type', question -> 'description', coalesce(question -> 'options', question -> 'of', 'null'))
         = (asked ->> 'name', asked -> 'type', asked -> 'description', coalesce(asked -> 'options', asked -> 'of', 'null'))) as same
  from unnest(?::text[], ?::text[]) pair (before_id, after_id)
  join session_reviews review on review.session_id = pair.before_id
  join sessions before on before.id = pair.before_id
  join sessions after on after.id = pair.after_id`;

/** Counts the batches that reanalyzed any of these sessions, itself included. */
export async function countTests(workspaceId: string, listed: readonly ListedPair[]): Promise<number> {
  const rows = await readRows<[{ tests: number }]>(
    `select count(*)::int as tests from batches batch
     where workspace_id = ? and action = 'reanalyze' and exists (
       select from unnest(?::text[]) source (id)
       join batch_items item on item.batch_id = batch.id and item.source_session_id = source.id and item.outcome = 'completed')`,
    [workspaceId, listed.map((pair) => pair.source_session_id)],
  );
  return rows[0].tests;
}
