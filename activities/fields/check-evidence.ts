/** Checks a model's quotations against the conversation. docs/decisions.md, "Evidence". */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FieldEvidence, FieldValue, Quote, ResultField } from '../../contract/result-fields.ts';
import type { Turn } from '../../contract/sessions.ts';
import { createCutQuote } from './cut-quote.ts';
import { findQuote } from './find-quote.ts';
import { fold } from './fold.ts';
import { foldConversation } from './folded-conversation.ts';
import { isValueInQuote } from './value-in-quote.ts';

/** Words that the model says stand in the conversation. */
export interface ClaimedWords {
  turn: number;
  quote: string;
}

/** Words that the model says a field's value follows from. */
export interface ClaimedQuote extends ClaimedWords {
  field: string;
}

/** What came of looking for quotations. */
export interface CheckedQuotes {
  /** Quotations that stand nowhere. */
  dropped: number;
  quotes: Quote[];
}

/** Quotations of one field or speaker that are looked for. The model is asked for three. */
const MAX_QUOTES = 5;

/** After so many quotations others get their turn: a worker reports and receives while it checks. */
const SLICE = 10;

/** Returns the evidence of each field that has a value and asks for evidence. */
export async function checkEvidence(
  turns: readonly Turn[],
  fields: readonly ResultField[],
  values: Readonly<Record<string, FieldValue | null>>,
  claims: readonly ClaimedQuote[],
): Promise<Record<string, FieldEvidence>> {
  const checkQuotes = createQuoteCheck(turns);
  const evidence: [string, FieldEvidence][] = [];
  for (const field of fields) {
    const value = values[field.name] ?? null;
    if (value === null || !field.evidence) continue;
    const checked = await checkQuotes(claims.filter((each) => each.field === field.name));
    evidence.push([field.name, assess(field, value, checked)]);
  }
  return Object.fromEntries(evidence);
}

/** Returns a function that looks for quotations in these turns. */
export function createQuoteCheck(turns: readonly Turn[]) {
  const conversation = foldConversation(turns);
  const cutQuote = createCutQuote(turns, conversation);
  let looked = 0;

  return async function checkQuotes(claims: readonly ClaimedWords[]): Promise<CheckedQuotes> {
    const quotes: Quote[] = [];
    let dropped = 0;
    for (const { quote, turn } of claims.slice(0, MAX_QUOTES)) {
      if (++looked % SLICE === 0) await nextTurn();
      const found = findQuote(conversation, fold(quote), turn);
      if (found) quotes.push(cutQuote(found));
      else dropped++;
    }
    return { dropped, quotes: withoutRepeats(quotes) };
  };
}

function assess(field: ResultField, value: FieldValue, { dropped, quotes }: CheckedQuotes): FieldEvidence {
  const words = quotes.map(({ quote }) => quote);
  return {
    verified: quotes.length > 0,
    value_in_quote: isValueInQuote(field, value, words),
    dropped,
    quotes,
  };
}

function withoutRepeats(quotes: readonly Quote[]): Quote[] {
  const placeOf = ({ turn, quote }: Quote) => `${turn} ${quote}`;
  return [...new Map(quotes.map((quote) => [placeOf(quote), quote])).values()];
}
