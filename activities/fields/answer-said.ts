/** Answers fields of the type `said`: whether somebody said one of their phrases. No model takes part. docs/results.md, "Required wording". */
import type {
  FieldEvidence,
  FieldProblem,
  FieldResults,
  Quote,
  ResultField,
} from '../../contract/fields/result-fields.ts';
import type { Turn } from '../../contract/sessions/sessions.ts';
import { createQuoteCheck, type RoleOf } from './check-evidence.ts';
import type { IsBy } from './find-quote.ts';
import type { InSlices } from './in-slices.ts';

const PROBLEMS: Record<'no_roles' | 'no_times' | 'not_searched', string> = {
  no_roles: 'the conversation does not show who said it',
  no_times: 'the conversation has no times',
  not_searched: 'the conversation could not be searched completely',
};

type Answer = { value: boolean; evidence: FieldEvidence } | { problem: FieldProblem };

/** Returns the results with the values of these fields, their quotes, or why there is no value. */
export async function answerSaid(
  turns: readonly Turn[],
  declared: readonly ResultField[],
  results: FieldResults,
  { inSlices, roleOf }: { inSlices: InSlices; roleOf: RoleOf },
): Promise<FieldResults> {
  const search = createQuoteCheck(turns, inSlices);
  const { fields, evidence } = results;
  const problems = { ...results.problems };
  for (const field of declared.filter(({ type }) => type === 'said')) {
    const answer = await answerOne(turns, field, search, roleOf);
    fields[field.name] = 'value' in answer ? answer.value : null;
    if ('value' in answer) evidence[field.name] = answer.evidence;
    else problems[field.name] = answer.problem;
  }
  return { ...results, ...(Object.keys(problems).length > 0 && { problems }) };
}

async function answerOne(
  turns: readonly Turn[],
  { phrases = [], by, within_s }: ResultField,
  search: ReturnType<typeof createQuoteCheck>,
  roleOf: RoleOf,
): Promise<Answer> {
  const problem = (code: keyof typeof PROBLEMS): Answer => ({ problem: { code, message: PROBLEMS[code] } });
  if (within_s !== undefined && turns.some(({ start_s }) => start_s === undefined)) return problem('no_times');
  const isInTime = ({ turn, start_s = turns[turn]?.start_s ?? 0 }: Quote) =>
    within_s === undefined || start_s <= within_s;
  const isRight = (speaker: string) => by === undefined || roleOf(speaker) === by;
  const mayBeRight = (speaker: string) => isRight(speaker) || roleOf(speaker) === null;
  // The first place of each phrase is the nearest to the first turn.
  const found = async (isBy: IsBy) => {
    const all = [];
    for (const quote of phrases) all.push(await search([{ turn: 0, quote }], isBy));
    return all;
  };
  const right = await found(isRight);
  const quotes = right.flatMap((each) => each.quotes.slice(0, 1)).filter(isInTime);
  const proof = { value_in_quote: null, dropped: 0 };
  if (quotes.length > 0) return { value: true, evidence: { verified: true, ...proof, quotes } };
  if (right.some(({ unchecked }) => unchecked)) return problem('not_searched');
  if (by !== undefined) {
    const others = await found(mayBeRight);
    if (others.some((each) => each.quotes.some(isInTime))) return problem('no_roles');
    if (turns.every(({ role }) => roleOf(role) === null)) return problem('no_roles');
  }
  const late = right.flatMap(({ quotes: [each] }) =>
    each ? { quote: each.quote, match: 'similar' as const, nearest: each.quote, context: each.context ?? '' } : [],
  );
  const unfound = [...late, ...right.flatMap((each) => each.unfound ?? [])];
  return { value: false, evidence: { verified: true, ...proof, quotes: [], ...(unfound.length > 0 && { unfound }) } };
}
