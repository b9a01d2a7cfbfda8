import type { AssistantType } from '../../contract/values/constants.ts';
import { AssistantVersionModel, type AssistantVersionColumns } from '../../db/models/assistant-version.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { invalidAt, requireFound } from '../errors.ts';

/** Returns the assistant, or throws `not_found`. */
export const findAssistant = async (workspaceId: string, id: string): Promise<AssistantModel> =>
  requireFound(await AssistantModel.findOwned(workspaceId, id), 'assistant');

/** Returns one version of the assistant, or throws `not_found`. */
export async function findVersion(
  workspaceId: string,
  { id, version }: { id: string; version: string },
): Promise<AssistantVersionColumns> {
  const assistant = await findAssistant(workspaceId, id);
  return requireFound(await AssistantVersionModel.findOf(assistant, Number(version)), 'version of this assistant');
}

/** Returns the assistant of a new session. Throws `validation_failed` if it does not exist or has another type. Spec §4.4, rule 1. */
export async function findAssistantOfType(
  workspaceId: string,
  id: string,
  type: AssistantType,
): Promise<AssistantModel> {
  return requireType(await AssistantModel.findForSession(workspaceId, id), type);
}

/** Returns the assistant. Throws `validation_failed` if it does not exist or has another type. */
export function requireType(assistant: AssistantModel | undefined, type: AssistantType): AssistantModel {
  const path = 'assistant_id';
  if (!assistant) throw invalidAt(path, 'not_assistant');
  if (assistant.type === type) return assistant;
  throw invalidAt(path, 'assistant_type', { type: assistant.type, wanted: type });
}
