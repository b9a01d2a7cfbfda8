/** Schemas of fields, parameters and headers that several resources share. */
import { LIMITS } from './limits.ts';
import { z } from 'zod';
import { rule, ruleIssue } from '../errors/rule.ts';
import { CSV_DELIMITERS, type CsvDelimiter } from './csv-line.ts';
import { VALUE_SOURCES } from './session-lists.ts';
import { CONDITION_SYNTAX, FIELD_CONDITION, MAX_FIELD_CONDITIONS } from '../fields/conditions.ts';

/** A named schema of an object in a response. */
export const responseObject = <const S extends z.ZodRawShape>(id: string, shape: S, description?: string) =>
  z.object(shape).meta({ id, ...(description !== undefined && { description }) });

/** A named schema of an object in a request. Unknown fields are refused. */
export const requestObject = <const S extends z.ZodRawShape>(id: string, shape: S, description?: string) =>
  z.strictObject(shape).meta({ id, ...(description !== undefined && { description }) });

/**
 * PostgreSQL stores neither NUL nor unpaired surrogates (22021, 22P02, 22P05). A regular expression would block the process
 * for a tenth of a second on the largest conversation.
 */
const isStorable = (value: string) => value.isWellFormed() && !value.includes('\u0000');
const STORABLE = rule('characters');

/** The same as a JSON Schema pattern, without surrogates: the regular expressions of other languages refuse them. */
const PORTABLE_STORABLE_TEXT = '^[^\\u0000]*$';

