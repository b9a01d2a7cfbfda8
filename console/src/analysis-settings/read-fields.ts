/** Reads the settings of an analysis from the values of a form. */
import type { ReanalysisInput } from 'conversation-analysis-client';
import { ANALYSIS_SETTINGS, isOptional, SETTINGS, type SettingName } from '../../../contract/assistants/settings.ts';
import type { FieldType } from '../../../contract/values/constants.ts';
import type { ResultField } from '../../../contract/fields/result-fields.ts';

type Values = Record<string, string>;

/** Returns the texts of each row of a list, in order. @param list the path of the list in the request. */
export function readRows(values: Values, list: string): Values[] {
  const rows = new Map<number, Values>();
  for (const [path, text] of Object.entries(values)) {
    const [, index, key] = (path.startsWith(`${list}.`) && /^(\d+)\.(\w+)$/.exec(path.slice(list.length + 1))) || [];
    if (index === undefined || key === undefined) continue;
    rows.set(Number(index), { ...rows.get(Number(index)), [key]: text });
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
}

/** Returns the lines of a text without blanks around them. */
export const readLines = (text: string) => text.split('\n').flatMap((line) => line.trim() || []);

/** Returns the fields in the order of their rows; null for none. */
export function readFields(values: Values): ResultField[] | null {
  const fields = readRows(values, 'fields').map(readRow);
  return fields.length > 0 ? fields : null;
}

/** Hidden inputs and unchecked checkboxes have no value. */
function readRow(row: Values): ResultField {
  const { name = '', title = '', type, description = '', options, minimum, maximum, evidence } = row;
  return {
    name,
    ...(title.trim() && { title: title.trim() }),
    type: type as FieldType,
    description,
    evidence: evidence !== undefined,
    ...(options !== undefined && { options: readLines(options) }),
    ...(minimum && { minimum: Number(minimum) }),
    ...(maximum && { maximum: Number(maximum) }),
  };
}

/** Keys in a fixed order, because the database does not keep their order. */
const KEYS = ['name', 'title', 'type', 'description', 'options', 'minimum', 'maximum', 'evidence'];

/** Returns whether the fields are the same, in the same order. */
export const areSame = (some: readonly ResultField[] | null, others: readonly ResultField[] | null): boolean =>
  JSON.stringify(some ?? [], KEYS) === JSON.stringify(others ?? [], KEYS);

/** Returns the API's value for the text of an input. An empty input is null. */
export function toValue(name: string, text: string): unknown {
  if (text === '') return null;
  if (name === 'webhook_events') return text.split(',');
  if (name === 'channel_roles' || name === 'vocabulary') return readLines(text);
  if (name === 'economy') return true;
  return name in SETTINGS && SETTINGS[name as SettingName].kind === 'number' ? Number(text) : text;
}

/** Returns the overriding settings of a reanalysis. An empty input is null, or absent if the setting has a default. */
export function readOverrides(values: Values): ReanalysisInput {
  const given = ANALYSIS_SETTINGS.map((name) => [name, toValue(name, values[name] ?? '')] as const);
  const isSent = (name: SettingName) => isOptional(name) && !('default' in SETTINGS[name]);
  const sent = given.filter(([name, value]) => value !== null || isSent(name));
  return { ...Object.fromEntries(sent), fields: readFields(values) };
}
