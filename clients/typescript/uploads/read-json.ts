/** Reads conversations from JSON: the format of this API, and lists of other programs, whose members are found by their form. */
import type { TurnInput } from './turn-input.ts';
import { FormatError } from './format-error.ts';
import type { Read } from './read-conversation.ts';

type Item = Record<string, unknown>;

/** Lists are searched this deep in an export, and members this deep in a message. */
const MAX_DEPTH = 6;
const MAX_MEMBER_DEPTH = 3;
/** The longest name of a speaker. */
const MAX_NAME = 64;

/** Returns undefined for text that is not JSON with a list of messages. Throws `FormatError` if it only begins like one. */
export function readJson(text: string, unnamed: string): Read | undefined {
  if (!/^\s*(?:\{\s*["}]|\[\s*[{\]])/.test(text)) return undefined;
  const value = parse(text) ?? parseLines(text);
  if (value === undefined) throw new FormatError(1, 'invalid_json');
  const own = isItem(value) ? value['conversation'] : value;
  if (Array.isArray(own) && (own !== value || own.length === 0 || own.some(isTurn)))
    return { format: 'json', turns: own.map(toTurn), skipped: 0 };
  const found = listsIn(value)
    .map((items) => readMessages(items, unnamed))
    .reduce((best, each) => (each.rank > best.rank ? each : best), NOTHING);
  return found.turns.length === 0
    ? undefined
    : { format: 'json', turns: found.turns, skipped: found.total - found.turns.length };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the objects of JSON Lines; undefined if the first line is none. */
function parseLines(text: string): unknown[] | undefined {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), index }));
  const filled = lines.filter(({ line }) => line !== '');
  if (!isItem(parse(filled[0]?.line ?? ''))) return undefined;
  return filled.map(({ line, index }) => {
    const item = parse(line);
    if (!isItem(item)) throw new FormatError(index + 1, 'not_an_object');
    return item;
  });
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTurn = (value: unknown) => isItem(value) && 'role' in value && 'text' in value;

/** Keeps invalid turns, which the API reports, but no other members, such as those of other programs. */
function toTurn(value: unknown): TurnInput {
  if (!isItem(value)) return value as TurnInput;
  const { role, text, start_s, end_s } = value;
  return { role, text, ...(start_s !== undefined && { start_s }), ...(end_s !== undefined && { end_s }) } as TurnInput;
}

/** Returns all lists of objects. */
function listsIn(value: unknown, depth = 0): Item[][] {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return [];
  const items = Array.isArray(value) ? value.filter(isItem) : [];
  return [...(items.length > 0 ? [items] : []), ...Object.values(value).flatMap((each) => listsIn(each, depth + 1))];
}

interface Messages {
  turns: TurnInput[];
  total: number;
  rank: number;
}

const NOTHING: Messages = { turns: [], total: 0, rank: 0 };

interface Column {
  name: string;
  count: number;
  characters: number;
  values: Set<string>;
  isShort: boolean;
}

/**
 * Returns the messages of a list. Their text is the member with the longest values, and their speaker that with the fewest
 * different short ones. A list with speakers ranks first, then one with more text.
 */
function readMessages(items: readonly Item[], unnamed: string): Messages {
  const columns = new Map<string, Column>();
  const messages = items.map((item) => new Map(membersOf(item)));
  for (const message of messages) {
    for (const [name, value] of message) {
      const column = columns.get(name) ?? { name, count: 0, characters: 0, values: new Set(), isShort: true };
      columns.set(name, column);
      column.count += 1;
      column.characters += value.length;
      column.values.add(value);
      column.isShort &&= value.length <= MAX_NAME && !/\n/.test(value);
    }
  }
  const all = [...columns.values()];
  const text = best(all, ({ characters }) => characters);
  if (!text) return NOTHING;
  const speaker = best(
    all.filter((each) => each !== text && each.isShort && each.values.size > 1),
    // Of equal ones, that with letters: no times or numbers.
    ({ count, values }) => count / values.size + ([...values].every((value) => /^\p{L}/u.test(value)) ? 0.5 : 0),
  );
  const turns = messages.flatMap((message) => {
    const said = message.get(text.name)?.trim() ?? '';
    return said === '' ? [] : [{ role: (speaker && message.get(speaker.name)) ?? unnamed, text: said }];
  });
  return { turns, total: items.length, rank: text.characters + (speaker ? 1e9 : 0) };
}

function best<T>(each: readonly T[], rank: (one: T) => number): T | undefined {
  let found: T | undefined;
  for (const one of each) if (found === undefined || rank(one) > rank(found)) found = one;
  return found;
}

/** Returns the names and texts of members, also of those in other objects and of texts in parts. */
function* membersOf(item: Item, before = '', depth = 0): Generator<[string, string], undefined> {
  for (const [member, value] of Object.entries(item)) {
    const name = `${before}${member}`;
    if (typeof value === 'string' && value !== '') yield [name, value];
    else if (typeof value === 'number') yield [name, String(value)];
    else if (Array.isArray(value) && value.length > 0) yield [name, value.map(textOfPart).join('')];
    else if (isItem(value) && depth < MAX_MEMBER_DEPTH) yield* membersOf(value, `${name}.`, depth + 1);
  }
}

/** Parts of Telegram's messages are texts, or objects with a text. */
const textOfPart = (part: unknown): string => {
  const text = isItem(part) ? part['text'] : part;
  return typeof text === 'string' ? text : '';
};
