/** Finds the names of speakers before a colon. A colon in a sentence makes no speaker. */

import { cleanName } from './stamps.ts';

/** "Ann: Hello", "<Ann> Hello". */
const LINE = /^(?:<([^<>:]{1,64})>(?=\s)|([^:：]{1,64})(?::(?=\s|\*\*|$)|：))\s*(.*)$/su;
const MAX_WORDS = 4;
const CAPITAL = /^[^\p{L}\p{N}]*(?:\p{Lu}|\p{Lt}|\p{Lo}|\p{N})/u;
/** A time behind a name: "Ann (00:01)", "Ann (2:05 PM)". */
const TIME_BEHIND = /^([^:]{1,60}?) ?[[(]\p{Nd}{1,3}[:.]\p{Nd}{2}(?:[:.]\p{Nd}{2})?(?:\s[\p{L}.]{1,5})?[\])](?=:)/u;

export interface Named {
  name: string;
  text: string;
}

/** Returns the parts of "Name: text" if the beginning could be a name; `text` may be empty. */
export function splitName(line: string): Named | undefined {
  const [, nick, before = nick ?? '', said = ''] = LINE.exec(line.trim().replace(TIME_BEHIND, '$1')) ?? [];
  const name = cleanName(before.trim().replaceAll(/^[>*-]+\s*|\*{1,2}$/g, ''));
  // "**Ann:** Hello"
  const text = before.startsWith('**') ? said.replace(/^\*\*\s*/, '') : said;
  const words = name.split(/\s+/);
  const isShort = name !== '' && words.length <= MAX_WORDS && /\p{L}|\p{N}/u.test(name) && !/[!?;"«»]/.test(name);
  return isShort ? { name, text } : undefined;
}

/**
 * Returns the names that are speakers: those in `known`, and those that occur twice. If at most one name occurs twice and the text
 * begins with a name, also those that occur once and are written like names.
 */
export function findSpeakers(lines: readonly string[], known: readonly string[]): Set<string> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const { name } = splitName(line) ?? {};
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const repeated = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  const speakers = new Set([...known, ...repeated]);
  const first = splitName(lines.find((line) => line.trim() !== '') ?? '');
  if (repeated.length < 2 && first) {
    for (const name of counts.keys()) if (isWrittenLikeName(name)) speakers.add(name);
  }
  return speakers;
}

function isWrittenLikeName(name: string): boolean {
  const words = name.split(/\s+/);
  return words.length === 1 || words.every((word) => CAPITAL.test(word) || /^\W/.test(word));
}
