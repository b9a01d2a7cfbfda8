/** Counts the reviews of an assistant's sessions. */
import type { ReviewMark } from '../../contract/reviews/reviews.ts';
import type { FieldValue } from '../../contract/fields/result-fields.ts';
import { SessionReviewModel } from '../models/session-review.ts';
import { inSnapshot } from '../statements.ts';
import { DAY_MS, idNear } from './filter-sessions.ts';

interface AccuracyQuery {
  workspaceId: string;
  assistantId: string;
  /** First and last day. */
  from: string;
  to: string;
  version?: number | undefined;
}

/** How many answers about a field have this mark. */
export interface CountedMark {
  name: string;
  sampled: boolean;
  version: number | null;
  mark: ReviewMark['mark'] | 'unsure';
  quotes: ReviewMark['quotes'];
  count: number;
}

/** The most frequent right answer of a field in the sample. */
interface FrequentAnswer {
  name: string;
  value: FieldValue | null;
  share: number;
}

interface CountedReviews {
  sampled: number;
  others: number;
  /** Newest version first. */
  marks: CountedMark[];
  baselines: FrequentAnswer[];
}

const MARKS = `select name, sampled, version, mark, quotes, count(*)::int as count
  from review cross join lateral (
    select key as name, value ->> 'mark' as mark, value ->> 'quotes' as quotes from jsonb_each(marks)
    union all select unnest(unsure), 'unsure', 'none') judged
  group by name, sampled, version, mark, quotes order by version desc`;

const BASELINES = `select distinct on (name) name, value, count(*)::float8 / sum(count(*)) over (partition by name)::float8 as share
  from review, jsonb_each(answers) answer (name, value) where sampled group by name, value order by name, count(*) desc, value`;

const SESSIONS = `select count(*) filter (where sampled)::int as sampled, count(*) filter (where not sampled)::int as others from review`;

export function countReviews(query: AccuracyQuery): Promise<CountedReviews> {
  const { workspaceId, assistantId, from, to, version = null } = query;
  const [first, before] = [idNear(new Date(from), -DAY_MS), idNear(new Date(to), 2 * DAY_MS)];
  return inSnapshot(async (trx) => {
    const read = async <R>(statement: string): Promise<R[]> => {
      const { rows } = await SessionReviewModel.knex()
        .raw<{ rows: R[] }>(
          `with review as (select * from session_reviews where workspace_id = :workspaceId and assistant_id = :assistantId
             and session_id >= :first and session_id < :before and day between :from and :to
             and version is not distinct from coalesce(cast(:version as integer), version)) ${statement}`,
          { workspaceId, assistantId, first, before, from, to, version },
        )
        .transacting(trx);
      return rows;
    };
    const [sessions] = await read<Pick<CountedReviews, 'sampled' | 'others'>>(SESSIONS);
    const marks = await read<CountedMark>(MARKS);
    const baselines = await read<FrequentAnswer>(BASELINES);
    return { sampled: 0, others: 0, ...sessions, marks, baselines };
  });
}
