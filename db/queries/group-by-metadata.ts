/** Groups sessions by a value of their metadata. */
import type { Knex } from 'knex';
import type { Transaction } from 'objection';
import type { Period } from '../../contract/service/usage.ts';
import { MAX_METADATA_GROUPS, metadataKeyOf, type MetadataGroup } from '../../contract/values/metadata-group.ts';
import { readRows } from '../statements.ts';
import { DAY_MS, idNear } from './filter-sessions.ts';

/** The sessions of an assistant that a report counts. */
export interface AssistantPeriod extends Period {
  assistantId: string;
  timezone: string;
  version?: number | undefined;
  group_by?: MetadataGroup | undefined;
}

/**
 * Returns the bindings of a period, in which conversations took place. An index of session IDs is read with a margin:
 * `idNear`. They may have been submitted later if the assistant has such conversations.
 */
export async function bindPeriod({ assistantId, from, to, timezone, version }: AssistantPeriod, trx: Transaction) {
  const [{ exists }] = await readRows<[{ exists: boolean }]>(IMPORTED, { assistantId }, trx);
  const before = exists ? LAST_ID : idNear(to, 3 * DAY_MS);
  return { assistantId, from, to, timezone, version: version ?? null, first: idNear(from, -3 * DAY_MS), before };
}

const IMPORTED = `select exists (select from sessions
  where assistant_id = :assistantId and occurred_at is not null and source_session_id is null)`;

/** After every ID. */
const LAST_ID = '~';

/** The members of a row that group columns return. */
export interface Grouped {
  group: string | null;
  others: boolean;
}

interface GroupColumns {
  columns: string;
  bindings: Knex.ValueDict;
}

/** The group of a `session`, and whether it belongs to the others. A value that is `null` differs from all of no values. */
const GROUP_COLUMNS = `case when session.metadata ->> :key = any(:values::text[]) then session.metadata ->> :key end as "group",
   coalesce(session.metadata ->> :key <> all(:values::text[]), false) and session.metadata ->> :key is not null as others`;

/**
 * Returns the columns for the most frequent values of a key, and the bindings with those of the columns.
 * @param sessions a relation with `session`, from `from` to the end of `where`.
 */
export async function groupByMetadata(
  trx: Transaction,
  group: MetadataGroup | undefined,
  sessions: string,
  bindings: Knex.ValueDict,
): Promise<GroupColumns> {
  if (group === undefined) return { columns: 'null as "group", null as others', bindings };
  const key = metadataKeyOf(group);
  const rows = await readRows<{ value: string }[]>(
    `select session.metadata ->> :key as value ${sessions} and session.metadata ->> :key is not null
     group by value order by count(distinct session.id) desc, value limit ${MAX_METADATA_GROUPS}`,
    { ...bindings, key },
    trx,
  );
  return { columns: GROUP_COLUMNS, bindings: { ...bindings, key, values: rows.map(({ value }) => value) } };
}
