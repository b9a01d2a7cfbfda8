/**
 * Says which models take a temperature, and which need their reasoning switched off for it. docs/decisions.md,
 * "Temperature".
 */
import type { LlmProviderName } from '../../../contract/constants.ts';

export interface ModelCapability {
  temperature: 'send' | 'omit';
  /** Set where the model takes a temperature only with its reasoning off. */
  reasoning_effort?: 'none';
}

interface Rule extends ModelCapability {
  provider: LlmProviderName;
  model: RegExp;
}

/** Rules in order; the first that fits counts. */
const RULES: readonly Rule[] = [
  {
    provider: 'openai',
    model: /^gpt-(6-luna|6-sol|6\.1-terra|5\.[1-6])(-|$)/,
    temperature: 'send',
    reasoning_effort: 'none',
  },
  { provider: 'openai', model: /^(gpt-[5-9]|o\d)/, temperature: 'omit' },
  { provider: 'anthropic', model: /./, temperature: 'omit' },
  { provider: 'gemini', model: /^gemini-(3\.5-flash-lite|3\.[6-9]|[4-9])/, temperature: 'omit' },
  { provider: 'grok', model: /^grok-4\.3(-|$)/, temperature: 'send', reasoning_effort: 'none' },
];

/**
 * Returns what the model takes. One that no rule knows is sent the temperature; if it refuses, the call is repeated
 * without.
 */
export function capabilityOf(provider: LlmProviderName, model: string): ModelCapability {
  return RULES.find((rule) => rule.provider === provider && rule.model.test(model)) ?? { temperature: 'send' };
}
