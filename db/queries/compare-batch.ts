/** Compares the sessions of a reanalysis batch with their source sessions. */
import type { BatchComparisonItem, BatchTotals } from '../../contract/sessions/batch-comparison.ts';
import type { BatchModel } from '../models/batch.ts';
import { toPage, type Page, type PageRequest } from '../page.ts';
import { readRows } from '../statements.ts';

type ComparedRow = BatchComparisonItem['before'] & { fields: Record<string, unknown> | null };

export interface ComparedPair {
  metadata: Record<string, string>;
  before: ComparedRow;
  after: ComparedRow;
}

interface PairsRequest extends PageRequest {
  /** A field whose value must differ. */
  changed?: string | undefined;
  /** Whether the summary or a value must differ. */
  different?: boolean | undefined;
  /** IDs of the source sessions that come first, in this order. */
  first: string[];
}

/** Returns a page of pairs, newest source session first after those of `first`. */
export async function findComparedPage(
  batchId: string,
  { changed = '', different = false, first, limit, cursor }: PairsRequest,
): Promise<Page<ComparedPair>> {
  const part = (path: string) => (side: string) => `nullif(${side}.raw_response #> ${path}, 'null')`;
  const differs = (print: (side: string) => string) => `${print('before')} is distinct from ${print('after')}`;
  const [value, values] = [part("array['fields', :changed]"), part("'{fields}'")];
  // A page after a pair of `first` begins with the next one.
  const place = first.indexOf(cursor ?? '');
  const isLater = cursor !== undefined && place < 0;
  const rows = await readRows<ComparedPair[]>(
    `select ${toJson('before')} as before, ${toJson('after')} as after, before.metadata
     from batch_items item
     join sessions before on before.id = item.source_session_id
     join sessions after on after.id = item.session_id
     left join unnest(cast(:next as text[])) with ordinality front (id, place) on front.id = item.source_session_id
     where item.batch_id = :batchId and not item.source_session_id = any(:passed)
       ${isLater ? 'and item.source_session_id < :cursor' : ''}
       ${changed === '' ? '' : `and ${differs(value)}`}
       ${different ? `and (${differs(values)} or ${differs((side) => `${side}.summary_text`)})` : ''}
     order by front.place, item.source_session_id desc limit :limit`,
    {
      batchId,
      changed,
      cursor: cursor ?? '',
      limit: limit + 1,
      next: isLater ? [] : first.slice(place + 1),
      passed: isLater ? first : first.slice(0, place + 1),
    },
  );
  return toPage(rows, limit, ({ before }) => before.session_id);
}

const toJson = (side: string) => `(
  select json_build_object('session_id', ${side}.id, 'status', ${side}.status, 'summary_text', ${side}.summary_text,
    'fields', ${side}.raw_response -> 'fields', ${SPENT})
  from provider_calls call where call.session_id = ${side}.id and call.step = 'analysis')`;

const SPENT = `'cost_usd', coalesce(sum(call.cost_usd), 0),
  'duration_s', coalesce(sum(extract(epoch from call.ended_at - call.started_at)), 0)`;

/** Number of pairs in the totals. Reading more results takes too long for a request. */
export const SAMPLE = 5_000;

/** Counts the changes over all pairs whose new session is completed, or over an even sample of them. */
export async function countChanges({ id, completed }: BatchModel): Promise<BatchTotals> {
  const everyNth = Math.max(1, Math.ceil(completed / SAMPLE));
  const values = { id, everyNth };
  const [[counted], fields] = await Promise.all([
    readRows<[Omit<BatchTotals, 'sampled' | 'fields'>]>(
      `with pair as (${PAIRS})
       select (select count(*) from pair)::int as sessions, ${spentOf('before')} as before, ${spentOf('after')} as after`,
      values,
    ),
    readRows<BatchTotals['fields']>(
      `with pair as materialized (${PAIRS})
       select name, count(*) filter (where before is not distinct from after)::int as same,
         count(*) filter (where before <> after)::int as changed,
         count(*) filter (where before is null and after is not null)::int as gained,
         count(*) filter (where before is not null and after is null)::int as lost
       from pair
       join sessions source on source.id = pair.before_id
       join sessions made on made.id = pair.after_id
       cross join lateral (
         select coalesce(b.key, a.key) as name, nullif(b.value, 'null') as before, nullif(a.value, 'null') as after
         from jsonb_each(case jsonb_typeof(source.raw_response -> 'fields') when 'object'
             then source.raw_response -> 'fields' end) b
           full join jsonb_each(case jsonb_typeof(made.raw_response -> 'fields') when 'object'
             then made.raw_response -> 'fields' end) a on a.key = b.key) field
       group by name order by name`,
      values,
    ),
  ]);
  return { ...counted, sampled: everyNth > 1, fields };
}

const PAIRS = `select before.id as before_id, after.id as after_id
  from batch_items item
  join sessions before on before.id = item.source_session_id
  join sessions after on after.id = item.session_id and after.status = 'completed'
  where item.batch_id = :id and item.outcome = 'completed' and mod(hashtext(item.source_session_id), :everyNth) = 0`;

const spentOf = (side: 'before' | 'after') => `(
  select json_build_object(${SPENT}) from pair join provider_calls call on call.session_id = pair.${side}_id
  where call.step = 'analysis')`;
