/** From the texts of the form to what the API takes. */
import type { Assistant, AssistantInput, AssistantPatch } from '../../../../clients/typescript/src/index.ts';
import { VOICE_SETTINGS } from '../../../../contract/constants.ts';
import { areSame, readFields } from '../../analysis-settings/read-fields.ts';

type Fallback = NonNullable<Assistant['fallback']>;

const FALLBACK_PARTS = ['llm_provider', 'llm_model', 'stt_provider', 'stt_model'] as const;

type Values = Record<string, string>;

/** Fields for which an empty text means that nothing is set. */
const OPTIONAL = [
  ...['description', 'stt_model', 'stt_language', 'channel_roles', 'llm_model', 'webhook_url', 'retention_days'],
];

/** Fields that are numbers. */
const NUMBERS = ['temperature', 'retention_days'];

/** Returns what the API takes for the text of a field. */
function toValue(name: string, text: string): unknown {
  if (NUMBERS.includes(name)) return Number(text);
  if (name !== 'channel_roles') return text;
  const roles = text.split(',').map((role) => role.trim());
  return roles.filter((role) => role !== '');
}

/** Returns the inputs of the assistant itself, without those of its fields and its fallback. */
const ownOf = (values: Values) => Object.entries(values).filter(([name]) => !name.includes('.'));

/** Returns the vendors that answer instead; null for none. An input that is not shown has no text. */
function readFallback(values: Values): Fallback | null {
  const [llm_provider, stt_provider] = [values['fallback.llm_provider'], values['fallback.stt_provider']];
  if (!llm_provider && !stt_provider) return null;
  return {
    ...{ llm_provider: llm_provider || null, llm_model: values['fallback.llm_model'] || null },
    ...{ stt_provider: stt_provider || null, stt_model: values['fallback.stt_model'] || null },
  } as Fallback;
}

/** Returns the body of a creation: what was left empty is left to the API's defaults. */
export function toInput(values: Values): AssistantInput {
  const isVoice = values['type'] === 'voice';
  const isForeign = (name: string) => !isVoice && VOICE_SETTINGS.some((each) => each === name);
  const given = Object.fromEntries(
    ownOf(values)
      .filter(([name, text]) => text !== '' && !isForeign(name))
      .map(([name, text]) => [name, toValue(name, text)]),
  );
  const [fields, fallback] = [readFields(values), readFallback(values)];
  return { ...given, ...(fields && { fields }), ...(fallback && { fallback }) } as unknown as AssistantInput;
}

/** Returns the fields that differ; an empty text clears an optional one. A secret that was left empty stays. */
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
  return patch;
}

/** Returns the body without the secret, which is not to lie about in a clipboard. */
export const hideSecret = <Body extends { webhook_secret?: string | null }>(body: Body): Body =>
  body.webhook_secret ? { ...body, webhook_secret: 'WEBHOOK_SECRET' } : body;
