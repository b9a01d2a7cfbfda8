import { Model, type Transaction } from 'objection';
import type { StoredMark } from '../../contract/reviews/mark-answers.ts';
import type { ReviewInput, ReviewState } from '../../contract/reviews/reviews.ts';
import { now } from '../statements.ts';

/** Previous states that a review keeps, and their size as JSON in bytes. */
const MAX_HISTORY = 10;
const MAX_HISTORY_BYTES = 262_144;

/** What a reviewer said. */
export type GivenReview = Required<Pick<ReviewInput, 'answers' | 'unsure' | 'turn_notes' | 'sampled'>> & {
  summary_text: string | null;
  note: string | null;
};

type OfSession = Pick<SessionReviewModel, 'session_id' | 'workspace_id' | 'assistant_id' | 'version' | 'day'>;

/** One row of `session_reviews`: the right answers about the conversation of an original session. */
export class SessionReviewModel extends Model {
  static override tableName = 'session_reviews';
  static override idColumn = 'session_id';
  static override jsonAttributes = ['answers', 'marks', 'turn_notes', 'history'];
  declare session_id: string;
  declare workspace_id: string;
  declare assistant_id: string;
  declare version: number | null;
  /** ISO date of the session in UTC. */
  declare day: string;
  declare sampled: boolean;
  declare answers: GivenReview['answers'];
  declare unsure: string[];
  declare marks: Record<string, StoredMark>;
  declare corrected: string[];
  declare summary_text: string | null;
  declare note: string | null;
  declare turn_notes: GivenReview['turn_notes'];
  declare history: ReviewState[];
  declare reviewed_by: string;
  declare reviewed_at: Date;

  /** Replaces the review of a session whose row the transaction holds. @param before the row that is replaced. */
  static async replace(
    before: SessionReviewModel | undefined,
    given: OfSession & GivenReview & Pick<SessionReviewModel, 'marks' | 'reviewed_by'>,
    trx: Transaction,
  ): Promise<SessionReviewModel> {
    const sampled = given.sampled || (before?.sampled ?? false);
    const history = before ? historyOf(before, given.reviewed_by) : [];
    return SessionReviewModel.query(trx)
      .insert({ ...given, corrected: correctedIn(given.marks), sampled, history, reviewed_at: now() })
      .onConflict('session_id')
      .merge()
      .returning('*');
  }
}

/** Returns the names of the fields whose right answer is not the model's value. */
export const correctedIn = (marks: SessionReviewModel['marks']): string[] =>
  Object.entries(marks).flatMap(([name, { mark }]) => (mark === 'right' || mark === 'unsure' ? [] : [name]));

/** Returns the states before this one. What one person saves in a row is one state, so it displaces nobody's review. */
function historyOf(before: SessionReviewModel, reviewedBy: string): ReviewState[] {
  const states = before.reviewed_by === reviewedBy ? before.history : [stateOf(before), ...before.history];
  let bytes = 0;
  return states.slice(0, MAX_HISTORY).filter((state) => {
    bytes += Buffer.byteLength(JSON.stringify(state));
    return bytes <= MAX_HISTORY_BYTES;
  });
}

function stateOf(row: SessionReviewModel): ReviewState {
  const { answers, unsure, summary_text, note, turn_notes, sampled, reviewed_by } = row;
  const reviewed_at = row.reviewed_at.toISOString();
  return { answers, unsure, summary_text, note, turn_notes, sampled, reviewed_by, reviewed_at };
}

/** The column of a session's query with its review, without the answers. Its time is PostgreSQL's text in JSON. */
export const SESSION_REVIEW = `(select json_build_object('reviewed_at', reviewed_at, 'reviewed_by', reviewed_by,
    'sampled', sampled, 'corrected', corrected, 'unsure', unsure, 'has_summary', review.summary_text is not null,
    'notes', jsonb_array_length(turn_notes) + (note is not null)::int)
  from session_reviews review where review.session_id = sessions.id)`;
