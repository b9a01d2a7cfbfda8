import type { ProviderName } from '../../contract/constants.ts';
import type { FieldError } from '../../contract/errors.ts';
import { isAllowedModel } from '../allowed-models.ts';
import type { ApiDeps } from '../deps.ts';

interface ChosenModels {
  llm_provider: ProviderName;
  llm_model: string;
  stt_provider: ProviderName | null;
  stt_model: string | null;
}

/** Returns an error for each model that is not allowed, by the field that names it. */
export function findForbiddenModels(
  config: Pick<ApiDeps['config'], 'allowedModels'>,
  { llm_provider, llm_model, stt_provider, stt_model }: ChosenModels,
): FieldError[] {
  const chosen = [
    { path: 'llm_model', provider: llm_provider, model: llm_model },
    ...(stt_provider === null ? [] : [{ path: 'stt_model', provider: stt_provider, model: stt_model }]),
  ];
  return chosen.flatMap((choice) => findForbiddenModel(config, choice));
}

/** Returns an error if the model that a field names is not allowed. */
export function findForbiddenModel(
  config: Pick<ApiDeps['config'], 'allowedModels'>,
  { path, provider, model }: { path: string; provider: ProviderName; model: string | null },
): FieldError[] {
  if (isAllowedModel(config, provider, model)) return [];
  const name = model === null ? provider : `${provider}/${model}`;
  return [{ path, message: `this server does not allow ${name}: ALLOWED_MODELS lists what it allows` }];
}
