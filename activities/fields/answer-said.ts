/** Answers fields of the type `said`: whether somebody said one of their phrases. No model takes part. docs/results.md, "Who said it". */
import type { FieldEvidence, FieldResults, Quote, ResultField } from '../../contract/fields/result-fields.ts';
import type { Turn } from '../../contract/sessions/sessions.ts';
import { createQuoteCheck, type RoleOf } from './check-evidence.ts';
import { createSlices } from './in-slices.ts';

const PROBLEMS = {
  no_roles: '`by` needs roles',
  no_times: '`within_s` needs times',
};

type Answer = { value: boolean; evidence: FieldEvidence } | keyof typeof PROBLEMS;

/** Returns the results with the values of these fields, their quotes, or why there is no value. */
export async function answerSaid(
  turns: readonly Turn[],
  declared: readonly ResultField[],
  results: FieldResults,
  roleOf: RoleOf,
): Promise<FieldResults> {
  // A search takes linear time. Without a limit, it is always complete.
  const search = createQuoteCheck(turns, createSlices(Infinity));
  const { fields, evidence } = results;
  const problems = { ...results.problems };
  for (const field of declared.filter(({ type }) => type === 'said')) {
    const answer = await answerOne(turns, field, search, roleOf);
    fields[field.name] = typeof answer === 'string' ? null : answer.value;
    if (typeof answer === 'string') problems[field.name] = { code: answer, message: PROBLEMS[answer] };
    else evidence[field.name] = answer.evidence;
  }
  return { ...results, ...(Object.keys(problems).length > 0 && { problems }) };
}

async function answerOne(
  turns: readonly Turn[],
  { phrases = [], by, within_s }: ResultField,
  search: ReturnType<typeof createQuoteCheck>,
  roleOf: RoleOf,
): Promise<Answer> {
  if (within_s !== undefined && turns.some(({ start_s }) => start_s === undefined)) return 'no_times';
  if (by !== undefined && turns.every(({ role }) => roleOf(role) === null)) return 'no_roles';
  const isInTime = ({ turn, start_s = turns[turn]?.start_s ?? 0 }: Quote) => start_s <= (within_s ?? Infinity);
  // The first place of each phrase is the nearest to the first turn.
  const claims = phrases.map((quote) => ({ turn: 0, quote }));
  const found = await search(claims, (name) => by === undefined || roleOf(name) === by);
  const quotes = found.quotes.filter(isInTime);
  const evidence = { verified: true, value_in_quote: null, dropped: 0 };
  if (quotes.length > 0) return { value: true, evidence: { ...evidence, quotes } };
  const unknown = by === undefined ? [] : (await search(claims, (name) => roleOf(name) === null)).quotes;
  if (unknown.some(isInTime)) return 'no_roles';
  // With what was said too late, and the nearest passages of what was not said.
  return { value: false, evidence: { ...found, ...evidence } };
}
