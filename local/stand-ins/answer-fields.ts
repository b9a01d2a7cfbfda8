/** Answers fields and roles for the stand-ins: by words of the question and phrases of operators, without a model. */
import type { SpokenTurn } from './analyze.ts';
import type { FieldType } from '../../contract/values/constants.ts';
import { invent, type Lies } from './directives.ts';

interface FieldAnswer {
  values: unknown[];
  quotes: { turn: number; quote: string }[];
}

/** A sentence of a turn. `hits` is the number of its words that occur in the question. */
interface Sentence {
  turn: number;
  text: string;
  hits: number;
}

/** Returns the fields and the evidence of the response. */
export function answerFields({ fields, asRows }: Declaration, turns: readonly SpokenTurn[], lies: Lies) {
  const answers = fields.map((field) => [field.name, lie(field, answer(field, turns), lies)] as const);
  return {
    evidence: answers.flatMap(([field, { quotes }]) => quotes.map((quote) => ({ field, ...quote }))),
    fields: asRows
      ? answers.flatMap(([name, { values }]) =>
          (values.length > 0 ? values : ['']).map((value) => ({ name, value: String(value) })),
        )
      : Object.fromEntries(answers.map(([name, { values }]) => [name, values])),
  };
}

function lie({ name }: DeclaredField, { values, quotes }: FieldAnswer, lies: Lies): FieldAnswer {
  const value = lies.values.get(name);
  const claimed = value === undefined ? values : value === null ? [] : [value];
  return {
    values: claimed,
    quotes: quotes.map(({ turn, quote }) => ({ turn, quote: lies.inventsQuotes ? invent(name) : quote })),
  };
}

function answer(field: DeclaredField, turns: readonly SpokenTurn[]): FieldAnswer {
  const sentences = rank(field, turns);
  switch (field.type) {
    case 'enum':
      return chooseOption(field, turns);
    case 'integer':
    case 'number':
    case 'score':
      return findNumber(field, sentences);
    case 'boolean':
    case 'said':
      return answerWith(sentences, ({ text }) => !NEGATION.test(text));
    case 'string_list':
      return { values: sentences.slice(0, 3).map(shortTextOf), quotes: sentences.slice(0, 3).map(quoteOf) };
    case 'string':
      return answerWith(withReply(withCodeFirst(sentences), turns), ({ text }) => CODE.exec(text)?.[0] ?? text);
  }
}

