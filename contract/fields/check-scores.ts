/** Checks the scores of a request. */
import type { z } from 'zod';
import type { FieldFault } from '../errors/field-errors.ts';
import { ruleIssue } from '../errors/rule.ts';
import { findMismatch } from './conditions.ts';
import { isNumber, isYesNo, questionsOf } from './field-types.ts';
import type { ResultField } from './result-fields.ts';
import { hasPoints, rangeOf, type Points } from './score.ts';

/** Adds an issue, which names the score, for each field that a score cannot use. */
export function checkScores(fields: readonly ResultField[], context: z.core.$RefinementCtx): void {
  const questions = questionsOf(fields);
  for (const [index, { name: score, of = [], must = [] }] of fields.entries()) {
    const refuse = (path: string, fault: FieldFault) => context.addIssue(ruleIssue([index, path], ...fault));
    for (const { field, points } of of) {
      const question = questions.find((each) => each.name === field && hasPoints(each));
      const fault: FieldFault | undefined = question
        ? findWrong(question, points)
        : ['not_field:score', { score, field }];
      if (fault) refuse('of', fault);
    }
    for (const condition of must)
      if (findMismatch(condition, questions)) refuse('must', ['not_field:condition', { score, condition }]);
  }
}

function findWrong(question: ResultField, points: Points): FieldFault | undefined {
  const { name: field, type, options = [] } = question;
  const answers = isYesNo(type) ? ['true', 'false'] : options;
  // Each number has one spelling, so no two bands begin at the same one.
  const isAnswer = (key: string) =>
    isNumber(type) ? String(Number(key)) === key && key !== 'NaN' : answers.includes(key);
  const key = Object.keys(points).find((each) => !isAnswer(each));
  if (key !== undefined) return ['not_an_option:points', { value: key, field }];
  return rangeOf(question, points).best > 0 ? undefined : ['empty:points', { field }];
}
