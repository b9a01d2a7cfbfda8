import { typeid } from 'typeid-js';
import type { AssistantSettings } from '../../contract/assistants.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { NewAssistant } from '../../db/models/assistant.ts';
import { insertWithin } from '../../db/models/quota.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid } from '../errors.ts';
import { findDeafVendors } from './check-channels.ts';
import { findBlockedUrl, findTooLongRetention, findUnusableModels, withDefaults } from './check-assistant.ts';

/** Stores a new assistant; the secret is sealed for its row. */
export async function createAssistant(
  deps: Pick<ApiDeps, 'config' | 'guard' | 'secrets'>,
  userId: string,
  settings: AssistantSettings,
): Promise<AssistantModel> {
  const columns = withDefaults(settings);
  const errors = [
    ...findUnusableModels(deps, columns),
    ...findDeafVendors(columns),
    ...findTooLongRetention(deps, columns.retention_days),
    ...(await findBlockedUrl(deps, columns.webhook_url, userId)),
  ];
  if (errors.length > 0) throw invalid(...errors);
  const id = typeid('asst').toString();
  const { webhook_secret } = settings;
  return storeAssistant(deps, {
    ...columns,
    id,
    user_id: userId,
    webhook_secret: webhook_secret == null ? null : deps.secrets.seal(webhook_secret, id),
  });
}

/** Stores a row that is complete; throws `quota_exceeded` if its owner has as many assistants as one may have. */
export async function storeAssistant({ config }: Pick<ApiDeps, 'config'>, row: NewAssistant): Promise<AssistantModel> {
  const max = config.quotas.assistants;
  const stored = await insertWithin(AssistantModel, row, max);
  if (!stored) throw new ApiError('quota_exceeded', `You have ${max} assistants, which is the most. Delete one first.`);
  return stored;
}
