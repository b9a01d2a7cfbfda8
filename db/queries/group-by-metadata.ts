/** Groups sessions by a value of their metadata. */
import type { Transaction } from 'objection';
import { MAX_METADATA_GROUPS } from '../../contract/values/metadata-group.ts';
import { SessionModel } from '../models/session.ts';
import type { Sql } from './filter-by-fields.ts';

/** A key, and the values that have a group of their own. */
export interface MetadataValues {
  key: string;
  values: string[];
}

/** Members of a row that `GROUP` returns. */
export interface Grouped {
  group: string | null;
  others: boolean;
}

/** Columns of `session`: its group, and whether it belongs to the others. A value that is `null` differs from all of no values. */
const groupOf = (key: string, values: string) =>
  `case when session.metadata ->> ${key} = any(${values}::text[]) then session.metadata ->> ${key} end as "group",
   coalesce(session.metadata ->> ${key} <> all(${values}::text[]), false) and session.metadata ->> ${key} is not null as others`;

/** The columns with the bindings `key` and `values`. */
export const GROUP_COLUMNS = groupOf(':key', ':values');

/** The columns with bindings in order. */
export const groupColumns = ({ key, values }: MetadataValues): Sql => ({
  sql: groupOf('?', '?'),
  bindings: [key, values, key, key, values, key],
});

export const NO_GROUP = 'null as "group", null as others';

/** Returns the most frequent values of a key. @param sessions a relation with `session`, from `from` to the end of `where`. */
export async function readMetadataValues(
  trx: Transaction,
  key: string,
  sessions: { sql: string; bindings: Record<string, unknown> },
): Promise<MetadataValues> {
  const { rows } = await SessionModel.knex()
    .raw<{ rows: { value: string }[] }>(
      `select session.metadata ->> :key as value ${sessions.sql} and session.metadata ->> :key is not null
       group by value order by count(distinct session.id) desc, value limit ${MAX_METADATA_GROUPS}`,
      { ...sessions.bindings, key },
    )
    .transacting(trx);
  return { key, values: rows.map(({ value }) => value) };
}

/** Reading all sessions could take seconds. */
const RECENT_SESSIONS = 10_000;
const MAX_KEYS = 1_000;

/** Returns the keys of the metadata of recent sessions, the most frequent first. */
export async function listMetadataKeys(workspaceId: string): Promise<string[]> {
  const { rows } = await SessionModel.knex().raw<{ rows: { key: string }[] }>(
    `select key from (select metadata from sessions where workspace_id = ? order by id desc limit ?) recent
       cross join lateral jsonb_object_keys(metadata) key
     group by key order by count(*) desc, key limit ?`,
    [workspaceId, RECENT_SESSIONS, MAX_KEYS],
  );
  return rows.map(({ key }) => key);
}
