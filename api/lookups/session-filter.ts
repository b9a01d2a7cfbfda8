/** Reads the filters of the list of sessions, for all that take them. */
import { operatorsOf, parseCondition } from '../../contract/field-conditions.ts';
import type { FieldCondition } from '../../contract/field-conditions.ts';
import type { FieldError } from '../../contract/errors.ts';
import type { SessionFilterQuery } from '../../contract/session-filter.ts';
import { AssistantFieldModel } from '../../db/models/assistant-field.ts';
import type { KnownField } from '../../db/models/assistant-field.ts';
import type { FieldFilter, FieldTest } from '../../db/queries/filter-by-fields.ts';
import type { ListedFilter } from '../../db/queries/list-sessions.ts';
import { invalid } from '../errors.ts';

const toDate = (moment: string | undefined) => (moment === undefined ? undefined : new Date(moment));

type Flag = string | boolean | undefined;

const toBoolean = (flag: Flag) => (flag === undefined ? undefined : String(flag) === 'true');

/**
 * Returns the filter that a query means, or a body, which has `simulated` and `trial` as JSON says them. Throws `validation_failed` where
 * a condition on a field names what the assistant never had, or does not fit its type.
 */
export async function readSessionFilter(
  userId: string,
  query: Omit<SessionFilterQuery, 'simulated' | 'trial'> & { simulated?: Flag; trial?: Flag },
): Promise<ListedFilter> {
  const { created_after, created_before, simulated, trial, field, ...exact } = query;
  const { assistant_id, assistant_version } = exact;
  if (assistant_id === undefined) {
    const path = field ? 'field' : 'assistant_version';
    if (field ?? assistant_version) throw invalid({ path, message: 'needs `assistant_id`, whose it is' });
  }
  return {
    ...exact,
    created_after: toDate(created_after),
    created_before: toDate(created_before),
    simulated: toBoolean(simulated),
    trial: toBoolean(trial),
    ...(field && assistant_id !== undefined && { fields: await readConditions(userId, assistant_id, field) }),
  };
}

async function readConditions(userId: string, assistantId: string, field: readonly string[]): Promise<FieldFilter[]> {
  return toFieldFilters(await AssistantFieldModel.findKnown(userId, assistantId), field);
}

/** Returns the conditions by field. Throws `validation_failed`, which names each that can't be. */
export function toFieldFilters(known: readonly KnownField[], field: readonly string[]): FieldFilter[] {
  const errors: FieldError[] = [];
  const filters = new Map<string, FieldFilter>();
  for (const [index, text] of field.entries()) {
    const condition = parseCondition(text);
    const asked = known.find(({ name }) => name === condition?.name);
    const message = condition && refusalOf(condition, asked, known);
    if (message !== undefined) errors.push({ path: `field.${index}`, message });
    if (!condition || !asked || message !== undefined) continue;
    const filter = filters.get(asked.name) ?? { id: asked.id, type: asked.type, tests: [] };
    addTest(filter.tests, condition, asked);
    filters.set(asked.name, filter);
  }
  if (errors.length > 0) throw invalid(...errors);
  return [...filters.values()];
}

/** Adds what the condition asks; several values that are equal to are alternatives. */
function addTest(tests: FieldTest[], { operator, value }: FieldCondition, { type }: KnownField): void {
  const values = value === undefined ? [] : [type === 'boolean' ? String(Number(value === 'true')) : value];
  const same = operator === 'eq' ? tests.find((test) => test.operator === 'eq') : undefined;
  if (same) same.values.push(...values);
  else tests.push({ operator, values });
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i;

function refusalOf(
  { name, operator, value }: FieldCondition,
  asked: KnownField | undefined,
  known: readonly KnownField[],
): string | undefined {
  if (!asked) return `the assistant has no field ${name}, but ${known.map((field) => field.name).join(', ') || 'none'}`;
  const { type } = asked;
  const operators = operatorsOf(type);
  if (!operators.includes(operator)) return `${name} is of the type ${type}, which takes ${operators.join(', ')}`;
  if (value === undefined) return undefined;
  if (type === 'boolean' && value !== 'true' && value !== 'false') return `${name} is true or false`;
  if ((type === 'integer' || type === 'number') && !NUMBER.test(value)) return `${name} is a number`;
  return undefined;
}
