/** Says what an issue of zod means, by its code. */
import type { z } from 'zod';
import { fieldError, type FieldSaid } from './field-errors.ts';
import { saidBy } from './rule.ts';

type Issue = z.core.$ZodIssue;
type Sized = Extract<Issue, { code: 'too_big' | 'too_small' }>;

/** Returns what is wrong. An unknown issue has no code. @param issue of a parse with `reportInput`. */
export const sayIssue = (issue: Issue): Pick<FieldSaid, 'message'> & Partial<FieldSaid> =>
  saidBy(issue) ?? sayOwnIssue(issue) ?? { message: issue.message };

function sayOwnIssue(issue: Issue): FieldSaid | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? fieldError('required')
        : fieldError('type', { type: typeNamed(issue.expected), received: typeOf(issue.input) });
    case 'invalid_value': {
      const options = issue.values.map(printAllowed).join('|');
      return issue.values.length === 1
        ? fieldError('type:constant', { type: options })
        : fieldError('option', { options });
    }
    case 'too_big':
    case 'too_small':
      return issue.exact ? undefined : saySize(issue);
    case 'invalid_format':
      return sayFormat(issue);
    case 'not_multiple_of':
      return fieldError('multiple', { step: issue.divisor });
    case 'invalid_key':
      return fieldError('format:zod', { format: `key in ${issue.origin}` });
    case 'invalid_element':
      return fieldError('format:zod', { format: `value in ${issue.origin}` });
    case 'invalid_union': {
      const options = ('options' in issue ? (issue.options ?? []) : []) as unknown[];
      if (options.length === 0) return fieldError('invalid');
      return fieldError('option:kind', { options: options.map((option) => `'${String(option)}'`).join(' | ') });
    }
    case 'custom':
      return fieldError('invalid');
    default:
      return undefined;
  }
}

const UNITS: Record<string, string> = { array: 'items', set: 'items', map: 'entries', file: 'bytes' };

function saySize(issue: Sized): FieldSaid {
  const { origin: type, inclusive } = issue;
  const unit = UNITS[type];
  if (issue.code === 'too_big') {
    const max = String(issue.maximum);
    if (type === 'string') return fieldError('max_characters:zod', { max });
    if (unit) return fieldError('too_many:zod', { type, max, unit });
    return inclusive ? fieldError('maximum', { type, max }) : fieldError('below:zod', { type, max });
  }
  const min = String(issue.minimum);
  if (type === 'string') return fieldError('min_characters:zod', { min });
  if (unit) return fieldError('too_few:zod', { type, min, unit });
  return inclusive ? fieldError('minimum', { type, min }) : fieldError('above', { type, min });
}

/** Names of the formats in the schemas of requests. */
const FORMATS: Record<string, string> = { date: 'ISO date', datetime: 'ISO datetime', url: 'URL' };

function sayFormat({ format, pattern }: Extract<Issue, { code: 'invalid_format' }>): FieldSaid | undefined {
  if (format === 'email') return fieldError('email:zod');
  if (format === 'regex') return fieldError('format:pattern', { format: pattern ?? '' });
  const name = FORMATS[format];
  return name === undefined ? undefined : fieldError('format:zod', { format: name });
}

const printAllowed = (value: unknown) => (typeof value === 'string' ? `"${value}"` : String(value));

/** Names a type of zod as JSON does. */
const typeNamed = (expected: string) => (expected === 'record' ? 'object' : expected);

/** Returns the type of a value as zod names it. */
function typeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : String(value);
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
