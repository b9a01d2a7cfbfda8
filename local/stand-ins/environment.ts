/** Settings for the stand-ins. */
import { PROVIDERS } from '../../contract/constants.ts';
import type { ProviderName } from '../../contract/constants.ts';
import { keyVariable, PROVIDER_FACTS, urlVariable } from '../../contract/providers.ts';
import type { Environment } from '../../runtime/environment.ts';

/** Returns the providers with neither a key nor a base URL. */
export function findKeyless(env: Environment): ProviderName[] {
  return PROVIDERS.filter((name) => {
    const sharedBy = PROVIDER_FACTS[name].key_shared_by;
    const variables = [keyVariable(name), urlVariable(name), ...(sharedBy ? [keyVariable(sharedBy)] : [])];
    return !variables.some((variable) => env[variable]);
  });
}

/** Returns the settings with which these providers are the stand-ins at `url`, and their sessions are `simulated`. */
export function standInEnvironment(providers: readonly ProviderName[], url: string): Environment {
  const entries = providers.flatMap((name): [string, string][] => {
    return [
      [keyVariable(name), 'stand-in'],
      [urlVariable(name), url + PROVIDER_FACTS[name].stand_in_path],
    ];
  });
  return { ...Object.fromEntries(entries), SIMULATED_PROVIDERS: providers.join(',') };
}
