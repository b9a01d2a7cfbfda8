/** The settings of the providers: their keys and URLs, and servers of the operator. */
import type { z } from 'zod';
import { keyVariable, PROVIDER_FACTS, STEP_PROVIDERS, urlVariable } from '../../contract/values/providers.ts';
import { baseUrl, list, optional, secret } from './setting-rules.ts';

/** Returns the key and the URL of every provider but `local`. */
function providerVariables() {
  const hosted = STEP_PROVIDERS.filter(({ name }) => name !== 'local');
  const entries = hosted.flatMap((provider) => {
    const { key_shared_by } = provider;
    const sharing = key_shared_by && PROVIDER_FACTS[key_shared_by].title;
    return [
      [
        keyVariable(provider),
        secret(
          optional().describe(
            sharing
              ? `API key. Default: the key of ${sharing}, which is sent to ${sharing} only.`
              : 'API key. Required in production for assistants that use the provider.',
          ),
        ),
      ],
      [
        urlVariable(provider),
        baseUrl().describe(
          sharing
            ? `Base URL of ${sharing} or of a server with ${sharing}'s transcription API.`
            : "Base URL. Default: the provider's.",
        ),
      ],
    ];
  });
  return Object.fromEntries(entries) as Record<
    ReturnType<typeof keyVariable | typeof urlVariable>,
    z.ZodType<string | undefined>
  >;
}

export const providers = providerVariables();

const localKey = () => secret(optional().describe('API key, if the server needs one.'));
const localModels = () =>
  list().describe(
    'Models of this server that assistants may use, comma-separated; the first is the default. Empty: any.',
  );

export const local = {
  LOCAL_LLM_BASE_URL: baseUrl().describe(
    "URL of a server with OpenAI's chat completions API for `llm_provider: local`, such as `http://127.0.0.1:11434/v1`.",
  ),
  LOCAL_LLM_API_KEY: localKey(),
  LOCAL_LLM_MODELS: localModels(),
  LOCAL_STT_BASE_URL: baseUrl().describe(
    "URL of a server with OpenAI's transcription API for `stt_provider: local`, such as `http://127.0.0.1:8000/v1`.",
  ),
  LOCAL_STT_API_KEY: localKey(),
  LOCAL_STT_MODELS: localModels(),
};
