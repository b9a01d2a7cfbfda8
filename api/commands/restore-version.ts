import type { AssistantModel } from '../../db/models/assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { findAssistant } from '../lookups/find-assistant.ts';
import { findVersion } from '../lookups/find-version.ts';
import { changeAssistant } from './change-assistant.ts';
import type { AssistantChange, OwnedAssistant } from './change-assistant.ts';

/**
 * Gives an assistant the settings of one of its versions again, as a change that a client makes: they must be valid now.
 * What decides no result stays.
 */
export async function restoreVersion(
  deps: Pick<ApiDeps, 'config' | 'guard' | 'secrets'>,
  owned: OwnedAssistant,
  { version, requireState }: Pick<AssistantChange, 'requireState'> & { version: number },
): Promise<AssistantModel> {
  const { settings } = await findVersion(await findAssistant(owned.userId, owned.id), version);
  return changeAssistant(deps, owned, { patch: settings, requireState, restoredFrom: version });
}
