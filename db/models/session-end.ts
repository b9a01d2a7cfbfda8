/** The data of a session's end, and parts of the statement that stores it. Each part reads the ended row from `ended`. */
import type { FieldEncoding } from '../../contract/values/constants.ts';
import type { AnsweredBy } from '../../contract/sessions/sessions.ts';
import type { LeftOut } from '../../contract/sessions/left-out.ts';
import type { SessionError } from '../../contract/errors/session-error.ts';
import type { SessionRoles } from '../../contract/values/roles.ts';

/** People type these characters for one another. */
const APOSTROPHES = '\u2018\u2019\u02BB\u02BC\u02B9\u2032\u00B4`\uFF07';

export type SessionEnd = CompletedEnd | { status: 'failed'; error: SessionError } | { status: 'canceled' };

interface CompletedEnd {
  status: 'completed';
  summary_text: string | null;
  raw_response: Record<string, unknown> | null;
  temperature_applied: boolean | null;
  field_encoding?: FieldEncoding | null;
  /** Of the analysis. */
  left_out?: LeftOut[] | null;
  answered_by?: AnsweredBy[] | null;
  roles?: SessionRoles;
}

/**
 * Stores the words of a session for full-text search: without apostrophes, in the base form, and split at the characters
 * of IDs and addresses. A metadata value that contains digits is also stored without its separators. No word starts with
 * `/`, so a search never finds the workspace. 100,000 characters always fit in a `tsvector` (1 MiB).
 */
export const STORE_WORDS = String.raw`words as (
  insert into session_words (session_id, words)
  select id, array_to_tsvector(array['/' || workspace_id]) || to_tsvector('session_words', translate(
    left(concat_ws(' ', labels, summary_text, spoken), 100000),
    $$-_/.:@&#+~=%<>*\Ёё'${APOSTROPHES}$$, repeat(' ', 16) || 'Ее'))
  from ended cross join lateral (
    select string_agg(turn ->> 'text', ' ') as spoken
    from jsonb_array_elements(case jsonb_typeof(conversation) when 'array' then conversation else '[]' end) turn) said
  cross join lateral (
    select string_agg(concat_ws(' ', value, joined), ' ') as labels
    from jsonb_each_text(metadata) left join lateral (
      select regexp_replace(value, '(\W|_)+', '', 'g') as joined where value ~ '^\S*[0-9]\S*$' and value ~ '\W|_') id on true) labeled
  on conflict (session_id) do update set words = excluded.words)`;

/**
 * Stores `:field_rows`, the JSON of `FieldRow[]`. A field that another session adds at the same moment is not visible to
 * this statement, so its row is updated to get its ID.
 */
export const STORE_FIELDS = `answer as (
  select ended.id as session_id, ended.workspace_id, ended.assistant_id,
    -- Results count no experiments: rows without a version.
    case when ended.source_session_id is null and not ended.trial then ended.assistant_version end as version,
    cast(ended.created_at at time zone 'UTC' as date) as day, given.*
  from ended, jsonb_to_recordset(cast(:field_rows as jsonb))
    as given (name text, type text, item smallint, state smallint, value_num numeric, value_text text)),
known as (
  select field.* from (select distinct workspace_id, assistant_id, name, type from answer) given
  -- The limit prevents a join that reads the fields of all assistants.
  cross join lateral (
    select id, name, type from assistant_fields
    where (workspace_id, assistant_id, name, type) = (given.workspace_id, given.assistant_id, given.name, given.type)
    limit 1) field),
added as (
  insert into assistant_fields (workspace_id, assistant_id, name, type)
  select distinct workspace_id, assistant_id, name, type from answer
  where (name, type) not in (select name, type from known)
  -- The order prevents deadlocks between sessions.
  order by name, type
  on conflict (workspace_id, assistant_id, name, type) do update set name = excluded.name
  returning id, name, type),
fields as (
  insert into session_fields (session_id, field_id, item, version, day, state, value_num, value_text)
  select session_id, field.id, item, version, day, state, value_num, value_text
  from answer join (select * from known union all select * from added) field using (name, type))`;

/**
 * Computes `sessions.total_cost` from the provider calls. `closed` contains the session's call whose cost the same statement
 * writes, or nothing.
 */
export const TOTAL_COST = `coalesce((
  select sum(cost_usd) from (
    select cost_usd from provider_calls
    where session_id = sessions.id and (step, attempt) not in (select step, attempt from closed)
    union all select cost_usd from closed) call), 0)`;

/** Stores the end of `:call`, the JSON of a `ClosedCall` of the session `:id`; nothing if it is null. */
export const CLOSE_CALL = `closed as (
    update provider_calls made set status = given.status, ended_at = now(), usage = given.usage,
      cost_usd = given.cost_usd, reserved_usd = coalesce(given.reserved_usd, made.reserved_usd),
      provider_request_id = given.provider_request_id,
      provider_response = (select given.provider_response from sessions where id = :id for key share)
    from jsonb_populate_record(cast(null as provider_calls), cast(:call as jsonb)) given
    where made.session_id = :id and made.step = given.step and made.attempt = given.attempt
    returning made.step, made.attempt, made.cost_usd)`;

/** Adds the cost of a call that ended after its session. */
export const ADD_LATE_COST = `
  update sessions set total_cost = coalesce((
    select sum(cost_usd) from provider_calls where session_id = sessions.id), 0)
  where id = ?`;
