/** Reads the settings of an analysis from the values of a form. */
import { hashKey } from '@tanstack/react-query';
import type { ReanalysisInput } from 'conversation-analysis-client';
import { ANALYSIS_SETTINGS, isOptional, SETTINGS, type SettingName } from '../../../contract/assistants/settings.ts';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import type { Points } from '../../../contract/fields/score.ts';

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
  const { name = '', title = '', type, description = '', options, minimum, maximum, evidence, pass, must = '' } = row;
  const { phrases = '', by, within_s, said_by } = row;
  return {
    name,
    ...(title.trim() && { title: title.trim() }),
    type,
    description,
    evidence: evidence !== undefined,
    ...(options !== undefined && { options: readLines(options) }),
    ...(minimum && { minimum: Number(minimum) }),
    ...(maximum && { maximum: Number(maximum) }),
    ...(type === 'score' && { of: readPoints(row), pass: Number(pass) }),
    ...(type === 'score' && must !== '' && { must: readLines(must) }),
    ...(type === 'said' && { phrases: readLines(phrases) }),
    ...(by && { by }),
    ...(within_s && { within_s: Number(within_s) }),
    ...(said_by && { said_by }),
  } as ResultField;
}

/** Returns points as their input shows them. */
export const printPoints = (points: Points) => Object.entries(points).map((pair) => pair.join(' = '));

/** Returns the points of each question with any: `true = 10` on each line. */
const readPoints = (row: Values) =>
  Object.entries(row).flatMap(([input, text]) => {
    if (!input.startsWith('points_') || text.trim() === '') return [];
    // The API refuses other lines as answers.
    const pairs = readLines(text).map((line) => /^(.*)= *(\d*)$/.exec(line) ?? [line, line, '']);
    const points = pairs.map(([, key = '', earned]) => [key.trim(), Number(earned)] as const);
    return { field: input.slice(7), points: Object.fromEntries(points) };
  });

/** Returns whether the fields are the same, in the same order. Their keys are sorted: the database does not keep their order. */
export const areSame = (some: readonly ResultField[] | null, others: readonly ResultField[] | null): boolean =>
  hashKey([some ?? []]) === hashKey([others ?? []]);

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
