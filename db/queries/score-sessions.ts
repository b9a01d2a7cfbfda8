/** Computes the scores of completed sessions again, with the points that their assistant has now. */
import type { Transaction } from 'objection';
import { fieldRowsOf } from '../../contract/fields/field-rows.ts';
import { questionsOf } from '../../contract/fields/field-types.ts';
import type { FieldResults, ResultField } from '../../contract/fields/result-fields.ts';
import { withScores } from '../../contract/fields/score.ts';
import { markAnswers, withScoredAnswers } from '../../contract/reviews/mark-answers.ts';
import type { BatchModel } from '../models/batch.ts';
import { correctedIn, SessionReviewModel } from '../models/session-review.ts';
import { readRows } from '../statements.ts';
import { STORE_FIELDS } from './session-end.ts';

const READ = `select id, assistant -> 'fields' as declared, raw_response -> 'fields' as fields,
    coalesce((select jsonb_object_agg(key, jsonb_build_object('verified', value -> 'verified'))
      from jsonb_each(raw_response -> 'evidence')), '{}') as evidence
  from sessions where id = any(cast(:ids as text[])) order by id for no key update`;

const FORGET = `delete from session_fields answer using assistant_fields field
  where answer.session_id = any(cast(:ids as text[])) and field.id = answer.field_id and field.type = 'score'`;

const STORE = `with given as (
    select * from jsonb_to_recordset(cast(:scored as jsonb)) as given (id text, fields jsonb, scores jsonb, declared jsonb, field_rows jsonb)),
  ended as (
    update sessions set assistant = assistant || jsonb_build_object('fields', given.declared),
      raw_response = raw_response || jsonb_build_object('fields', given.fields, 'scores', given.scores)
    from given where sessions.id = given.id
    returning sessions.id, workspace_id, assistant_id, assistant_version, source_session_id, trial, occurred_at, created_at, field_rows),
  ${STORE_FIELDS('ended.field_rows')}
  update session_changes set updated_at = greatest(updated_at, now()) where session_id in (select id from given)`;

/** Stores the scores of the batch's settings. The questions and their answers remain, and so do those that other questions replaced. */
export async function scoreSessions<S extends { id: string }>(batch: BatchModel, sources: S[], trx: Transaction) {
  const ids = sources.map(({ id }) => id);
  const scores = (batch.settings?.fields ?? []).filter(({ type }) => type === 'score');
  const found = await readRows<(FieldResults & { id: string; declared: ResultField[] })[]>(READ, { ids }, trx);
  const scored = found.map(({ id, declared: former, fields: values, evidence }) => {
    const questions = questionsOf(former);
    const declared = [...questions, ...scores.filter(({ name }) => !questions.some((each) => each.name === name))];
    const answers = Object.fromEntries(questions.map(({ name }) => [name, values[name] ?? null]));
    const results = withScores(declared, { fields: answers, evidence }, batch.assistant_version);
    const rows = fieldRowsOf(declared, { ...results }).filter(({ type }) => type === 'score');
    return { id, fields: results.fields, scores: results.scores ?? {}, declared, evidence, field_rows: rows };
  });
  await trx.raw(FORGET, { ids });
  await trx.raw(STORE, { scored: JSON.stringify(scored) });
  const sessionOf = new Map(scored.map((session) => [session.id, session]));
  for (const review of await SessionReviewModel.query(trx).findByIds(ids)) {
    const { declared, ...raw_response } = sessionOf.get(review.session_id) ?? { declared: [] };
    const session = { assistant: { fields: declared }, raw_response };
    const answers = withScoredAnswers(session, review.answers);
    const marks = markAnswers(session, answers, review.unsure);
    await review.$query(trx).patch({ answers, marks, corrected: correctedIn(marks) });
  }
  return sources;
}
