/** From the texts of the form to what the API takes. */
import type { Assistant, AssistantInput, AssistantPatch } from '../../../../clients/typescript/src/index.ts';

type Values = Record<string, string>;

/** Fields for which an empty text means that nothing is set. */
const OPTIONAL = ['description', 'stt_model', 'stt_language', 'llm_model', 'webhook_url'] as const;

/** Returns the body of a creation: what was left empty is left to the API's defaults. */
export function toInput(values: Values): AssistantInput {
  const isVoice = values['type'] === 'voice';
  const given = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== '' && (isVoice || !name.startsWith('stt_'))),
  );
  return { ...given, temperature: Number(values['temperature']) } as unknown as AssistantInput;
}

/** Returns the fields that differ; an empty text clears an optional one. A secret that was left empty stays. */
export function toPatch(values: Values, assistant: Assistant): AssistantPatch {
  const before = assistant as unknown as Record<string, unknown>;
  const patch: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(values)) {
    if (name === 'type' || (name === 'webhook_secret' && text === '')) continue;
    const isOptional = OPTIONAL.some((field) => field === name);
    const value = name === 'temperature' ? Number(text) : isOptional && text === '' ? null : text;
    if (value !== (before[name] ?? null)) patch[name] = value;
  }
  return patch;
}