const NEGATION = /\b(?:not?|never|\w+n['’]t)\b|(?:^|\s)не\s/i;
/** A code such as N-20418 or A-104822, or digits in words. */
const CODE = /\b[A-Z]{1,3}-?\d{3,}\b|\b(?:(?:zero|one|two|three|four|five|six|seven|eight|nine)\b ?){3,}(?<! )/;

const withCodeFirst = (sentences: readonly Sentence[]) =>
  sentences.toSorted((a, b) => Number(CODE.test(b.text)) - Number(CODE.test(a.text)));

/** Returns the reply if the best sentence is a question. */
function withReply([best, ...others]: readonly Sentence[], turns: readonly SpokenTurn[]): Sentence[] {
  const after = best?.text.endsWith('?') ? turns[turns.findIndex(({ number }) => number === best.turn) + 1] : undefined;
  return [...(after ? sentencesOf([after]).slice(0, 1) : []), ...(best ? [best] : []), ...others];
}

const shortTextOf = ({ text }: Sentence) => text.slice(0, 120);
const quoteOf = ({ turn, text }: Sentence) => ({ turn, quote: text });

function answerWith([best]: readonly Sentence[], valueOf: (sentence: Sentence) => unknown): FieldAnswer {
  return best ? { values: [valueOf(best)], quotes: [quoteOf(best)] } : { values: [], quotes: [] };
}

function chooseOption({ options }: DeclaredField, turns: readonly SpokenTurn[]): FieldAnswer {
  for (const sentence of sentencesOf(turns)) {
    const option = options.find((each) => sentence.text.toLowerCase().includes(each.toLowerCase()));
    if (option !== undefined) return { values: [option], quotes: [quoteOf(sentence)] };
  }
  return { values: [], quotes: [] };
}

/** Returns the first number that is within the field's limits. */
function findNumber({ type, question }: DeclaredField, sentences: readonly Sentence[]): FieldAnswer {
  const least = Number(/at least (-?[\d.]+\d|-?\d)/.exec(question)?.[1] ?? -Infinity);
  const most = Number(/at most (-?[\d.]+\d|-?\d)/.exec(question)?.[1] ?? Infinity);
  for (const sentence of sentences) {
    const numbers = (sentence.text.match(/\d[\d  ]*(?:\.\d+)?/g) ?? []).map((text) =>
      Number(text.replaceAll(/\s/g, '')),
    );
    const value = numbers.find(
      (each) => each >= least && each <= most && (type === 'number' || Number.isInteger(each)),
    );
    if (value !== undefined) return { values: [value], quotes: [quoteOf(sentence)] };
  }
  return { values: [], quotes: [] };
}

/** Returns the sentences with words of the field's name or question, best match first, questions last. */
function rank({ name, question }: DeclaredField, turns: readonly SpokenTurn[]): Sentence[] {
  const asked = new Set(wordsOf(`${name.replaceAll('_', ' ')} ${question}`));
  const ranked = sentencesOf(turns).map((sentence) => ({
    ...sentence,
    hits: new Set(wordsOf(sentence.text).filter((word) => asked.has(word))).size,
  }));
  const isQuestion = ({ text }: Sentence) => Number(text.endsWith('?'));
  return ranked.filter(({ hits }) => hits > 0).sort((a, b) => isQuestion(a) - isQuestion(b) || b.hits - a.hits);
}

const sentencesOf = (turns: readonly SpokenTurn[]): Sentence[] =>
  turns.flatMap(({ number: turn, text }) =>
    (text.match(/[^.!?]+(?:[.!?]+(?!\s|$)[^.!?]+)*[.!?]*/g) ?? []).map((each) => ({
      turn,
      text: each.trim(),
      hits: 0,
    })),
  );

/** Returns the first five letters of each word, to ignore endings. */
const wordsOf = (text: string) =>
  (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).filter((word) => !COMMON.has(word)).map((word) => word.slice(0, 5));

const COMMON = new Set(
  'what when where which that this with from have been does will your said else value every most least'.split(' '),
);

const OF_OPERATORS = /\b(this is|how can i help|customer care|could you give me|i will have)\b/i;

/** Returns the roles of the response. The first speaker who uses an operator's phrase is the operator. */
export function answerRoles(turns: readonly SpokenTurn[], lies: Lies) {
  const operator = turns.find(({ text }) => OF_OPERATORS.test(text))?.role;
  const speakers = [...new Set(turns.map(({ role }) => role))];
  return speakers.flatMap((speaker) => {
    const own = turns.filter(({ role }) => role === speaker);
    const spoken = own.find(({ text }) => speaker === operator && OF_OPERATORS.test(text)) ?? own[0];
    if (!spoken) return [];
    return {
      speaker,
      turn: spoken.number,
      quote: lies.inventsQuotes ? invent(speaker) : spoken.text,
      role: speaker === operator ? 'operator' : 'client',
    };
  });
}

interface DeclaredField {
  name: string;
  type: FieldType;
  question: string;
  options: readonly string[];
}

/** A JSON schema as any of the providers accepts it. */
export interface Schema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface Declaration {
  fields: readonly DeclaredField[];
  /** Whether the response must contain rows of names and texts. */
  asRows: boolean;
}

/** Returns the requested fields: from the schema, or from the instructions if the schema has rows. */
export function readDeclaration(schema: Schema | undefined, system: string): Declaration | undefined {
  const fields = schema?.properties?.['fields'];
  if (!fields) return undefined;
  if (fields.type === 'array') return { fields: readRows(system), asRows: true };
  return { fields: Object.entries(fields.properties ?? {}).map(readProperty), asRows: false };
}

function readProperty([name, { items = {}, description = '' }]: [string, Schema]): DeclaredField {
  const options = items.enum ?? [];
  const scalar = options.length > 0 ? 'enum' : (items.type as DeclaredField['type']);
  const type = /every one\.$/.test(description) ? 'string_list' : scalar;
  return { name, type, question: description, options };
}

function readRows(system: string): DeclaredField[] {
  const lines = system.split('\n').filter((line) => line.startsWith('{"name":'));
  return lines.map((line) => ({ options: [], ...(JSON.parse(line) as Omit<DeclaredField, 'options'>) }));
}
