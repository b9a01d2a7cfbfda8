import { FIELD_TYPE_FACTS, questionsOf } from '../../contract/fields/field-types.ts';
import { errorAt } from '../../contract/errors/field-errors.ts';
import { checkValue } from '../../contract/fields/check-value.ts';
import type { PropertyError } from '../../contract/errors/problem.ts';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import { markAnswers, withScoredAnswers } from '../../contract/reviews/mark-answers.ts';
import { getSessionReview, ReviewSchema, type Review, type ReviewInput } from '../../contract/reviews/reviews.ts';
import type { TransactionOrKnex } from 'objection';
import { SecondOpinionModel } from '../../db/models/second-opinion.ts';
import { SessionModel } from '../../db/models/session.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid, refusal, requireFound } from '../errors.ts';
import { presentRow, requireMatch } from '../http/handle.ts';
import { requireTextQuota } from '../runs/store-and-start.ts';

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

const NO_REVIEW = {
  answers: {},
  unsure: [],
  summary_text: null,
  note: null,
  turn_notes: [],
  sampled: false,
  marks: {},
  history: [],
  reviewed_by: null,
  reviewed_at: null,
};

/** Returns a review, or an empty one if there is none, so that its first writer has an `ETag`. */
export function presentReview(session_id: string, row: SessionReviewModel | undefined): Review {
  if (!row) return { session_id, ...NO_REVIEW };
  const marks = Object.entries(row.marks).map(([name, { type: _, ...mark }]) => [name, mark] as const);
  return { ...presentRow(ReviewSchema, row), marks: Object.fromEntries(marks) };
}

/** Stores the review of a completed original. */
export async function putReview(
  deps: Pick<ApiDeps, 'config'>,
  { workspaceId, id, ifMatch }: ReviewRequest,
  reviewer: Reviewer,
  input: ReviewInput,
): Promise<Review> {
  requireSmall(input);
  await requireTextQuota(deps, workspaceId);
  return SessionModel.transaction(async (trx) => {
    const session = requireReviewable(await lockSession(workspaceId, id, trx));
    const before = await SessionReviewModel.query(trx).findById(id);
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
export function deleteReview({ workspaceId, id, ifMatch }: ReviewRequest, reviewer: Reviewer): Promise<void> {
  return SessionModel.transaction(async (trx) => {
    await lockSession(workspaceId, id, trx);
    const opinion = await SecondOpinionModel.query(trx).findById(id);
    if (opinion && opinion.differing.length > 0 && !mayDecide(opinion, reviewer)) throw refusal('only_reviewers');
    requireMatch(ifMatch, getSessionReview, presentReview(id, await SessionReviewModel.query(trx).findById(id)));
    await SessionReviewModel.query(trx).delete().where({ session_id: id, workspace_id: workspaceId });
  });
}

/** Returns a session whose row is locked, so of several writers one comes first. */
export const lockSession = async (workspaceId: string, id: string, trx: TransactionOrKnex): Promise<SessionModel> =>
  requireFound(await SessionModel.findOwned(workspaceId, id, trx).forNoKeyUpdate(), 'session');

function requireReviewable(session: SessionModel): SessionModel {
  const { source_session_id, status } = session;
  if (source_session_id !== null) throw refusal('is_reanalysis', { original: source_session_id });
  if (status !== 'completed') throw refusal('not_completed', { status });
  return session;
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
