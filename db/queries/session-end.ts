/** The data of a session's end, and the statement that stores it. */
import type { FieldEncoding } from '../../contract/values/constants.ts';
import type { AnsweredBy } from '../../contract/sessions/sessions.ts';
import type { LeftOut } from '../../contract/sessions/left-out.ts';
import type { SessionError } from '../../contract/errors/session-error.ts';
import type { SessionRoles } from '../../contract/values/roles.ts';
import { CLOSE_CALL, TOTAL_COST } from '../models/call-cost.ts';
import { SESSION_FINISHED_CHANNEL } from '../models/session.ts';
import { HAS_WEBHOOK, NOTIFIES } from './find-webhook.ts';

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
 * Stores the words of sessions for searches, in their base form. No word starts with `/`, so a search never finds the workspace.
 * @param sessions SQL of rows with `id`, `workspace_id`, and the `words` that `searchedWords` returns.
 * @param isNormal null: a sweep stores the words again.
 */
export const STORE_WORDS = (sessions: string, condition = '', isNormal = 'true') => `
  insert into session_words (session_id, words, is_normal)
  select id, array_to_tsvector(array['/' || workspace_id]) || to_tsvector('session_words', words), ${isNormal} from ${sessions}
  on conflict (session_id) do update set words = excluded.words, is_normal = excluded.is_normal ${condition}`;

/** The metadata may have changed since the words were read. */
const IS_PRESENT = 'nullif(metadata = cast(:metadata as jsonb), false)';

/**
 * Stores the values of `field_rows` of sessions that the query `ended` returns. A field that another session adds at the same
 * moment is not visible to this statement, so its row is updated to get its ID.
 */
export const STORE_FIELDS = (rows: string) => `
  answer as (
    select ended.id as session_id, ended.workspace_id, ended.assistant_id,
      -- Results count no experiments: rows without a version.
      case when ended.source_session_id is null and not ended.trial then ended.assistant_version end as version,
      cast(coalesce(ended.occurred_at, ended.created_at) at time zone 'UTC' as date) as day, given.*
    from ended, jsonb_to_recordset(${rows})
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

/** Stores the end of the call, the session, its fields and its deliveries together. The notification is sent with the commit. */
export const FINISH = `
  with closed as (${CLOSE_CALL}),
  ended as (
    update sessions set status = given.status, completed_at = now(), waiting = null, error = given.error,
      summary_text = given.summary_text, raw_response = given.raw_response,
      temperature_applied = given.temperature_applied, field_encoding = given.field_encoding,
      left_out = nullif(coalesce((
        select jsonb_agg(earlier) from jsonb_array_elements(coalesce(sessions.left_out, '[]')) earlier
        where earlier ->> 'step' = 'transcription'), '[]') || coalesce(given.left_out, '[]'), '[]'),
      answered_by = coalesce(given.answered_by, sessions.answered_by),
      roles = coalesce(given.roles, sessions.roles), total_cost = ${TOTAL_COST('closed')}
    from jsonb_populate_record(cast(null as sessions), cast(:end as jsonb)) given
    where sessions.id = :id and sessions.status = any(cast(:from as text[]))
    returning sessions.*),
  words as (${STORE_WORDS('(select *, cast(:words as text) as words from ended) ended', '', IS_PRESENT)}),
  ${STORE_FIELDS('cast(:field_rows as jsonb)')},
  delivery as (
    insert into deliveries (id, workspace_id, session_id, assistant_id, workflow_id, event, payload, next_attempt_at)
    select :deliveryId, ended.workspace_id, ended.id, ended.assistant_id, ended.id, :event, :payload, now()
    from ended join assistants on assistants.id = ended.assistant_id
    where not ended.trial and ${HAS_WEBHOOK('ended.batch_id', ':event')}
    returning id),
  alerted as (
    insert into deliveries (id, workspace_id, session_id, assistant_id, workflow_id, event, alert, payload, next_attempt_at)
    select given.id, ended.workspace_id, ended.id, ended.assistant_id, given.id, 'session.alert', given.alert, given.payload, now()
    from ended, json_to_recordset(cast(:alerts as json)) as given (id text, alert text, payload text)
    where not ended.trial and ${NOTIFIES('ended.batch_id')}
    returning id)
  select (select id from delivery) as delivery_id, exists (select from alerted) as has_alerts, pg_notify('${SESSION_FINISHED_CHANNEL}', id) from ended`;
