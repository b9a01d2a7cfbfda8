/** The sessions of a reanalysis before and after, with what the reviews say about each value. */
import type {
  BatchComparison,
  BatchComparisonItem,
  FieldComparison,
} from '../../contract/sessions/batch-comparison.ts';
import { areEqualValues } from '../../contract/fields/equal-values.ts';
import { fieldValueOf } from '../../contract/fields/field-value.ts';
import { judgedBy } from '../../contract/fields/score.ts';
import type { BatchModel } from '../../db/models/batch.ts';
import { countChanges, findComparedPage, type ComparedPair } from '../../db/queries/compare-batch.ts';
import { listReviewedPairs, readPairs, type ReviewedPair } from '../../db/queries/compare-reviewed.ts';
import type { PageRequest } from '../../db/page.ts';

interface Request extends PageRequest {
  changed?: string | undefined;
  different?: boolean | undefined;
}

/** Whether the values of a field were and are right; both are null without a review of the same question. */
type Marks = Map<string, Pick<FieldComparison, 'was_right' | 'is_right'>>;

export async function compareSessions(batch: BatchModel, request: Request): Promise<BatchComparison> {
  const first = request.different ? await rankPairs(batch, request.changed) : [];
  const { rows, next_cursor } = await findComparedPage(batch.id, { ...request, first });
  const ids = rows.map(({ before, after }) => ({ source_session_id: before.session_id, session_id: after.session_id }));
  const marks = new Map<string, Marks>();
  for await (const pair of readPairs(ids)) marks.set(pair.source_session_id, marksOf(batch, pair));
  const data = rows.map((pair) => presentPair(pair, marks.get(pair.before.session_id)));
  return { data, next_cursor, totals: request.cursor === undefined ? await countChanges(batch) : null };
}

/** Returns the sources of pairs with a reviewed value that changed: right to wrong, wrong to wrong, then wrong to right. */
async function rankPairs(batch: BatchModel, changed: string | undefined): Promise<string[]> {
  const ranks: [id: string, rank: number][] = [];
  const { listed } = await listReviewedPairs(batch);
  for await (const pair of readPairs(listed)) {
    const of = [...marksOf(batch, pair)].flatMap(([name, { was_right, is_right }]) =>
      (changed ?? name) !== name || !isChanged(pair, name) ? [] : is_right ? 2 : was_right ? 0 : 1,
    );
    if (of.length > 0) ranks.push([pair.source_session_id, Math.min(...of)]);
  }
  return ranks.sort(([a, one], [b, other]) => one - other || (a < b ? 1 : -1)).map(([id]) => id);
}

const isChanged = ({ before, after }: Pick<ReviewedPair, 'before' | 'after'>, name: string) =>
  changeOf(before?.[name], after?.[name]) !== 'same';

function marksOf({ settings }: BatchModel, { answers, same, before, after }: ReviewedPair): Marks {
  const isJudged = (name: string) => Object.hasOwn(answers, name) && same.includes(name);
  const judged = (settings?.fields ?? []).filter((field) => judgedBy(field).every(isJudged));
  return new Map(
    judged.map(({ name, type }) => {
      const [was_right = null, is_right = null] = [before, after].map((values) =>
        areEqualValues(type, fieldValueOf(values ?? {}, name), answers[name] ?? null),
      );
      return [name, { was_right, is_right }];
    }),
  );
}

function presentPair({ before, after, metadata }: ComparedPair, marks: Marks | undefined): BatchComparisonItem {
  const names = [...new Set([...Object.keys(before.fields ?? {}), ...Object.keys(after.fields ?? {})])].sort();
  const fields = names.map((name): FieldComparison => {
    const [one = null, other = null] = [before.fields?.[name], after.fields?.[name]];
    const mark = marks?.get(name) ?? { was_right: null, is_right: null };
    return { name, before: one, after: other, change: changeOf(one, other), ...mark };
  });
  return { before: withoutFields(before), after: withoutFields(after), metadata, fields };
}

const withoutFields = ({ fields: _, ...session }: ComparedPair['before']) => session;

function changeOf(before: unknown = null, after: unknown = null): FieldComparison['change'] {
  // Values are texts, numbers, booleans and lists of texts, so equal values have equal JSON.
  if (JSON.stringify(before) === JSON.stringify(after)) return 'same';
  if (before === null) return 'gained';
  return after === null ? 'lost' : 'changed';
}
