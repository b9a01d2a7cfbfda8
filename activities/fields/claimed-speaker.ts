/** Reads the speaker that a quote claims: "client: I will cancel". */
import { fold } from '../../contract/fields/fold.ts';

/** Names of the two sides in the languages of the service. The first one is the role. */
const SIDES = [
  ['client', 'customer', 'caller', 'клиент', 'покупатель', 'абонент', 'mijoz', 'мижоз'],
  ['operator', 'agent', 'support', 'оператор', 'менеджер', 'агент'],
];

/** No name is longer. */
const MAX_NAME = 40;
const NUMBERED = /^(?:speaker|спикер|channel) \d{1,3}$/u;

/** Returns the speaker that a quote names before a colon, folded, and the words. Other words before a colon are a part of it. */
export function splitSpeaker(quote: string): { speaker: string | undefined; words: string } {
  const colon = quote.slice(0, MAX_NAME).indexOf(':');
  const speaker = fold(quote.slice(0, Math.max(colon, 0)));
  const isSide = SIDES.some((names) => names.includes(speaker)) || NUMBERED.test(speaker);
  return isSide ? { speaker, words: quote.slice(colon + 1) } : { speaker: undefined, words: quote };
}

/** Returns whether a turn's role is the claimed speaker. */
export function isSpeaker(role: string | undefined, speaker: string | undefined): boolean {
  if (speaker === undefined) return true;
  const sideOf = (name: string) => SIDES.find((names) => names.includes(name))?.[0] ?? name;
  return sideOf(fold(role ?? '')) === sideOf(speaker);
}
