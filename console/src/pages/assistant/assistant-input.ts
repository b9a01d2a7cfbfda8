/** Converts the form's values to API input. */
import type { AlertInput, Assistant, AssistantInput, AssistantPatch } from 'conversation-analysis-client';
import { VOICE_SETTINGS } from '../../../../contract/assistants/settings.ts';
import { AUTO_DETECT } from '../../../../contract/values/constants.ts';
import { REDACTION_KINDS } from '../../../../contract/values/redaction-kinds.ts';
import { LIMITS } from '../../../../contract/values/limits.ts';
import { describeCondition } from '../../fields/conditions.ts';
import { texts } from '../../texts/index.ts';
import { areSame, readFields, readLines, readRows, toValue } from '../../analysis-settings/read-fields.ts';

type Fallback = NonNullable<Assistant['fallback']>;

const FALLBACK_PARTS = ['llm_provider', 'llm_model', 'stt_provider', 'stt_model'] as const;

type Values = Record<string, string>;

/** Returns the language as its input shows it: nothing if the provider detects it. */
export const withoutAutoDetect = (language: string | null = null) =>
  (language === AUTO_DETECT ? null : language) ?? undefined;

/** Returns the inputs of the assistant without its fields, fallback, redaction and alerts. */
const ownOf = (values: Values) => Object.entries(values).filter(([name]) => !name.includes('.'));

/** Returns the fallback; null for none. Hidden inputs have no value. */
function readFallback(values: Values): Fallback | null {
  const parts = FALLBACK_PARTS.map((part) => [part, values[`fallback.${part}`] || null] as const);
  const fallback = Object.fromEntries(parts) as Fallback;
  return fallback.llm_provider || fallback.stt_provider ? fallback : null;
}

/** Returns the redaction; null for none. */
function readRedaction(values: Values): Assistant['redaction'] {
  const entities = REDACTION_KINDS.filter((kind) => values[`redaction.${kind}`]);
  if (entities.length === 0) return null;
  const originals = values['redaction.originals'] === 'seal' ? 'seal' : 'discard';
  return { entities, originals, keep_audio: Boolean(values['redaction.keep_audio']) };
}

/** Returns the same text for the same redaction, in whatever order it names the kinds. */
const textOf = (redaction: Assistant['redaction']) =>
  redaction && JSON.stringify({ ...redaction, entities: redaction.entities.toSorted() });

/**
 * Returns the alerts. An empty secret is kept. An alert keeps its name; a new one is named by its conditions.
 * @param saved the alerts that the form has saved since it opened keep their names, too.
 */
function readAlerts(values: Values, saved: Assistant['alerts'] = []): AlertInput[] {
  const rows = readRows(values, 'alerts');
  const taken = new Set(rows.map(({ name }) => name));
  const nameFor = (url: string, when: string) => {
    const former = saved.find((alert) => alert.url === url && !taken.has(alert.name))?.name;
    const made = former ?? describeAlert(values, when);
    const name = taken.has(made) ? `${made} (${taken.size})` : made;
    taken.add(name);
    return name;
  };
  return rows.map(({ name, event, when = '', url = '', secret, format }) => ({
    name: name || nameFor(url, when),
    event: event as NonNullable<AlertInput['event']>,
    when: readLines(when),
    url,
    format: format as NonNullable<AlertInput['format']>,
    ...(secret && { secret }),
  }));
}

/** Longest part of the name of an alert. */
const MAX_DESCRIPTION = LIMITS.role - 5;

function describeAlert(values: Values, when: string): string {
  const titles = new Map(readRows(values, 'fields').map(({ name, title }) => [name, title]));
  const conditions = readLines(when).map((each) => describeCondition(each, (key) => titles.get(key) || key));
  return (conditions.join(', ') || texts.assistant.alerts.events['delivery.failed']).slice(0, MAX_DESCRIPTION);
}

/** Returns the alerts as a form without changes contains them. */
const unchangedAlerts = ({ alerts }: Assistant) =>
  alerts.map(({ name, event, when, url, format }) => ({ name, event, when, url, format }));

/** Returns the follow-ups, as the API presents them. */
const readFollowUps = (values: Values) =>
  readRows(values, 'follow_ups').map(({ assistant_id = '', when = '' }) => ({ assistant_id, when: readLines(when) }));

