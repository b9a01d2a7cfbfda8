/** Checks a model's quotes against the conversation. docs/results.md, "Verified quotes". */
import type {
  FieldEvidence,
  FieldValue,
  Quote,
  ResultField,
  UnfoundQuote,
} from '../../contract/fields/result-fields.ts';
import type { SpeakerRole } from '../../contract/values/constants.ts';
import type { Turn } from '../../contract/sessions/sessions.ts';
import { cutPassage, cutQuote } from './cut-quote.ts';
import { findQuote, splitSpeaker, type IsBy } from './find-quote.ts';
import { createSlices, type InSlices, type Steps } from './in-slices.ts';
import { nearestPassage } from './nearest-passage.ts';
import { indexWords, readWords, type SpokenWords } from './spoken-words.ts';
import { isValueInQuote } from './value-in-quote.ts';

/** A quote that the model returned. */
export interface ClaimedWords {
  turn: number;
  quote: string;
}

/** A quote that the model returned for a field's value. */
export interface ClaimedQuote extends ClaimedWords {
  field: string;
}

/** Returns the role of a speaker's name; null: unknown. */
export type RoleOf = (name: string) => SpeakerRole | null;

/** Quotes that were said, and those that were not. */
type CheckedQuotes = Pick<FieldEvidence, 'dropped' | 'quotes' | 'unfound' | 'unchecked'>;

/** Quotes checked per field or speaker. The model is asked for three. */
export const MAX_QUOTES = 5;

/** Longer quotes are not searched. The model is asked for single sentences. */
const MAX_QUOTE_CHARACTERS = 10_000;

/** Time limit for the check of one answer. */
const MAX_CHECK_MS = 2_000;

/** Time limit for the nearest passages, which have no influence on what is verified. */
const MAX_NEAREST_MS = 500;

/** Returns the time limit that all checks of one answer share. */
export const createCheckTime = (): InSlices => createSlices(MAX_CHECK_MS);

/** Returns the evidence of each field with a value, unless the field has `evidence: false`. */
export async function checkEvidence(
  turns: readonly Turn[],
  fields: readonly ResultField[],
  values: Readonly<Record<string, FieldValue | null>>,
  claims: readonly ClaimedQuote[],
  inSlices = createCheckTime(),
  roleOf: RoleOf = () => null,
): Promise<Record<string, FieldEvidence>> {
  const checkQuotes = createQuoteCheck(turns, inSlices);
  const evidence: [string, FieldEvidence][] = [];
  for (const field of fields) {
    const value = values[field.name] ?? null;
    if (value === null || !field.evidence) continue;
    const { said_by: by } = field;
    const own = claims.filter((each) => each.field === field.name).slice(0, MAX_QUOTES);
    const right = await checkQuotes(own, (speaker) => by === undefined || roleOf(speaker) === by);
    // What another one said is shown, but verifies nothing.
    const checked = right.quotes.length > 0 || by === undefined ? right : await checkQuotes(own);
    const hasNoRoles = by !== undefined && turns.every(({ role }) => roleOf(role) === null);
    const words = checked.quotes.map(({ quote }) => quote);
    evidence.push([
      field.name,
      {
        verified: right.quotes.length > 0,
        ...(hasNoRoles && { reason: 'no_roles' as const }),
        value_in_quote: (await inSlices(isValueInQuote(field, value, words))) ?? null,
        ...checked,
      },
    ]);
  }
  return Object.fromEntries(evidence);
}

/** Returns a function that searches these turns for quotes, of one speaker or of any. */
export function createQuoteCheck(turns: readonly Turn[], inSlices: InSlices) {
  const nearestInSlices = createSlices(MAX_NEAREST_MS);
  let spoken: SpokenWords | undefined;

  function* find({ quote, turn }: ClaimedWords, isBy: IsBy): Steps<Quote[] | null> {
    const named = Math.min(Math.max(Math.trunc(turn) || 0, 0), turns.length - 1);
    spoken ??= yield* indexWords(turns);
    const passages = yield* findQuote(spoken, quote, named, isBy);
    return passages?.map((passage) => cutQuote(spoken as SpokenWords, passage, named)) ?? null;
  }

  function* describe(quote: string, isBy: IsBy): Steps<UnfoundQuote> {
    if (!spoken) return { quote, match: 'none' };
    const words = [...readWords(splitSpeaker(spoken, quote).words)].map(({ word }) => word);
    const passage = yield* nearestPassage(spoken, words, isBy);
    if (!passage) return { quote, match: 'none' };
    const { text, context } = cutPassage(spoken, passage);
    return { quote, match: 'similar', nearest: text, context };
  }

  return async function checkQuotes(claims: readonly ClaimedWords[], isBy: IsBy = () => true): Promise<CheckedQuotes> {
    const quotes: Quote[] = [];
    const unfound: UnfoundQuote[] = [];
    let unchecked = 0;
    for (const claim of claims) {
      const { quote } = claim;
      const isSearched = quote.length <= MAX_QUOTE_CHARACTERS;
      const found = isSearched ? await inSlices(find(claim, isBy)) : undefined;
      if (found) quotes.push(...found);
      else if (found === undefined) unchecked += 1;
      else unfound.push((await nearestInSlices(describe(quote, isBy))) ?? { quote, match: 'none' });
    }
    return {
      ...{ dropped: unfound.length, quotes: withoutRepeats(quotes) },
      ...(unfound.length > 0 && { unfound }),
      ...(unchecked > 0 && { unchecked }),
    };
  };
}

const withoutRepeats = (quotes: readonly Quote[]): Quote[] => [
  ...new Map(quotes.map((quote) => [`${quote.turn} ${quote.quote}`, quote])).values(),
];
