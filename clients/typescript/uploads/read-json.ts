/** Reads conversations from JSON: the format of this API, and exports of Twilio, Intercom, Zendesk and others. */
import type { TurnInput } from '../src/index.ts';
import { FormatError } from './read-text.ts';

type Item = Record<string, unknown>;

/** Property names, by priority. `plain_body` comes before `body`, because Zendesk's `body` contains Markdown. */
const SPEAKERS = ['role', 'author', 'from', 'sender', 'speaker', 'name', 'author_id'];
const TEXTS = ['text', 'plain_body', 'body', 'message', 'content'];

/** Returns undefined for text that is not JSON. */
export function readJson(text: string): TurnInput[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = parse(text);
  const items = Array.isArray(value) ? value : isItem(value) ? findItems(value) : undefined;
  return items && toTurns(items);
}

/** Returns undefined if the first line is not a JSON object. Throws `FormatError` if a later line is not. */
export function readJsonLines(text: string): TurnInput[] | undefined {
  const lines = text.split('\n');
  if (!isItem(parse(lines.find(isFilled) ?? ''))) return undefined;
  const items = lines.flatMap((line, index) => {
    const item = parse(line);
    if (isFilled(line) && !isItem(item)) throw new FormatError(index + 1, 'is not a JSON object');
    return isItem(item) ? [item] : [];
  });
  return toTurns(items);
}

const isFilled = (line: string) => line.trim() !== '';

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the messages of an export. In Intercom's exports, the first message is in `source` and the others are in
 * `conversation_parts.conversation_parts`.
 */
function findItems(value: Item): unknown[] | undefined {
  for (const member of Object.values(value)) {
    const items = isItem(member) ? Object.values(member).find(isListOfItems) : member;
    if (isListOfItems(items)) return isItem(value['source']) ? [value['source'], ...items] : items;
  }
  return undefined;
}

const isListOfItems = (value: unknown): value is Item[] => Array.isArray(value) && value.some(isItem);

/** Keeps turns in this API's format unchanged. Drops other items without text, such as a note that a person joined. */
function toTurns(items: unknown[]): TurnInput[] {
  const isOwn = items.every((item) => isItem(item) && 'role' in item && 'text' in item);
  if (isOwn || !items.some((item) => isItem(item) && readText(item) !== undefined)) return items as TurnInput[];
  return items.flatMap((item) => {
    const text = isItem(item) ? readText(item) : undefined;
    return text === undefined ? [] : [{ role: readSpeaker(item as Item), text }];
  });
}

function readText(item: Item): string | undefined {
  const value = firstOf(item, TEXTS);
  if (typeof value !== 'string') return undefined;
  // Intercom's messages are HTML.
  const text = /^<(p|div)\b/.test(value)
    ? value.replaceAll(/<br\s*\/?>|<\/(p|div)>/g, '\n').replaceAll(/<[^<>]*>/g, '')
    : value;
  return text.trim() === '' ? undefined : text.trim();
}

/** Returns the speaker. For an author such as `{"type": "admin", "name": "Ann"}`, the type, because it implies the role. */
function readSpeaker(item: Item): string {
  const value = firstOf(item, SPEAKERS);
  const name = isItem(value) ? (value['type'] ?? value['name'] ?? value['id']) : value;
  return typeof name === 'string' || typeof name === 'number' ? String(name) : 'client';
}

const firstOf = (item: Item, names: readonly string[]) =>
  names.map((name) => item[name]).find((value) => value !== undefined && value !== null);
