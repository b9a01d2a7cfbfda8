/** Counts the field values of an assistant's sessions. */
import type { FieldCounts, ResultsReport } from '../../contract/service/results.ts';
import type { ValueSource } from '../../contract/values/session-lists.ts';
import type { KnownField } from '../models/assistant-field.ts';
import { inSnapshot, readRows } from '../statements.ts';
import { countField, type Ask } from './count-field.ts';
import { allOf, passesFields, type KnownFilter } from './filter-by-fields.ts';
import { OCCURRED } from './filter-sessions.ts';
import { bindPeriod, groupByMetadata, type AssistantPeriod } from './group-by-metadata.ts';
import { valueRows } from './value-rows.ts';

interface ResultsQuery extends AssistantPeriod {
  filters: readonly KnownFilter[];
  values?: ValueSource | undefined;
}

/** Returns the counts of the fields, or undefined if there are more than `maxAnswers` values. */
export function findFieldResults(
  fields: readonly KnownField[],
  query: ResultsQuery,
  maxAnswers: number,
): Promise<Pick<ResultsReport, 'sessions' | 'fields'> | undefined> {
  const { timezone, group_by, filters, values } = query;
  return inSnapshot(async (trx) => {
    const period = await bindPeriod(query, trx);
    const ids = fields.flatMap(({ id }) => id ?? []);
    const upTo = { ...period, ids, limit: maxAnswers + 1 };
    const [{ count }] = await readRows<[{ count: number }]>(countUpTo(timezone), upTo, trx);
    if (count > maxAnswers) return undefined;
    const { columns, bindings } = await groupByMetadata(trx, group_by, SESSIONS, period);
    const passed = allOf(passesFields('answer.session_id', filters, values));
    const counted: FieldCounts[] = [];
    for (const field of fields) {
      const { id } = field;
      const ask: Ask = async (statement, more) =>
        id === undefined
          ? []
          : readRows(answersOf(query, columns) + statement, { ...bindings, ...more, id, passed }, trx);
      counted.push(await countField(field, group_by !== undefined, ask));
    }
    return { sessions: countSessions(counted), fields: counted };
  });
}

const SESSIONS = `from sessions session where session.assistant_id = :assistantId and session.status = 'completed'
  and session.id >= :first and session.id < :before
  and (${OCCURRED('session')} at time zone :timezone)::date between :from and :to`;

/** Returns the day of an answer. The stored one is in UTC. */
const dayIn = (timezone: string) =>
  timezone === 'UTC'
    ? 'answer.day'
    : `(select cast(${OCCURRED('sessions')} at time zone :timezone as date) from sessions where id = answer.session_id)`;

/** Returns the condition of a period. Rows without a version are those of reanalyses and trials. */
const inPeriod = (timezone: string) =>
  `answer.session_id >= :first and answer.session_id < :before and ${dayIn(timezone)} between :from and :to
   and answer.version is not null`;

const countUpTo = (timezone: string) => `select count(*) from (
  select from unnest(:ids::integer[]) field (id)
  cross join lateral (select from session_fields answer where answer.field_id = field.id and ${inPeriod(timezone)}) found
  limit :limit) bounded`;

/** Larger numbers are counted as this one, whose squares can still be summed. */
const LARGEST = '1e150';

/** Returns the query `answer` of the counted rows of a field. */
const answersOf = (
  { timezone, version, group_by, values }: ResultsQuery,
  groupColumns: string,
) => `with answer as materialized (
  select ${dayIn(timezone)}::text as day, version, ${groupColumns}, item, state,
    coalesce(value_text, value_num::text) as value,
    case when abs(value_num) > ${LARGEST} then sign(value_num) * ${LARGEST} else value_num end as value_num
  from ${valueRows(values)} answer ${group_by ? 'join sessions session on session.id = answer.session_id' : ''}
  where answer.field_id = :id and ${inPeriod(timezone)} and :passed
    ${version === undefined ? '' : 'and answer.version = :version'})`;

/** All sessions of a version have the same fields, so the highest count of a field is the number of sessions. */
function countSessions(fields: readonly FieldCounts[]): number {
  const most = new Map<number, number>();
  for (const { version, count } of fields.flatMap(({ by_version }) => by_version)) {
    most.set(version, Math.max(most.get(version) ?? 0, count));
  }
  return [...most.values()].reduce((sum, count) => sum + count, 0);
}
