/** The models that this installation lets assistants use: the setting `ALLOWED_MODELS`. */
import type { ProviderName } from '../contract/constants.ts';
import type { ApiDeps } from './deps.ts';

type Rules = Pick<ApiDeps['config'], 'allowedModels'>;

export function isAllowedModel({ allowedModels }: Rules, provider: ProviderName, model: string | null): boolean {
  return allowsAnyModel({ allowedModels }, provider) || allowedModels.includes(`${provider}/${model}`);
}

export function allowsAnyModel({ allowedModels }: Rules, provider: ProviderName): boolean {
  return allowedModels.length === 0 || allowedModels.includes(`${provider}/*`);
}
