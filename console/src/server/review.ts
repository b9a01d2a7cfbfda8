/** The review of a session: the right answers that people give. */
import { queryOptions } from '@tanstack/react-query';
import { deleteSessionReview, getSessionReview, putSessionReview, type Review } from 'conversation-analysis-client';
import { getSessionReviewQueryKey } from 'conversation-analysis-client/react-query';
import type { FieldValue } from '../../../contract/fields/result-fields.ts';
import './client.ts';
import { toFailure } from './problem.ts';

/** A review with the entity tag of its state, which a change sends as `If-Match`. */
export interface ReviewState {
  review: Review;
  etag: string;
}

/** A person's answer to one question. */
export type Answer = { value: FieldValue | null } | 'unsure';

const stateOf = ({ data, response }: { data: Review; response: Response }): ReviewState => ({
  review: data,
  etag: response.headers.get('ETag') ?? '*',
});

export const readReview = async (id: string, signal?: AbortSignal) =>
  stateOf(await getSessionReview({ path: { id }, signal: signal ?? null, throwOnError: true }));

export const reviewState = (id: string) =>
  queryOptions({
    queryKey: [...getSessionReviewQueryKey({ path: { id } }), 'state'],
    queryFn: ({ signal }) => readReview(id, signal),
  });

/** Returns the answer of a review, or of a former state of it; undefined: the field was not reviewed. */
export function answerOf({ answers, unsure }: Pick<Review, 'answers' | 'unsure'>, name: string): Answer | undefined {
  if (unsure.includes(name)) return 'unsure';
  return Object.hasOwn(answers, name) ? { value: answers[name] ?? null } : undefined;
}

/** What a person says about a session. */
export type Draft = Pick<Review, 'answers' | 'unsure' | 'summary_text' | 'note' | 'turn_notes' | 'sampled'>;

/** Returns the draft with another answer to one question; undefined removes the answer. */
export function withAnswer(draft: Draft, name: string, answer: Answer | undefined): Draft {
  const { [name]: _, ...answers } = draft.answers;
  const unsure = draft.unsure.filter((each) => each !== name);
  if (answer === 'unsure') unsure.push(name);
  else if (answer) answers[name] = answer.value;
  return { ...draft, answers, unsure };
}

const MAX_TRIES = 5;

/** Changes a review. If somebody else changed it, reads it again and repeats this one change. */
export async function changeReview(
  state: ReviewState,
  change: (draft: Draft) => Draft,
  tries = MAX_TRIES,
): Promise<ReviewState> {
  try {
    return await storeReview(state, change(state.review));
  } catch (error) {
    if (toFailure(error).status !== 412 || tries === 1) throw error;
    return changeReview(await readReview(state.review.session_id), change, tries - 1);
  }
}

/** Replaces a review. Fails with 412 if somebody else changed it. */
export async function storeReview({ review, etag }: ReviewState, draft: Draft): Promise<ReviewState> {
  const { answers, unsure, summary_text, note, turn_notes, sampled } = draft;
  const call = { path: { id: review.session_id }, headers: { 'if-match': etag }, throwOnError: true } as const;
  const isEmpty = Object.keys(answers).length + unsure.length + turn_notes.length === 0 && !summary_text && !note;
  // The only answer was removed: the session was not reviewed.
  if (isEmpty && review.history.length === 0 && !sampled) {
    await deleteSessionReview(call);
    return readReview(review.session_id);
  }
  return stateOf(
    await putSessionReview({ ...call, body: { answers, unsure, summary_text, note, turn_notes, sampled } }),
  );
}

/** Returns who gave the answer, and when: the oldest state since which it has not changed. */
export function authorOf(review: Review, name: string): Pick<Review, 'reviewed_by' | 'reviewed_at'> {
  const answer = JSON.stringify(answerOf(review, name));
  const other = review.history.findIndex((state) => JSON.stringify(answerOf(state, name)) !== answer);
  const same = other === -1 ? review.history : review.history.slice(0, other);
  return same.at(-1) ?? review;
}
