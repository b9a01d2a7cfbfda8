/** The rows of field values: those of the model, or those that people decided. */
import { VALUE_CHARACTERS } from '../../contract/fields/field-rows.ts';
import type { ValueSource } from '../../contract/values/session-lists.ts';

/**
 * Returns the relation of the values. With `reviewed`, the answer of a review replaces the rows of the model.
 * @param sessionId SQL of the session whose values are read; default: all, which takes as long as reading all.
 */
export function valueRows(values: ValueSource = 'model', sessionId?: string): string {
  if (values === 'model') return 'session_fields';
  const ofSession = (table: string) => (sessionId === undefined ? '' : `and ${table}.session_id = ${sessionId}`);
  return `(
    select session_id, field_id, item, version, day, state, value_num, value_text from session_fields model
    where not exists (
      select from session_reviews review join assistant_fields field on field.id = model.field_id
      where review.session_id = model.session_id and review.answers -> field.name is not null) ${ofSession('model')}
    union all
    select review.session_id, field.id, cast(place - 1 as smallint), version, day, cast(2 as smallint),
      case jsonb_typeof(value) when 'number' then cast(value as numeric)
        when 'boolean' then cast(cast(cast(value as boolean) as integer) as numeric) end,
      case jsonb_typeof(value) when 'string' then left(value #>> '{}', ${VALUE_CHARACTERS}) collate "C" end
    from session_reviews review
    join assistant_fields field on (field.workspace_id, field.assistant_id) = (review.workspace_id, review.assistant_id)
      and field.type = review.marks -> field.name ->> 'type'
    cross join lateral (select review.answers -> field.name as answer) given
    cross join lateral jsonb_array_elements(
      case jsonb_typeof(answer) when 'array' then answer else jsonb_build_array(answer) end
    ) with ordinality each (value, place)
    where answer is not null ${ofSession('review')})`;
}
