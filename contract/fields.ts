/** Field schemas that several resources share. */
import { z } from 'zod';
import { FIELD_CONDITION, MAX_FIELD_CONDITIONS } from './field-conditions.ts';

/**
 * Returns whether there is no NUL and no unpaired surrogate: PostgreSQL stores neither (22021, 22P02, 22P05). No regular
 * expression: one takes a tenth of a second over the largest conversation, in which nobody else is served.
 */
const isStorable = (value: string) => value.isWellFormed() && !value.includes('\u0000');

/** As JSON Schema says it: regular expressions of other languages refuse surrogates, which UTF-8 cannot hold anyway. */
const PORTABLE_STORABLE_TEXT = '^[^\\u0000]*$';

/** Declares text of `min` to `max` characters, counted as JSON Schema does: in code points, not UTF-16 units. */
export function text({ min = 0, max }: { min?: number; max: number }) {
  return (
    z
      .string()
      .refine(isStorable, 'must not contain NUL or unpaired surrogates')
      // A code point has two units at most: long text is not counted, which would take as long as all else together.
      .refine((value) => value.length >= 2 * min || codePoints(value) >= min, {
        error: min === 1 ? 'must not be empty' : `must have at least ${min} characters`,
      })
      .refine((value) => value.length <= max || codePoints(value) <= max, {
        error: `must have at most ${max} characters`,
      })
      .meta({ pattern: PORTABLE_STORABLE_TEXT, minLength: min, maxLength: max })
  );
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

type IdPrefix = 'user' | 'key' | 'login' | 'audit' | 'asst' | 'sess' | 'dlv' | 'rdl' | 'bat';

/** Declares a TypeID of one kind: `prefix_` and a UUIDv7 in 26 characters of base32. docs/decisions.md, "Ids". */
export function typeId(prefix: IdPrefix) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`), `must be an id that starts with ${prefix}_`)
    .meta({ examples: [`${prefix}_01kaj4v5rzf1xtm8w3b2c9d0e7`] });
}

/** Declares a time of the service's own: ISO 8601 in UTC with milliseconds. Spec §2.4. */
export const timestamp = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .meta({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] });

/**
 * Declares a time that a client names: ISO 8601 with a zone. It is read as UTC: PostgreSQL refuses zones beyond 15:59.
 */
export const moment = () =>
  z.iso
    .datetime({ offset: true })
    .meta({ examples: ['2026-11-21T00:00:00Z'] })
    .transform(toUtc);

/**
 * The earliest time that is taken: PostgreSQL has no year 0 and no signed ones, which are how JavaScript writes what
 * lies beyond.
 */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const toUtc = (value: string) => new Date(Math.min(Math.max(Date.parse(value), EARLIEST_MS), LATEST_MS)).toISOString();

/** Declares an amount in US dollars. Spec §6.2 leaves the unit open; docs/decisions.md, "total_cost". */
export const usd = () => z.number().min(0);

/**
 * Declares one of several values in an answer, and lets others pass: a newer release may have written one into the
 * database, while both run or after it was rolled back, and a page that holds such a row is answered all the same.
 * Requests take `z.enum`.
 */
export const openEnum = <const V extends readonly [string, ...string[]]>(values: V): z.ZodType<V[number], V[number]> =>
  z.union([z.enum(values), z.string()]);

/**
 * Declares a number in a query string: digits and nothing else, where a cast would take blanks and hexadecimals too.
 */
export const queryInteger = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );

/** Declares a number in a query string that may have a fraction, as JSON writes it. */
export const queryNumber = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : value),
    z.number().min(min).max(max),
  );

/** Declares a number from 1 on in a path, as text: another one names nothing. */
export const pathNumber = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .meta({ examples: ['1'] });

/** Declares pairs of metadata. */
export const metadataPairs = () => z.record(text({ min: 1, max: 64 }), text({ max: 500 }));

/** Declares conditions on the values of an assistant's fields. */
export const fieldConditions = () =>
  z
    .array(z.string().regex(FIELD_CONDITION, 'must be `name:operator:value` or `name:operator`'))
    .max(MAX_FIELD_CONDITIONS);

/** Declares conditions on fields in a query string, a parameter for each. */
export const queryFieldConditions = () =>
  z
    .preprocess((value) => (typeof value === 'string' ? [value] : value), fieldConditions())
    .optional()
    .describe(
      'Conditions on the values of fields, a parameter for each; all of them hold. `name:operator:value` with `eq` (of ' +
        'several for one name, any), `ne`, and for numbers `gt`, `gte`, `lt`, `lte`; or `name:operator` with `null`, ' +
        '`not_null`, `unverified`. Texts are compared to their 200th character.',
    )
    .meta({ examples: [['score:gte:8', 'reason:eq:billing']] });

/** Declares the header `If-Match`. RFC 9110 §13.1.1. */
export const ifMatch = () =>
  z
    .string()
    .max(1_000)
    .optional()
    .describe('`ETag` of the record as you know it: if it was changed since, the answer is 412 and nothing changes.')
    .meta({ examples: ['"o2SCWWSq6z5Gvu9qxVpUzQ"'] });

/** Declares the query parameters of a list whose items have ids of one kind. */
export const pageQuery = (prefix: IdPrefix) => ({
  limit: queryInteger(1, 200).optional().describe('Most items on the page.'),
  cursor: typeId(prefix).optional().describe('`next_cursor` of the page before. Opaque.'),
});

/** The query of an endpoint that declares none: a parameter that would be ignored is a mistake of the caller's. */
export const NO_QUERY = z.strictObject({});

/** Declares a page of a list, which has the same form everywhere. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().describe('Pass it as `cursor` for the next page; null on the last one.'),
  });
}
