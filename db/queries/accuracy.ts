/** Counts the reviews of an assistant's sessions. */
import { FIELD_TYPE_FACTS } from '../../contract/fields/field-types.ts';
import type { ReviewMark } from '../../contract/reviews/reviews.ts';
import { FIELD_TYPES, type FieldType } from '../../contract/values/constants.ts';
import type { FieldValue } from '../../contract/fields/result-fields.ts';
import { inSnapshot, readRows } from '../statements.ts';
import { isFallback, isSampled } from './compare-reviewed.ts';
import { OCCURRED } from './filter-sessions.ts';
import { bindPeriod, groupByMetadata, type AssistantPeriod, type Grouped } from './group-by-metadata.ts';

/** How many answers about a field have this mark. */
export interface CountedMark extends Grouped {
  name: string;
  type: FieldType;
  sampled: boolean;
  version: number | null;
  mark: ReviewMark['mark'];
  quotes: ReviewMark['quotes'];
  count: number;
}

/** The most frequent right answer of a field in the sample. */
interface FrequentAnswer {
  name: string;
  type: FieldType;
  value: FieldValue | null;
  share: number;
}

/** How many pairs of people gave these answers. */
export interface CountedAgreement {
  name: string;
  type: FieldType;
  same: boolean;
  /** JSON; null: of another type. */
  first: string | null;
  second: string | null;
  count: number;
}

interface CountedReviews {
  sampled: number;
  others: number;
  fallback: number;
  /** Newest version first. */
  marks: CountedMark[];
  baselines: FrequentAnswer[];
  agreements: CountedAgreement[];
  second_opinions: number;
  disputed: number;
}

/** Types whose values repeat, for kappa. */
const REPEATED = FIELD_TYPES.filter((type) => FIELD_TYPE_FACTS[type].repeats)
  .map((type) => `'${type}'`)
  .join();

const valueOf = (side: string) =>
  `case when said.type in (${REPEATED}) then (second.${side} -> 'answers' -> field.name)::text end`;

const MARKS = `select name, sampled, version, "group", others, judged.*, count(*)::int as count
  from review cross join lateral jsonb_each(marks) field (name, value)
    cross join lateral jsonb_to_record(value) judged (type text, mark text, quotes text)
  where not fallback group by name, sampled, version, "group", others, type, mark, quotes order by version desc`;

/** Only values that a table can show: the same text is rarely given twice. */
const BASELINES = `select distinct on (name, type) name, type, answers -> name as value,
    count(*)::float8 / sum(count(*)) over (partition by name, type)::float8 as share
  from review cross join lateral (select key as name, value ->> 'type' as type from jsonb_each(marks)) mark
  where sampled and not fallback and jsonb_exists(answers, name) and type in (${REPEATED})
  group by name, type, value order by name, type, count(*) desc, value`;

/** Values only of types whose values repeat, for kappa. */
const AGREEMENTS = `select field.name, said.type, said.same, count(*)::int as count, ${valueOf('first')} as first, ${valueOf('second')} as second
  from review join second_opinions second on second.session_id = review.session_id and second.sampled
    cross join lateral jsonb_each(second.agreement) field (name, value)
    cross join lateral jsonb_to_record(value) said (type text, same boolean)
  group by 1, 2, 3, 5, 6`;

const OPINIONS = `select count(*)::int as second_opinions,
    count(*) filter (where cardinality(second.differing) > 0 and second.decided_by is null)::int as disputed
  from review join second_opinions second on second.session_id = review.session_id`;

const SESSIONS = `select count(*) filter (where sampled and not fallback)::int as sampled,
  count(*) filter (where not sampled and not fallback)::int as others, count(*) filter (where fallback)::int as fallback from review`;

/** A fallback's values are those of another model. */
const COLUMNS = `select review.session_id, review.marks, review.answers, review.version, ${isSampled('session')} as sampled,
    ${isFallback('session')} as fallback`;
const REVIEWS = `from session_reviews review join sessions session on session.id = review.session_id
  where review.workspace_id = :workspaceId and review.assistant_id = :assistantId
    and review.session_id >= :first and review.session_id < :before and cast(${OCCURRED('session')} at time zone :timezone as date) between :from and :to
    and review.version is not distinct from coalesce(cast(:version as integer), review.version)`;

export function countReviews(workspaceId: string, period: AssistantPeriod): Promise<CountedReviews> {
  return inSnapshot(async (trx) => {
    const { columns, bindings } = await groupByMetadata(trx, period.group_by, REVIEWS, {
      workspaceId,
      ...(await bindPeriod(period, trx)),
    });
    const read = <R extends object>(statement: string) =>
      readRows<R[]>(`with review as (${COLUMNS}, ${columns} ${REVIEWS}) ${statement}`, bindings, trx);
    const [sessions] = await read<Pick<CountedReviews, 'sampled' | 'others' | 'fallback'>>(SESSIONS);
    const marks = await read<CountedMark>(MARKS);
    const baselines = await read<FrequentAnswer>(BASELINES);
    const agreements = await read<CountedAgreement>(AGREEMENTS);
    const [opinions] = await read<Pick<CountedReviews, 'second_opinions' | 'disputed'>>(OPINIONS);
    const none = { sampled: 0, others: 0, fallback: 0, second_opinions: 0, disputed: 0 };
    return { ...none, ...sessions, ...opinions, marks, baselines, agreements };
  });
}
