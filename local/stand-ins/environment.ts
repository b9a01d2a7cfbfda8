/** Settings that replace providers with stand-ins. */
import type { ProviderName } from '../../contract/values/constants.ts';
import { keyVariable, STEP_PROVIDERS, stepProvider, urlVariable } from '../../contract/values/providers.ts';
import type { Environment } from '../../runtime/settings/environment.ts';

const REPLACEABLE = STEP_PROVIDERS.filter(({ name }) => name !== 'local');

/** Returns the providers with neither a key nor a base URL. */
export function findKeyless(env: Environment): ProviderName[] {
  const keyless = REPLACEABLE.filter((provider) => {
    const sharedBy = provider.key_shared_by;
    const ownVariables = [keyVariable(provider), urlVariable(provider)];
    const variables = sharedBy ? [...ownVariables, keyVariable(stepProvider('analysis', sharedBy))] : ownVariables;
    return !variables.some((variable) => env[variable]);
  });
  return keyless.map(({ name }) => name);
}

/** Returns settings that replace these providers, except `local`, with the stand-ins at `url` and mark sessions as `simulated`. */
export function standInEnvironment(names: readonly ProviderName[], url: string): Record<string, string> {
  const replaced = REPLACEABLE.filter(({ name }) => names.includes(name));
  const entries = replaced.flatMap((provider): [string, string][] => [
    [keyVariable(provider), 'stand-in'],
    [urlVariable(provider), `${url}${provider.stand_in_path}`],
  ]);
  return { ...Object.fromEntries(entries), SIMULATED_PROVIDERS: replaced.map(({ name }) => name).join(',') };
}
