import { typeid } from 'typeid-js';
import type { AssistantSettings } from '../../contract/assistants.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../errors.ts';
import { findBlockedUrl, findUnusableModels, withDefaults } from './check-assistant.ts';

/** Stores a new assistant; the secret is sealed for its row. */
export async function createAssistant(
  deps: Pick<ApiDeps, 'config' | 'guard' | 'secrets'>,
  userId: string,
  settings: AssistantSettings,
): Promise<AssistantModel> {
  const columns = withDefaults(settings);
  const errors = [...findUnusableModels(deps, columns), ...(await findBlockedUrl(deps, columns.webhook_url))];
  if (errors.length > 0) throw invalid(...errors);
  const id = typeid('asst').toString();
  const { webhook_secret } = settings;
  return AssistantModel.insertRow({
    ...columns,
    id,
    user_id: userId,
    webhook_secret: webhook_secret == null ? null : deps.secrets.seal(webhook_secret, id),
  });
}
