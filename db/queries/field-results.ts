/** Counts the field values of an assistant's sessions. */
import { Model, type Transaction } from 'objection';
import type { FieldCounts, ResultsReport } from '../../contract/service/results.ts';
import { metadataKeyOf, type MetadataGroup } from '../../contract/values/metadata-group.ts';
import type { KnownField } from '../models/assistant-field.ts';
import { inSnapshot } from '../statements.ts';
import { countField, type Ask } from './count-field.ts';
import { passesFields, type KnownFilter, type Sql } from './filter-by-fields.ts';
import { groupColumns, NO_GROUP, readMetadataValues, type MetadataValues } from './group-by-metadata.ts';
import { DAY_MS, idNear } from './filter-sessions.ts';

interface ResultsQuery {
  assistantId: string;
  /** First and last day. */
  from: string;
  to: string;
  timezone: string;
  version?: number | undefined;
  filters: readonly KnownFilter[];
  group_by?: MetadataGroup | undefined;
}

interface GroupedQuery extends ResultsQuery {
  groups: MetadataValues | undefined;
}

/** Returns the counts of the fields, or undefined if there are more than `maxAnswers` values. */
export function findFieldResults(
  fields: readonly KnownField[],
  query: ResultsQuery,
  maxAnswers: number,
): Promise<Pick<ResultsReport, 'sessions' | 'fields'> | undefined> {
  return inSnapshot(async (trx) => {
    const ids = fields.flatMap(({ id }) => id ?? []);
    const [all] = await read<{ count: number }>(trx, countUpTo(ids, query, maxAnswers + 1));
    if ((all?.count ?? 0) > maxAnswers) return undefined;
    const groups = query.group_by && (await readGroups(trx, query.group_by, query));
    const counted: FieldCounts[] = [];
    for (const field of fields) {
      counted.push(await countField(field, groups !== undefined, askAnswers(trx, field, { ...query, groups })));
    }
    return { sessions: countSessions(counted), fields: counted };
  });
}

/** Returns the most frequent values among the sessions of the period. */
const readGroups = (trx: Transaction, group: MetadataGroup, { assistantId, from, to, timezone }: ResultsQuery) =>
  readMetadataValues(trx, metadataKeyOf(group), {
    sql: `from sessions session where session.assistant_id = :assistantId and session.status = 'completed'
      and session.id >= :first and session.id < :before
      and (session.created_at at time zone :timezone)::date between :from and :to`,
    bindings: {
      assistantId,
      first: idNear(from, -2 * DAY_MS),
      before: idNear(to, 3 * DAY_MS),
      from,
      to,
      timezone,
    },
  });

async function read<R>(trx: Transaction, { sql, bindings }: Sql): Promise<R[]> {
  const { rows } = await Model.knex().raw<{ rows: R[] }>(sql, bindings).transacting(trx);
  return rows;
}

/**
 * Returns the conditions of a period: session IDs with a margin of a day, and days. Rows without a version are those of
 * reanalyses and trials.
 */
function inPeriod({ from, to, timezone }: ResultsQuery): Sql {
  const day = dayIn(timezone);
  return {
    sql: `answer.session_id >= ? and answer.session_id < ? and ${day.sql} between ? and ? and answer.version is not null`,
    bindings: [idNear(from, -2 * DAY_MS), idNear(to, 3 * DAY_MS), ...day.bindings, from, to],
  };
}

/** Returns the day of an answer. The stored one is in UTC. */
const dayIn = (timezone: string): Sql =>
  timezone === 'UTC'
    ? { sql: 'answer.day', bindings: [] }
    : {
        sql: '(select cast(created_at at time zone ? as date) from sessions where id = answer.session_id)',
        bindings: [timezone],
      };

function countUpTo(ids: number[], query: ResultsQuery, limit: number): Sql {
  const period = inPeriod(query);
  return {
    sql: `select count(*) from (
      select from unnest(?::integer[]) field (id)
      cross join lateral (select from session_fields answer where answer.field_id = field.id and ${period.sql}) found
      limit ?) bounded`,
    bindings: [ids, ...period.bindings, limit],
  };
}

/** Larger numbers are counted as this one, whose squares can still be summed. */
const LARGEST = '1e150';

/** Returns the query `answer` of the counted rows. */
function answersOf(id: number, query: GroupedQuery): Sql {
  const group = query.groups && groupColumns(query.groups);
  const conditions: Sql[] = [
    { sql: 'answer.field_id = ?', bindings: [id] },
    inPeriod(query),
    ...(query.version === undefined ? [] : [{ sql: 'answer.version = ?', bindings: [query.version] }]),
    ...passesFields('answer.session_id', query.filters),
  ];
  const day = dayIn(query.timezone);
  return {
    sql: `with answer as materialized (
      select ${day.sql}::text as day, version, ${group?.sql ?? NO_GROUP}, item, state,
        coalesce(value_text, value_num::text) as value,
        case when abs(value_num) > ${LARGEST} then sign(value_num) * ${LARGEST} else value_num end as value_num
      from session_fields answer ${group ? 'join sessions session on session.id = answer.session_id' : ''}
      where ${conditions.map(({ sql }) => sql).join(' and ')})`,
    bindings: [day, ...(group ? [group] : []), ...conditions].flatMap(({ bindings }) => bindings),
  };
}

/** Returns a function that runs statements over the counted rows of a field, `answer`. */
function askAnswers(trx: Transaction, { id }: KnownField, query: GroupedQuery): Ask {
  if (id === undefined) return async () => [];
  const { sql, bindings } = answersOf(id, query);
  return (statement, more = []) => read(trx, { sql: sql + statement, bindings: [...bindings, ...more] });
}

/** All sessions of a version have the same fields, so the highest count of a field is the number of sessions. */
function countSessions(fields: readonly FieldCounts[]): number {
  const most = new Map<number, number>();
  for (const { version, count } of fields.flatMap(({ by_version }) => by_version)) {
    most.set(version, Math.max(most.get(version) ?? 0, count));
  }
  return [...most.values()].reduce((sum, count) => sum + count, 0);
}