/** Returns the body of a creation. Empty inputs take the API's defaults. */
export function toInput(values: Values): AssistantInput {
  const isVoice = values['type'] === 'voice';
  const isForeign = (name: string) => !isVoice && VOICE_SETTINGS.some((each) => each === name);
  const given = Object.fromEntries(
    ownOf(values)
      .filter(([name, text]) => text !== '' && !isForeign(name))
      .map(([name, text]) => [name, toValue(name, text)]),
  );
  const [fields, fallback, redaction] = [readFields(values), readFallback(values), readRedaction(values)];
  const alerts = readAlerts(values);
  const parts = { ...(fields && { fields }), ...(fallback && { fallback }), ...(redaction && { redaction }) };
  const lists = { ...(alerts.length > 0 && { alerts }), follow_ups: readFollowUps(values) };
  return { ...given, ...parts, ...lists } as unknown as AssistantInput;
}

/** Returns the changed settings. An empty input clears an optional setting. An empty secret keeps the stored one. */
export function toPatch(values: Values, assistant: Assistant): AssistantPatch {
  const before: Record<string, unknown> = { ...assistant, stt_language: withoutAutoDetect(assistant.stt_language) };
  const patch: Record<string, unknown> = {};
  // An unchecked checkbox has no value.
  for (const [name, text] of ownOf({ economy: '', ...values })) {
    if (name === 'type' || (name === 'webhook_secret' && text === '')) continue;
    const value = toValue(name, text);
    if (JSON.stringify(value) !== JSON.stringify(before[name] ?? null)) patch[name] = value;
  }
  const fields = readFields(values);
  if (!areSame(fields, assistant.fields)) patch['fields'] = fields;
  const [fallback, kept] = [readFallback(values), assistant.fallback];
  if (FALLBACK_PARTS.some((part) => (fallback?.[part] ?? null) !== (kept?.[part] ?? null)))
    patch['fallback'] = fallback;
  const redaction = readRedaction(values);
  if (textOf(redaction) !== textOf(assistant.redaction)) patch['redaction'] = redaction;
  const followUps = readFollowUps(values);
  if (JSON.stringify(followUps) !== JSON.stringify(assistant.follow_ups ?? [])) patch['follow_ups'] = followUps;
  // Disabled inputs have no text.
  const alerts =
    values['webhook_url'] === undefined ? unchangedAlerts(assistant) : readAlerts(values, assistant.alerts);
  if (JSON.stringify(alerts) !== JSON.stringify(unchangedAlerts(assistant))) patch['alerts'] = alerts;
  return patch;
}

interface Row {
  name: string;
}

interface Lists<T> {
  /** As the form was opened. */
  before: readonly T[];
  mine: readonly T[];
  latest: readonly T[];
}

/** Returns a list with the changes of both people: rows that this one left alone are as in the latest state. */
function mergeRows<T extends Row>({ before, mine, latest }: Lists<T>, isSame: (one: T, other: T) => boolean): T[] {
  const find = (rows: readonly T[], { name }: Row) => rows.find((row) => row.name === name);
  const kept = mine.flatMap((row) => {
    const opened = find(before, row);
    return opened && isSame(row, opened) ? (find(latest, row) ?? []) : row;
  });
  return [...kept, ...latest.filter((row) => !find(before, row) && !find(mine, row))];
}

/** Returns the patch of a form that was opened before somebody else changed the assistant. */
export function mergePatch({ fields, alerts, ...patch }: AssistantPatch, before: Assistant, latest: Assistant) {
  const merged: AssistantPatch = patch;
  if (fields !== undefined) {
    const mine = (fields ?? []) as NonNullable<Assistant['fields']>;
    const lists = { before: before.fields ?? [], mine, latest: latest.fields ?? [] };
    const rows = mergeRows(lists, (one, other) => areSame([one], [other]));
    // As the form without fields.
    merged.fields = rows.length > 0 ? rows : null;
  }
  if (alerts !== undefined) {
    const lists = {
      before: unchangedAlerts(before),
      mine: (alerts ?? []) as ReturnType<typeof unchangedAlerts>,
      latest: unchangedAlerts(latest),
    };
    merged.alerts = mergeRows(lists, (one, other) => JSON.stringify(one) === JSON.stringify(other));
  }
  return merged;
}
