/** The originals of a redacted conversation, which are stored encrypted and put back on request. */
import type { RedactedItem } from './types.ts';

/** By placeholder. A value that must not be kept has none. */
export type Originals = Record<string, Original>;

interface Original {
  /** The value where it was said first. */
  text: string;
  /** What each of its placeholders replaced, in the order of the conversation. */
  said: string[];
}

/** Returns the originals that may be kept. */
export function originalsOf(items: readonly RedactedItem[]): Originals {
  const byPlaceholder = Object.entries(Object.groupBy(items, ({ placeholder }) => placeholder));
  return Object.fromEntries(
    byPlaceholder.flatMap(([placeholder, own = []]) => {
      const said = own.flatMap(({ original }) => original ?? []);
      if (said.length < own.length) return [];
      const next = own.findIndex(({ isContinued }, index) => index > 0 && !isContinued);
      return [[placeholder, { text: said.slice(0, next === -1 ? undefined : next).join(' '), said }]];
    }),
  );
}

const PLACEHOLDER = /\[[A-Z]{1,9}_\d{1,9}\]/g;

/** Returns the texts of a conversation, in its order, as they were said. */
export function revealSaid(texts: readonly string[], originals: Originals): string[] {
  const seen = new Map<string, number>();
  return texts.map((text) =>
    text.replaceAll(PLACEHOLDER, (placeholder) => {
      const index = seen.get(placeholder) ?? 0;
      seen.set(placeholder, index + 1);
      return originals[placeholder]?.said[index] ?? placeholder;
    }),
  );
}

const revealText = (text: string, originals: Originals) =>
  text.replaceAll(PLACEHOLDER, (placeholder) => originals[placeholder]?.text ?? placeholder);

/** Returns a copy of the JSON value with the originals in its texts. */
export function reveal<T>(value: T, originals: Originals): T {
  if (typeof value === 'string') return revealText(value, originals) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => reveal(item, originals)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reveal(member, originals)])) as T;
}
