/** Reads conversations from JSON: the format of this API, and exports of other services. */
import type { TurnInput } from './turn-input.ts';
import { decodeEntities, textOfHtml } from './entities.ts';
import { FormatError } from './format-error.ts';
import type { Read } from './read-text.ts';

type Item = Record<string, unknown>;

/** Property names, by priority. `plain_body` comes before `body`, because Zendesk's `body` contains Markdown. */
const SPEAKERS = [
  'role',
  'author',
  'from',
  'sender',
  'speaker',
  'speaker_name',
  'speaker_label',
  'name',
  'author_id',
  'ParticipantId',
  'ParticipantRole',
  'participantPurpose',
  'participant',
  'user_name',
  'username',
  'user',
  'channel',
];
const TEXTS = [
  'text',
  'plain_body',
  'body',
  'message',
  'content',
  'Content',
  'transcript',
  'utterance',
  'value',
  'parts',
];

/** Lists are searched this deep in an export. */
const MAX_DEPTH = 6;

/** Returns undefined for text that is not JSON. */
export function readJson(text: string): Read | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = parse(text);
  const items =
    Array.isArray(value) && !value.some(hasLists) ? value : value === undefined ? undefined : findItems(value);
  return items && toTurns(items);
}

/** Returns undefined if the first line is not a JSON object. Throws `FormatError` if a later line is not. */
export function readJsonLines(text: string): Read | undefined {
  const lines = text.split('\n');
  if (!isItem(parse(lines.find(isFilled) ?? ''))) return undefined;
  const items = lines.flatMap((line, index) => {
    const item = parse(line, index + 1);
    if (isFilled(line) && !isItem(item)) throw new FormatError(index + 1, 'not_an_object');
    return isItem(item) ? [item] : [];
  });
  return toTurns(items);
}

const isFilled = (line: string) => line.trim() !== '';

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether the item is no message itself, but contains lists of messages. */
const hasLists = (value: unknown) => isItem(value) && !hasText(value) && Object.values(value).some(isListOfItems);

/** Deeper values would exceed the stack of `JSON.stringify`. The API accepts less. */
const MAX_NESTING = 100;

/** Returns undefined for text that is not JSON. Throws `FormatError` if the value is nested too deeply. */
function parse(text: string, line = 1): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const inside = (member: unknown): unknown[] =>
    typeof member === 'object' && member !== null ? Object.values(member) : [];
  let members = [value];
  for (let depth = 0; members.length > 0; depth++) {
    if (depth > MAX_NESTING) throw new FormatError(line, 'too_deep');
    members = members.flatMap(inside);
  }
  return value;
}

const isListOfItems = (value: unknown): value is unknown[] => Array.isArray(value) && value.some(isItem);
const hasText = (item: Item) =>
  TEXTS.some((name) => item[name] !== undefined && item[name] !== null && item[name] !== '');
const hasSpeaker = (item: Item) => SPEAKERS.some((name) => item[name] !== undefined && item[name] !== null);

/**
 * Returns the messages of an export: of all its lists, the one whose items have speakers and the longest texts, because a list of
 * words or categories can precede it. In Intercom's exports, the first message is in `source`.
 */
function findItems(value: unknown): unknown[] | undefined {
  const kinds: unknown[][][] = [];
  collect(value, createPlace(), 0);
  const ranked = kinds
    .map((lists) => lists.flat())
    .map((items) => ({ items, rank: rankOf(items) }))
    .sort((a, b) => b.rank - a.rank);
  const [best] = ranked;
  if (!best) return undefined;
  const source = isItem(value) && isItem(value['source']) && hasText(value['source']) ? [value['source']] : [];
  return [...source, ...best.items];

  function collect(member: unknown, place: Place, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (isListOfItems(member)) {
      if (place.lists.length === 0) kinds.push(place.lists);
      place.lists.push(member);
    }
    if (Array.isArray(member))
      for (const each of member) if (isItem(each)) collect(each, within(place, '[]'), depth + 1);
    if (isItem(member))
      for (const [name, inner] of Object.entries(member)) collect(inner, within(place, name), depth + 1);
  }
}

