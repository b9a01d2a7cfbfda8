/** Checks numbers by check digits and patterns. */
import type { PhoneRegion } from '../contract/values/redaction-kinds.ts';

/** Numbers of at least this length are replaced even with a wrong check digit: a misheard digit must not reveal a card. */
export const CARD_DIGITS = 13;

/** Returns whether the digits pass the Luhn check, https://en.wikipedia.org/wiki/Luhn_algorithm. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Prefixes and lengths of Visa, Mastercard, Mir, UnionPay, Discover, Uzcard, Humo and American Express. */
const CARD = /^(?:(?:[456]\d|2[2-7]|86|98)\d{14}|3[47]\d{13})$/;

/** Returns whether the digits are a complete card number. */
export const isCard = (digits: string): boolean => CARD.test(digits) && passesLuhn(digits);

/** Returns whether the digits are a PINFL, Uzbekistan's personal number. The check digit uses the weights 7, 3, 1 of ICAO 9303. */
export function isPinfl(digits: string): boolean {
  if (!/^[3-6]\d{13}$/.test(digits)) return false;
  const sum = [...digits.slice(0, -1)].reduce(
    (total, digit, index) => total + Number(digit) * ([7, 3, 1][index % 3] ?? 0),
    0,
  );
  return sum % 10 === Number(digits.at(-1));
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/;

/** Returns whether a text without spaces is an IBAN, by the check digits of ISO 13616. */
export function isIban(text: string): boolean {
  if (!IBAN.test(text)) return false;
  let rest = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Phone numbers without a plus. `US`: all of North America. */
const NATIONAL_PHONES: Readonly<Record<PhoneRegion, RegExp>> = {
  UZ: /^(?:998\d{9}|(?:20|33|50|55|6[1-9]|7[0-9]|88|9\d)\d{7})$/,
  RU: /^(?:[78]\d{10}|9\d{9})$/,
  KZ: /^(?:[78]\d{10}|7\d{9})$/,
  US: /^1?[2-9]\d{2}[2-9]\d{6}$/,
  GB: /^(?:0|44)[1-9]\d{8,9}$/,
};

/** Returns a function that returns whether the digits are a phone number, of one of the regions if it has no plus. */
export const createIsPhone = (regions: readonly PhoneRegion[]) => (digits: string, hasPlus: boolean) =>
  hasPlus ? /^\d{8,15}$/.test(digits) : regions.some((region) => NATIONAL_PHONES[region].test(digits));

/** Numbers of passports and ID cards of Uzbekistan. */
export const PASSPORT = /^[A-ZАВ]{2}\d{7}$/;
/** The same in lower case, or its series alone. Limited to series that exist, because `no1234567` is none. */
export const SMALL_PASSPORT = /^(?:a[a-e]|f[ab]|k[a-c]|а[авс]|к[ав])(?:\d{7})?$/i;