/** Text of `min` to `max` characters. Counts code points, like JSON Schema, and not UTF-16 units. */
export function text({ min = 0, max }: { min?: number; max: number }) {
  return (
    z
      .string()
      .refine(isStorable, STORABLE)
      // A code point has at most two units, so long text is accepted or refused without counting.
      .refine(
        (value) => value.length >= 2 * min || codePoints(value) >= min,
        min === 1 ? rule('empty') : rule('min_characters', { min }),
      )
      .refine((value) => value.length <= max || codePoints(value) <= max, rule('max_characters', { max }))
      .meta({ pattern: PORTABLE_STORABLE_TEXT, minLength: min, maxLength: max })
  );
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

type IdPrefix = 'ws' | 'inv' | 'user' | 'idt' | 'key' | 'login' | 'audit' | 'asst' | 'sess' | 'dlv' | 'bat' | 'shr';

/** A UUIDv7 as 26 characters of base32. */
const ID = '[0-7][0-9a-hjkmnp-tv-z]{25}';

/** A TypeID: the prefix, `_` and a UUIDv7 as 26 characters of base32. docs/decisions.md, "Ids". */
export function typeId(prefix: IdPrefix) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_${ID}$`), rule('id', { prefix: `${prefix}_` }))
    .meta({ examples: [`${prefix}_01kaj4v5rzf1xtm8w3b2c9d0e7`] });
}

/** A cursor of a list with a choice of orders: an ID, preceded by the value if the list is sorted by a value. */
export const sortedCursor = (prefix: IdPrefix) =>
  z
    .string()
    .max(100)
    .regex(
      new RegExp(`^(\\d+(\\.\\d+)?(e[+-]?\\d+)?,)?${prefix}_${ID}$`),
      rule('format', { format: 'a `next_cursor`' }),
    );

/** A model's identifier in a request. Compatible servers also use paths such as `org/model`. */
export const modelId = () =>
  z
    .string()
    .max(LIMITS.name)
    .regex(/^[A-Za-z0-9]+(?:(?:\/|[._:@-]+)[A-Za-z0-9]+)*$/, rule('format', { format: 'a model identifier' }));

export const areDistinct = (values: readonly unknown[]) => new Set(values).size === values.length;

/** A time in a response: ISO 8601 in UTC with milliseconds. Specification §2.4. */
export const timestamp = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .meta({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] });

/**
 * Date, hours and minutes, seconds, fraction, and offset as RFC 3339 and the time libraries of most languages write them: with a
 * blank instead of `T`, without a colon in the offset, or with the name of the zone behind it. A plus that is not encoded in a
 * URL arrives as a blank.
 */
const MOMENT =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?(?:[Zz]|UTC|GMT|([+\-\u2212 ])(\d\d):?([0-5]\d)?)(?: ?\[[\w/+-]{1,40}\]| [A-Z]{1,5})?$/;

const TIME_FORMAT =
  'a time with a time zone, such as 2026-11-21T00:00:00Z or 2026-11-21T05:00:00+05:00 (in a URL, write + as %2B)';

/** A time in a request, with a time zone. Converted to UTC, since PostgreSQL refuses offsets above 15:59. */
export const moment = (examples = ['2026-11-21T00:00:00Z']) =>
  z
    .string()
    .meta({ format: 'date-time', examples })
    .transform((value, context) => {
      const utc = toUtc(value);
      if (utc !== undefined) return utc;
      context.addIssue(ruleIssue([], 'format', { format: TIME_FORMAT }));
      return z.NEVER;
    });

/** PostgreSQL refuses the year 0 and JavaScript's signed years. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns the time in UTC, or undefined if the text is none. */
function toUtc(value: string): string | undefined {
  const [, date, minutes, seconds = '00', fraction = '0', sign = '+', hours = '00', rest = '00'] =
    MOMENT.exec(value) ?? [];
  if (date === undefined || !isDay(date) || Number(hours) > 23) return undefined;
  const isLeap = seconds === '60';
  const offset = `${sign === ' ' ? '+' : sign.replace('\u2212', '-')}${hours}:${rest}`;
  const ms = Date.parse(`${date}T${minutes}:${isLeap ? '59' : seconds}.${isLeap ? '999' : fraction}${offset}`);
  return Number.isNaN(ms) ? undefined : new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS)).toISOString();
}

/** JavaScript takes February 30 for March 2. */
const isDay = (date: string) => new Date(Date.parse(date) || 0).toISOString().startsWith(date);

/** Of a text that was submitted as a conversation. */
export const conversationFormat = () =>
  openEnum(['text'])
    .optional()
    .describe('`text`: no format was recognized in the conversation, so all of it is said by one role, `unknown`.');

/** An amount in US dollars. Specification §6.2 leaves the unit open: docs/decisions.md, "total_cost". */
export const usd = () => z.number().min(0);

/**
 * An enumeration in a response that also accepts unknown values: during an upgrade or after a rollback, rows may contain
 * values of a newer release. Requests use `z.enum`.
 */
export const openEnum = <const V extends readonly [string, ...string[]]>(values: V): z.ZodType<V[number], V[number]> =>
  z.union([z.enum(values), z.string()]);

/** Describes an open enumeration in JSON Schema by its documented values, so that clients get them as types. */
export function closeOpenEnum(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const options = jsonSchema.anyOf;
  if (!options?.some((option) => option.enum !== undefined)) return;
  const documented = options.filter((option) => option.enum !== undefined || option.type !== 'string');
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, documented.length === 1 ? documented[0] : { anyOf: documented });
}

/** Returns a function that converts text of this form to a number. A cast would also accept blanks and hexadecimal numbers. */
const toNumber = (form: RegExp) => (value: unknown) =>
  typeof value === 'string' && form.test(value) ? Number(value) : value;

export const queryInteger = (min: number, max: number) =>
  z.preprocess(toNumber(/^\d{1,9}$/), z.int().min(min).max(max));

/** A number in a query string, in the notation of JSON. */
export const queryNumber = (min: number, max: number) =>
  z.preprocess(toNumber(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i), z.number().min(min).max(max));

/** A positive number in a path. It stays text: a path with another one is 404. */
export const pathNumber = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .meta({ examples: ['1'] });

export const METADATA_KEY = text({ min: 1, max: 64 });
export const METADATA_VALUE = text({ max: 500 });
export const metadataPairs = () => z.record(METADATA_KEY, METADATA_VALUE);

export const idList = (prefix: IdPrefix) => z.array(typeId(prefix)).min(1).max(100);

/** A query parameter that is not repeated is a list of one. */
const toList = (value: unknown) => (typeof value === 'string' ? [value] : value);

/** A list of IDs as repeated query parameters. */
export const queryIds = (prefix: IdPrefix) => z.preprocess(toList, idList(prefix));

/** Conditions on field values: `resolved:eq:false`. */
export const fieldConditions = () =>
  z
    .array(
      z
        .string()
        .regex(FIELD_CONDITION, rule('format', { format: CONDITION_SYNTAX }))
        .refine((condition) => condition.isWellFormed(), STORABLE),
    )
    .max(MAX_FIELD_CONDITIONS);

/** Conditions on field values, as repeated query parameters. */
export const queryFieldConditions = () =>
  z
    .preprocess(toList, fieldConditions())
    .optional()
    .describe(
      'Conditions on field values, one per parameter; a session must meet all of them. `name:operator:value` with `eq` (several for one ' +
        'field: one of them is enough), `ne`, and for numbers `gt`, `gte`, `lt`, `lte`; or `name:operator` with `null`, ' +
        '`not_null`, `unverified`. Only the first 200 characters of a text are compared.',
    )
    .meta({ examples: [['score:gte:8', 'reason:eq:billing']] });

export const queryValues = () =>
  z
    .enum(VALUE_SOURCES)
    .optional()
    .describe(
      '`reviewed`: field values are the answers of the review where it has one, in conditions, counts and responses. Such an answer is never unverified. Default: `model`.',
    );

/** The header `If-Match`. RFC 9110 §13.1.1. */
export const ifMatch = () =>
  z
    .string()
    .max(1_000)
    .optional()
    .describe('`ETag` of the version you read. If the resource has changed since, returns 412 and changes nothing.')
    .meta({ examples: ['"o2SCWWSq6z5Gvu9qxVpUzQ"'] });

export const pageQuery = (prefix: IdPrefix) => ({
  limit: queryInteger(1, 200).optional().describe('Maximum number of items per page.'),
  cursor: typeId(prefix).optional().describe('`next_cursor` of the previous page.'),
});

/** What readers who follow a list do with it. */
export const FOLLOWED =
  'A list in ascending order of time has a `next_cursor` on its last page too: continue from it later. It is at the end when `data` is empty.';

/** The query parameters of a list that can be filtered by creation time. */
export const createdQuery = () => ({
  created_after: moment().optional().describe('Only items created at or after this time.'),
  created_before: moment().optional().describe('Only items created before this time.'),
});

/** Counts of lists stop here: an exact count of millions of rows takes too long. */
export const COUNT_LIMIT = 10_000;

export const CountSchema = responseObject('Count', {
  total: z.int().describe('Number of matching items, at most 10,000.'),
  has_more: z.boolean().describe('true: more than 10,000 items match.'),
});

/** The query of an endpoint without parameters. Ignoring a parameter would hide a client's mistake. */
export const NO_QUERY = z.strictObject({});

/** Names in one query parameter, separated by commas. */
export function queryNames<T extends string>(names: readonly T[], examples: string[]) {
  const any = names.join('|');
  return z
    .string()
    .meta({ pattern: `^(${any})(,(${any}))*$`, examples })
    .transform((value) => value.split(','))
    .pipe(z.array(z.enum(names)).refine(areDistinct, rule('unique:values')));
}

export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().describe('Pass as `cursor` to get the next page; null on the last page.'),
  });
}

/** The name of a time zone. Offsets have another sign in PostgreSQL. */
export const timezone = () =>
  z
    .string()
    .max(64)
    .regex(/^[A-Za-z][\w+\-/]*$/, { ...rule('format', { format: 'the name of a time zone' }), abort: true })
    .refine((name) => canonicalZone(name) !== undefined, rule('format:time_zone'))
    .meta({ examples: ['Asia/Tashkent'] });

/** Returns one name for all names of a time zone; undefined for names that only the database has. */
export function canonicalZone(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The query parameter of what separates the columns of a CSV file. */
export const csvDelimiter = () =>
  z
    .enum(Object.keys(CSV_DELIMITERS) as [CsvDelimiter])
    .default('comma')
    .describe('`csv` only. `semicolon`: with decimal commas, for spreadsheets in most of Europe and Central Asia.');
