import type { Provider } from 'conversation-analysis-client';
import type { LlmProviderName } from '../../../contract/values/constants.ts';

/** Returns the provider of a new assistant: the first real one with a model, such as a server on this machine, before a stand-in. */
export function defaultProvider(providers: readonly Provider[] = []): LlmProviderName {
  const real = providers.find(
    ({ step, configured, simulated, default_model }) =>
      step === 'analysis' && configured && !simulated && default_model !== null,
  );
  return (real?.provider ?? 'openai') as LlmProviderName;
}
