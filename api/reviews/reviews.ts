import { FIELD_TYPE_FACTS, questionsOf } from '../../contract/fields/field-types.ts';
import { errorAt } from '../../contract/errors/field-errors.ts';
import { checkValue } from '../../contract/fields/check-value.ts';
import type { PropertyError } from '../../contract/errors/problem.ts';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import { markAnswers, withScoredAnswers } from '../../contract/reviews/mark-answers.ts';
import { getSessionReview, type Review, type ReviewInput } from '../../contract/reviews/reviews.ts';
import type { TransactionOrKnex } from 'objection';
import { SecondOpinionModel } from '../../db/models/second-opinion.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import { invalid, refusal } from '../errors.ts';
import { requireMatch } from '../http/handle.ts';
import { requireTextQuota } from '../runs/store-and-start.ts';
import { changeReview, presentReview, type ReviewDeps } from './change-review.ts';

/** The size of a review as JSON, in bytes. */
const MAX_REVIEW_BYTES = 65_536;

/** Who reviews. */
export interface Reviewer {
  /** ID of the user or API token. */
  reviewed_by: string;
  /** ID of the user: of a token, the one who created it; null: that user is deleted. */
  person: string | null;
  isOwner: boolean;
}

interface ReviewRequest {
  workspaceId: string;
  id: string;
  ifMatch: string | undefined;
}

/** Stores the review of a completed original. */
export async function putReview(
  deps: ReviewDeps,
  { workspaceId, id, ifMatch }: ReviewRequest,
  reviewer: Reviewer,
  input: ReviewInput,
): Promise<Review> {
  requireSmall(input);
  await requireTextQuota(deps, workspaceId);
  return changeReview(deps, { workspaceId, id }, async (session, before, trx) => {
    requireReviewable(session);
    requireMatch(ifMatch, getSessionReview, presentReview(id, before));
    const decided = readAnswers(session, input);
    await requireDecider(reviewer, before, decided, trx);
    const answers = withScoredAnswers(session, decided);
    const { reviewed_by } = reviewer;
    const { summary_text = null, note = null, unsure, turn_notes } = input;
    // Without speech, no model is asked.
    const sampled = input.sampled && session.turn_count !== 0;
    const given = { answers, unsure, turn_notes, sampled, summary_text, note, reviewed_by };
    const { workspace_id, assistant_id, assistant_version: version } = session;
    const day = session.occurredAt.toISOString().slice(0, 10);
    const ofSession = { session_id: id, workspace_id, assistant_id, version, day };
    const marks = markAnswers(session, answers, unsure);
    return presentReview(id, await SessionReviewModel.replace(before, { ...ofSession, ...given, marks }, trx));
  });
}

/** Deletes a review with its history. While two people differ about it, only those who may decide can delete it. */
export function deleteReview(deps: ReviewDeps, request: ReviewRequest, reviewer: Reviewer): Promise<void> {
  return changeReview(deps, request, async ({ id }, before, trx) => {
    const opinion = await SecondOpinionModel.query(trx).findById(id);
    if (opinion && opinion.differing.length > 0 && !mayDecide(opinion, reviewer)) throw refusal('only_reviewers');
    requireMatch(request.ifMatch, getSessionReview, presentReview(id, before));
    await SessionReviewModel.query(trx).deleteById(id);
  });
}

function requireReviewable({ source_session_id, status }: SessionModel): void {
  if (source_session_id !== null) throw refusal('is_reanalysis', { original: source_session_id });
  if (status !== 'completed') throw refusal('not_completed', { status });
}

type GivenAnswers = Pick<ReviewInput, 'answers' | 'unsure'> & Partial<Pick<ReviewInput, 'turn_notes'>>;

/** Refuses changes of answers about which two people differ, unless the caller may decide. */
async function requireDecider(
  reviewer: Reviewer,
  before: SessionReviewModel | undefined,
  answers: ReviewInput['answers'],
  trx: TransactionOrKnex,
): Promise<void> {
  const opinion = before && (await SecondOpinionModel.query(trx).findById(before.session_id));
  if (!opinion || mayDecide(opinion, reviewer)) return;
  const isChanged = (name: string) => JSON.stringify(answers[name]) !== JSON.stringify(before.answers[name]);
  if (opinion.differing.some(isChanged)) throw refusal('only_reviewers');
}

/** Returns whether the caller is one of the two reviewers, or an owner. */
export const mayDecide = ({ first, second }: SecondOpinionModel, { reviewed_by, isOwner }: Reviewer): boolean =>
  isOwner || first.reviewed_by === reviewed_by || second.reviewed_by === reviewed_by;

/** Returns the answers as they are stored, without scores. Throws `validation_failed` if the session does not have what they name. */
export function readAnswers({ assistant, turn_count }: SessionModel, input: GivenAnswers): ReviewInput['answers'] {
  const errors: PropertyError[] = [];
  const fields = questionsOf(assistant.fields);
  const answers: ReviewInput['answers'] = {};
  for (const [name, answer] of Object.entries(input.answers)) {
    const path = `answers.${name}`;
    const field = fields.find((each) => each.name === name);
    const isWrongForm = answer !== null && field && Array.isArray(answer) !== FIELD_TYPE_FACTS[field.type].isList;
    const checked = field && checkValue(field, answer);
    // Who reads a review and stores it again sends its scores, too.
    if (!field && assistant.fields?.some((each) => each.name === name)) continue;
    if (!checked) errors.push(errorAt(path, 'not_field'));
    else if (isWrongForm) errors.push(errorAt(path, 'type:constant', { type: formOf(field) }));
    else if ('problem' in checked) errors.push({ path, ...checked.said });
    else if (input.unsure.includes(name)) errors.push(errorAt(path, 'combined:unsure'));
    else answers[name] = checked.value;
  }
  for (const [index, name] of input.unsure.entries()) {
    if (fields.some((field) => field.name === name)) continue;
    errors.push(errorAt(`unsure.${index}`, 'not_field'));
  }
  for (const [index, { turn }] of (input.turn_notes ?? []).entries()) {
    if (turn < (turn_count ?? 0)) continue;
    errors.push(errorAt(`turn_notes.${index}.turn`, 'below', { max: turn_count ?? 0 }));
  }
  if (errors.length > 0) throw invalid(...errors);
  return answers;
}

/** Returns the JSON type of a field's answers. */
function formOf({ type }: ResultField): string {
  const { json, isList } = FIELD_TYPE_FACTS[type];
  if (isList) return 'array';
  return json === 'integer' ? 'number' : json;
}

/** Refuses a review that is too large, and names its largest member. */
export function requireSmall({ sampled: _, ...input }: GivenAnswers & { sampled?: boolean }): void {
  const sizes = Object.entries(input).map(([path, value]) => ({
    path,
    bytes: Buffer.byteLength(JSON.stringify(value)),
  }));
  const [largest] = sizes.toSorted((a, b) => b.bytes - a.bytes);
  if (!largest || sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_REVIEW_BYTES) return;
  throw invalid(errorAt(largest.path, 'too_much', { what: 'the review', max: MAX_REVIEW_BYTES, unit: 'bytes' }));
}
