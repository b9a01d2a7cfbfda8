/** Converts the values of the form to API input. */
import type { Assistant, AssistantInput, AssistantPatch } from 'conversation-analysis-client';
import { REDACTION_KINDS, VOICE_SETTINGS } from '../../../../contract/constants.ts';
import { areSame, readFields } from '../../analysis-settings/read-fields.ts';

type Fallback = NonNullable<Assistant['fallback']>;

const FALLBACK_PARTS = ['llm_provider', 'llm_model', 'stt_provider', 'stt_model'] as const;

type Values = Record<string, string>;

/** Fields that an empty text clears. */
const OPTIONAL = 'description stt_model stt_language channel_roles llm_model webhook_url retention_days'.split(' ');

/** Numeric fields. */
const NUMBERS = ['temperature', 'retention_days'];

/** Fields with items that commas separate. */
const LISTS = ['channel_roles', 'webhook_events'];

/** Returns the API value for the text of a field. */
function toValue(name: string, text: string): unknown {
  if (NUMBERS.includes(name)) return Number(text);
  if (!LISTS.includes(name)) return text;
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/** Returns the inputs of the assistant without its fields, fallback and redaction. */
const ownOf = (values: Values) => Object.entries(values).filter(([name]) => !name.includes('.'));

/** Returns the fallback; null for none. Hidden inputs have no text. */
function readFallback(values: Values): Fallback | null {
  const [llm_provider, stt_provider] = [values['fallback.llm_provider'], values['fallback.stt_provider']];
  if (!llm_provider && !stt_provider) return null;
  return {
    ...{ llm_provider: llm_provider || null, llm_model: values['fallback.llm_model'] || null },
    ...{ stt_provider: stt_provider || null, stt_model: values['fallback.stt_model'] || null },
  } as Fallback;
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
  const parts = { ...(fields && { fields }), ...(fallback && { fallback }), ...(redaction && { redaction }) };
  return { ...given, ...parts } as unknown as AssistantInput;
}

/** Returns the changed fields. An empty text clears an optional field; an empty secret is kept. */
export function toPatch(values: Values, assistant: Assistant): AssistantPatch {
  const before = assistant as unknown as Record<string, unknown>;
  const patch: Record<string, unknown> = {};
  for (const [name, text] of ownOf(values)) {
    if (name === 'type' || (name === 'webhook_secret' && text === '')) continue;
    const isCleared = text === '' && OPTIONAL.includes(name);
    const value = isCleared ? null : toValue(name, text);
    if (JSON.stringify(value) !== JSON.stringify(before[name] ?? null)) patch[name] = value;
  }
  const fields = readFields(values);
  if (!areSame(fields, assistant.fields)) patch['fields'] = fields;
  const [fallback, kept] = [readFallback(values), assistant.fallback];
  if (FALLBACK_PARTS.some((part) => (fallback?.[part] ?? null) !== (kept?.[part] ?? null)))
    patch['fallback'] = fallback;
  const redaction = readRedaction(values);
  if (textOf(redaction) !== textOf(assistant.redaction)) patch['redaction'] = redaction;
  return patch;
}

/** Returns the body with a placeholder for the secret, for the clipboard. */
export const hideSecret = <Body extends { webhook_secret?: string | null }>(body: Body): Body =>
  body.webhook_secret ? { ...body, webhook_secret: 'WEBHOOK_SECRET' } : body;
