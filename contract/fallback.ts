/** The vendors that answer where an assistant's own are away: docs/decisions.md, "Fallback". */
import { z } from 'zod';
import { LLM_PROVIDERS, STT_PROVIDERS } from './constants.ts';
import { openEnum } from './fields.ts';
import { modelId } from './model-id.ts';

export const FallbackInputSchema = z
  .strictObject({
    llm_provider: z.enum(LLM_PROVIDERS).nullish(),
    llm_model: modelId().nullish().describe("Default: the provider's own."),
    stt_provider: z.enum(STT_PROVIDERS).nullish().describe('Voice assistants only.'),
    stt_model: modelId().nullish().describe("Default: the provider's own."),
  })
  .superRefine((fallback, context) => {
    const { llm_provider, stt_provider } = fallback;
    if (llm_provider == null && stt_provider == null) {
      context.addIssue({ code: 'custom', path: [], message: 'must name llm_provider or stt_provider' });
    }
    for (const kind of ['llm', 'stt'] as const) {
      if (fallback[`${kind}_provider`] != null || fallback[`${kind}_model`] == null) continue;
      context.addIssue({ code: 'custom', path: [`${kind}_model`], message: `needs ${kind}_provider` });
    }
  })
  .meta({ id: 'FallbackInput', examples: [{ llm_provider: 'anthropic', llm_model: 'claude-haiku-5-5' }] });

export const FallbackSchema = z
  .object({
    llm_provider: openEnum(LLM_PROVIDERS).nullable(),
    llm_model: z.string().nullable(),
    stt_provider: openEnum(STT_PROVIDERS).nullable(),
    stt_model: z.string().nullable(),
  })
  .meta({ id: 'Fallback' });

export type Fallback = z.output<typeof FallbackSchema>;
export type FallbackInput = z.output<typeof FallbackInputSchema>;
