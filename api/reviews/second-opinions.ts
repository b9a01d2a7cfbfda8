/** The opinion of a second person about a reviewed session, and the decision where both differ. */
import { errorAt } from '../../contract/errors/field-errors.ts';
import { areEqualValues } from '../../contract/fields/equal-values.ts';
import { markAnswers, withScoredAnswers } from '../../contract/reviews/mark-answers.ts';
import type { OpinionInput, SecondOpinion } from '../../contract/reviews/second-opinions.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { SecondOpinionModel } from '../../db/models/second-opinion.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid, refusal } from '../errors.ts';
import { requireTextQuota } from '../runs/store-and-start.ts';
import { changeReview, lockSession, type ReviewDeps } from './change-review.ts';
import { mayDecide, readAnswers, requireSmall, type Reviewer } from './reviews.ts';

interface OfSession {
  workspaceId: string;
  id: string;
}

const NONE = { first: null, second: null, differing: [], decided_by: null };

export function presentSecondOpinion(session_id: string, row: SecondOpinionModel | undefined): SecondOpinion {
  const { first, second, differing, decided_by } = row ?? NONE;
  return { session_id, first, second, differing, decided_by };
}

/** Stores a second opinion. A repeated request of the same person changes nothing. */
export async function putSecondOpinion(
  deps: Pick<ApiDeps, 'config'>,
  { workspaceId, id }: OfSession,
  { reviewed_by, person }: Reviewer,
  { sampled, ...input }: OpinionInput,
): Promise<SecondOpinion> {
  requireSmall(input);
  await requireTextQuota(deps, workspaceId);
  return SessionModel.transaction(async (trx) => {
    const session = await lockSession(workspaceId, id, trx);
    const review = await SessionReviewModel.query(trx).findById(id);
    if (!review) throw refusal('not_reviewed');
    const given = await SecondOpinionModel.query(trx).findById(id);
    if (given?.second.reviewed_by === reviewed_by) return presentSecondOpinion(id, given);
    if (given) throw refusal('second_opinion_given');
    const firstPerson = await ApiKeyModel.findPerson(review.reviewed_by, trx);
    if (review.reviewed_by === reviewed_by || (person !== null && firstPerson === person)) throw refusal('own_review');
    const answers = readAnswers(session, input);
    const both = (session.assistant.fields ?? []).flatMap(({ name, type }) => {
      if (!Object.hasOwn(answers, name) || !Object.hasOwn(review.answers, name)) return [];
      const same = areEqualValues(type, answers[name] ?? null, review.answers[name] ?? null);
      return [[name, { type, same }] as const];
    });
    const first = { answers: review.answers, unsure: review.unsure, reviewed_by: review.reviewed_by };
    const row = await SecondOpinionModel.query(trx)
      .insert({
        session_id: id,
        workspace_id: workspaceId,
        first: { ...first, reviewed_at: review.reviewed_at.toISOString() },
        second: { answers, unsure: input.unsure, reviewed_by, reviewed_at: new Date().toISOString() },
        sampled: sampled && review.sampled,
        agreement: Object.fromEntries(both),
        differing: both.flatMap(([name, { same }]) => (same ? [] : [name])),
        decided_by: null,
      })
      .returning('*');
    return presentSecondOpinion(id, row);
  });
}

/** Makes the chosen answers those of the review. */
export function decideSecondOpinion(
  deps: ReviewDeps,
  of: OfSession,
  reviewer: Reviewer,
  chosen: Record<string, 'first' | 'second'>,
): Promise<SecondOpinion> {
  return changeReview(deps, of, async (session, review, trx) => {
    const { id } = session;
    const opinion = await SecondOpinionModel.query(trx).findById(id);
    if (!opinion || !review || opinion.differing.length === 0 || opinion.decided_by !== null)
      throw refusal('nothing_to_decide');
    if (!mayDecide(opinion, reviewer)) throw refusal('only_reviewers');
    const { differing } = opinion;
    const errors = [
      ...differing.filter((name) => !Object.hasOwn(chosen, name)).map((name) => errorAt(`answers.${name}`, 'required')),
      ...Object.keys(chosen)
        .filter((name) => !differing.includes(name))
        .map((name) => errorAt(`answers.${name}`, 'unknown_field')),
    ];
    if (errors.length > 0) throw invalid(...errors);
    const won = differing.map((name) => [name, opinion[chosen[name] ?? 'first'].answers[name] ?? null] as const);
    const answers = withScoredAnswers(session, { ...review.answers, ...Object.fromEntries(won) });
    const unsure = review.unsure.filter((name) => !differing.includes(name));
    const { session_id, workspace_id, assistant_id, version, day, sampled, summary_text, note, turn_notes } = review;
    const kept = { session_id, workspace_id, assistant_id, version, day, sampled, summary_text, note, turn_notes };
    const decided_by = reviewer.reviewed_by;
    const given = { answers, unsure, marks: markAnswers(session, answers, unsure), reviewed_by: decided_by };
    await SessionReviewModel.replace(review, { ...kept, ...given }, trx);
    return presentSecondOpinion(id, await opinion.$query(trx).patchAndFetch({ decided_by }));
  });
}
