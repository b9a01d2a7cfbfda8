import { typeid } from 'typeid-js';
import type { AssistantModel } from '../../db/models/assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../errors.ts';
import { findAssistant } from '../lookups/find-assistant.ts';
import type { OwnedAssistant } from './change-assistant.ts';
import { mergeSettings } from './check-assistant.ts';
import { findForbiddenModels } from './check-models.ts';
import { storeAssistant } from './create-assistant.ts';

/**
 * Copies an assistant with its secret, which stays with the origin that it is for. Throws `validation_failed` for a model
 * that is no longer allowed: a copy is a new assistant.
 */
export async function duplicateAssistant(
  deps: Pick<ApiDeps, 'config' | 'secrets'>,
  { userId, id }: OwnedAssistant,
): Promise<AssistantModel> {
  const row = await findAssistant(userId, id);
  const forbidden = findForbiddenModels(deps.config, row);
  if (forbidden.length > 0) throw invalid(...forbidden);
  const copyId = typeid('asst').toString();
  return storeAssistant(deps, {
    ...mergeSettings(row, { name: copyName(row.name) }),
    id: copyId,
    user_id: userId,
    webhook_secret: resealFor(deps.secrets, row, copyId),
  });
}

/** Returns the secret sealed for the copy's row; null if there is none, or none that opens. */
function resealFor(secrets: ApiDeps['secrets'], row: AssistantModel, copyId: string): string | null {
  const secret = row.webhook_secret === null ? undefined : secrets.open(row.webhook_secret, row.id);
  return secret === undefined ? null : secrets.seal(secret, copyId);
}

/** Cuts the name where it would outgrow a name's bound. */
const copyName = (name: string) => `${[...name].slice(0, 193).join('')} (copy)`;