/** Lists in different places of the same kind, such as the phrases of two transcripts, follow one another. */
interface Place {
  lists: unknown[][];
  inner: Map<string, Place>;
}

const createPlace = (): Place => ({ lists: [], inner: new Map() });

function within({ inner }: Place, name: string): Place {
  const known = inner.get(name) ?? createPlace();
  inner.set(name, known);
  return known;
}

function rankOf(items: readonly unknown[]): number {
  const messages = items.filter((item) => isItem(item) && hasText(item)) as Item[];
  if (messages.length === 0) return 0;
  const length = messages.reduce((sum, item) => sum + Math.min(10_000, JSON.stringify(firstOf(item, TEXTS)).length), 0);
  return (messages.some(hasSpeaker) ? 1_000_000 : 1) + length / messages.length;
}

/** Keeps invalid turns of this API's format, which the API reports. Skips items without text, such as a note that a person joined. */
function toTurns(items: readonly unknown[]): Read {
  const isOwn = items.every(
    (item) => isItem(item) && typeof item['role'] === 'string' && typeof item['text'] === 'string',
  );
  if (isOwn) return { turns: (items as Item[]).map(known), skipped: 0 };
  if (!items.some((item) => isItem(item) && hasText(item))) return { turns: items as TurnInput[], skipped: 0 };
  const turns = items.flatMap((item, index) => {
    if (!isItem(item) || isNotice(item)) return [];
    const read = readText(firstOf(item, TEXTS), index);
    const text = isOfSlack(item) ? decodeEntities(read) : read;
    return text === '' ? [] : [{ role: readSpeaker(item), text }];
  });
  return { turns, skipped: items.length - turns.length };
}

/** Other members, such as the times of other services, are no properties of a turn. */
const known = ({ role, text, start_s, end_s }: Item) =>
  ({ role, text, ...(start_s !== undefined && { start_s }), ...(end_s !== undefined && { end_s }) }) as TurnInput;

/** Returns the text of a message: a string, a number, or a list of parts with text. Throws if there is content but no text. */
function readText(value: unknown, index: number): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // Intercom's messages are HTML.
  if (typeof value === 'string') return /^\s*<[a-z]+[\d\s/>]/i.test(value) ? textOfHtml(value) : value.trim();
  if (isItem(value) && value['contentType'] === 'html' && typeof value['content'] === 'string')
    return textOfHtml(value['content']);
  const parts = [value].flat().map((part) => (isItem(part) ? firstOf(part, TEXTS) : part));
  const texts = parts.flatMap((part) => (typeof part === 'string' || typeof part === 'number' ? [String(part)] : []));
  if (texts.length > 0 || (Array.isArray(value) && value.length === 0)) return texts.join('').trim();
  throw new FormatError({ message: index + 1 }, 'no_text');
}

const isOfSlack = ({ type, ts }: Item) => type === 'message' && typeof ts === 'string';

/** Slack's notices, such as that a person joined, and those of Teams. */
const isNotice = ({ subtype, messageType }: Item) =>
  (typeof subtype === 'string' && /^(?:channel|group)_/.test(subtype)) || messageType === 'systemEventMessage';

/** Returns the speaker. For an author such as `{"type": "admin", "name": "Ann"}`, the type, because it implies the role. */
function readSpeaker(item: Item): string {
  const profile = item['user_profile'];
  const value = isItem(profile) ? (profile['real_name'] ?? profile['name']) : firstOf(item, SPEAKERS);
  // Teams: `{"user": {"displayName": "Ann"}}`.
  const inner = isItem(value) ? (value['user'] ?? value['application']) : undefined;
  if (isItem(inner) && typeof inner['displayName'] === 'string') return inner['displayName'];
  const name = isItem(value) ? (value['type'] ?? value['role'] ?? value['name'] ?? value['id']) : value;
  return typeof name === 'string' || typeof name === 'number' ? String(name) : 'client';
}

const firstOf = (item: Item, names: readonly string[]) =>
  names.map((name) => item[name]).find((value) => value !== undefined && value !== null);
