/** Reads the speaker that a quote claims: "client: I will cancel". */
import { fold } from '../../contract/fields/fold.ts';

/** Names of the two sides in the languages of the service. The first one is the role. */
const SIDES = [
  ['client', 'customer', 'caller', 'клиент', 'покупатель', 'абонент', 'mijoz', 'мижоз'],
  ['operator', 'agent', 'support', 'оператор', 'менеджер', 'агент'],
];

/** A side, a numbered speaker, or both: "client (speaker 2)". */
const NAME = /^(?<side>\p{L}{0,20}?) ?(?<number>(?:speaker|спикер|channel) \d{1,3})?$/u;
/** The number and the time of a turn, as in the prompt: "#3 [1:15] client: …". */
const PLACE = /^\s*(?:#\d{1,5}\s{1,3})?(?:\[\d{1,4}:\d\d\]\s{1,3})?/;
/** No name is longer. */
const MAX_NAME = 60;

function readName(folded: string): { side: string | undefined; number: string | undefined } {
  const { side = '', number } = NAME.exec(folded)?.groups ?? {};
  return { side: SIDES.find((names) => names.includes(side))?.[0], number };
}

/** Returns the speaker that a quote names before a colon, folded, and the words. Other words before a colon are a part of it. */
export function splitSpeaker(
  claimed: string,
  roles: ReadonlySet<string>,
): { speaker: string | undefined; words: string } {
  const quote = claimed.replace(PLACE, '');
  const colon = quote.slice(0, MAX_NAME).indexOf(':');
  const speaker = fold(quote.slice(0, Math.max(colon, 0)));
  const { side, number } = readName(speaker);
  const isName = roles.has(speaker) || side !== undefined || number !== undefined;
  return isName && speaker !== '' ? { speaker, words: quote.slice(colon + 1) } : { speaker: undefined, words: quote };
}

/** Returns whether the speaker with a role can be the claimed one. @param role folded. */
export function isSpeaker(role: string, speaker: string): boolean {
  if (role === speaker) return true;
  const [known, claimed] = [readName(role), readName(speaker)];
  if (claimed.side === undefined && claimed.number === undefined) return false;
  return (
    (claimed.side === undefined || claimed.side === known.side) &&
    (claimed.number === undefined || claimed.number === known.number)
  );
}
