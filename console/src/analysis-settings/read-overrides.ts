import type { ReanalysisInput } from '../../../clients/typescript/src/index.ts';
import type { LlmProviderName } from '../../../contract/constants.ts';
import { readFields } from './read-fields.ts';

/** Returns the settings of an analysis that stand in a form. @param prefix what the names of its inputs begin with. */
export function readOverrides(values: Record<string, string>, prefix: '' | 'overrides.' = ''): ReanalysisInput {
  const textOf = (name: string) => values[`${prefix}${name}`];
  const [prompt, model, temperature] = [textOf('system_prompt'), textOf('llm_model'), textOf('temperature')];
  return {
    // The API refuses an empty prompt, and so does the form.
    ...(prompt && { system_prompt: prompt }),
    llm_provider: textOf('llm_provider') as LlmProviderName,
    ...(model && { llm_model: model }),
    ...(temperature && { temperature: Number(temperature) }),
    fields: readFields(values, prefix),
  };
}
