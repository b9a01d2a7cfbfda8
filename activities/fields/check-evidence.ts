/** Checks a model's quotes against the conversation. docs/decisions.md, "Evidence". */
import type { FieldEvidence, FieldValue, Quote, ResultField } from '../../contract/fields/result-fields.ts';
import type { Turn } from '../../contract/sessions/sessions.ts';
import { createCutQuote } from './cut-quote.ts';
import { isSpeaker, splitSpeaker } from './claimed-speaker.ts';
import { findQuote, type FoundQuote } from './find-quote.ts';
import { fold } from '../../contract/fields/fold.ts';
import { foldConversation, type FoldedConversation } from './folded-conversation.ts';
import { createSlices, type InSlices, type Steps } from './in-slices.ts';
import { areEvidence, CONTRACTION } from './said-words.ts';
import { isValueInQuote } from './value-in-quote.ts';
import { isWithinNumber } from './numerals.ts';

/** A quote that the model returned. */
export interface ClaimedWords {
  turn: number;
  quote: string;
}

/** A quote that the model returned for a field's value. */
export interface ClaimedQuote extends ClaimedWords {
  field: string;
}

interface CheckedQuotes {
  /** Number of quotes that were not found. */
  dropped: number;
  quotes: Quote[];
}

/** Quotes checked per field or speaker. The model is asked for three. */
const MAX_QUOTES = 5;

/** Longer quotes are not searched. The model is asked for single sentences. */
const MAX_QUOTE_CHARACTERS = 10_000;

/** Time limit for the check of one answer. Quotes not checked by then count as not found. */
const MAX_CHECK_MS = 2_000;

/** Returns the time limit that all checks of one answer share. */
export const createCheckTime = (): InSlices => createSlices(MAX_CHECK_MS);

/** Returns the evidence of each field with a value, unless the field has `evidence: false`. */
export async function checkEvidence(
  turns: readonly Turn[],
  fields: readonly ResultField[],
  values: Readonly<Record<string, FieldValue | null>>,
  claims: readonly ClaimedQuote[],
  inSlices = createCheckTime(),
): Promise<Record<string, FieldEvidence>> {
  const checkQuotes = createQuoteCheck(turns, inSlices);
  const evidence: [string, FieldEvidence][] = [];
  for (const field of fields) {
    const value = values[field.name] ?? null;
    if (value === null || !field.evidence) continue;
    const checked = await checkQuotes(claims.filter((each) => each.field === field.name));
    const words = checked.quotes.map(({ quote }) => quote);
    evidence.push([
      field.name,
      {
        verified: checked.quotes.length > 0,
        value_in_quote: (await inSlices(isValueInQuote(field, value, words))) ?? null,
        ...checked,
      },
    ]);
  }
  return Object.fromEntries(evidence);
}

/** Returns a function that searches these turns for quotes. */
export function createQuoteCheck(turns: readonly Turn[], inSlices: InSlices) {
  let conversation: FoldedConversation | undefined;
  let roles: string[] | undefined;
  let cutQuote: ReturnType<typeof createCutQuote> | undefined;

  function* find({ quote: claimed, turn }: ClaimedWords): Steps<Quote | undefined> {
    if (claimed.length > MAX_QUOTE_CHARACTERS) return undefined;
    conversation ??= yield* foldConversation(turns);
    cutQuote ??= createCutQuote(turns, conversation);
    roles ??= turns.map(({ role }) => fold(role));
    const { speaker, words } = splitSpeaker(claimed, new Set(roles));
    const isBy = (start: number, end: number) =>
      [start, end - 1].every((at) => isSpeaker(roles?.[conversation?.turnAt(at) ?? 0] ?? '', speaker ?? ''));
    const quote = fold(words);
    const isSaid = (start: number, end: number) =>
      (speaker === undefined || isBy(start, end)) && !isCutOff(conversation as FoldedConversation, start, end);
    const found = yield* findQuote(conversation, quote, turn, isSaid);
    if (!found || !(areEvidence(quote) || isWholeTurn(conversation, found))) return undefined;
    return yield* cutQuote(found);
  }

  return async function checkQuotes(claims: readonly ClaimedWords[]): Promise<CheckedQuotes> {
    const quotes: Quote[] = [];
    let dropped = 0;
    for (const claim of claims.slice(0, MAX_QUOTES)) {
      const found = await inSlices(find(claim));
      if (found) quotes.push(found);
      else dropped++;
    }
    return { dropped, quotes: withoutRepeats(quotes) };
  };
}

/** Words before or after which the same words say the contrary. A "no" before them can be a reply. */
const DENIES_NEXT = /^(?:not|never|neither|nor|не|ни|никогда|hech|ҳеч)$/u;
/** Words after which a sentence claims nothing: "if", "I did not say that", "не думаю, что". */
const DOUBTS_NEXT =
  /(?:^| )(?:(?:if|unless|whether|если|agar|агар)|(?:not|never|[a-z]{2,6}nt)(?: \p{L}{1,8})? (?:(?:say|said|think|mean)(?: that)?|true that)|не(?: \p{L}{1,12})? (?:(?:говор|сказа|дума|счита|утвержда)\p{L}{0,6}(?: что)?|правда что)) $/u;
/** After "no" with other words, a new sentence begins. */
const DENIES_LAST =
  /^(?:(?:emas|эмас|unless|except|кроме)(?: |$)|(?:yoq|йўқ|йуқ)(?:$| (?:ekan|edi|deb|dedi|экан|эди|деб|деди)))/u;
/** Begins a sentence of its own: "Why not, I will". */
const SUBJECT = /^(?:i[md]?|ive|ill|we|you|he|she|it|they)$/u;
const MAX_CONTEXT = 48;

/** Returns whether the part changes what was said: "working" of "it is not working", "an hour" of "an hour and a half". */
function isCutOff({ text, starts, turnAt }: FoldedConversation, start: number, end: number): boolean {
  const before = text.slice(Math.max(starts[turnAt(start)] ?? 0, start - MAX_CONTEXT), start);
  const after = text.slice(end + 1, Math.min((starts[turnAt(end - 1) + 1] ?? text.length) - 1, end + MAX_CONTEXT));
  const last = before.split(' ').at(-2) ?? '';
  const [first = ''] = text.slice(start, start + MAX_CONTEXT).split(' ');
  return (
    ((DENIES_NEXT.test(last) || CONTRACTION.test(last)) && !SUBJECT.test(first)) ||
    DOUBTS_NEXT.test(before) ||
    DENIES_LAST.test(after) ||
    isWithinNumber(before, text.slice(start, Math.min(start + MAX_CONTEXT, end))) ||
    isWithinNumber(text.slice(Math.max(start, end - MAX_CONTEXT), end), after)
  );
}

/** Returns whether the words are all that a turn says, such as "Yes.", and not only a letter. */
const isWholeTurn = ({ text, starts, turnAt }: FoldedConversation, { start, end }: FoundQuote): boolean => {
  const turn = turnAt(start);
  return end - start > 1 && start === starts[turn] && end + 1 === (starts[turn + 1] ?? text.length);
};

const withoutRepeats = (quotes: readonly Quote[]): Quote[] => [
  ...new Map(quotes.map((quote) => [`${quote.turn} ${quote.quote}`, quote])).values(),
];
