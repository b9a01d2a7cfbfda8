import type { AssistantType } from '../../contract/constants.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { prepared } from '../../db/prepared.ts';
import { ApiError, invalid } from '../errors.ts';

export const noAssistant = () => new ApiError('not_found', 'No assistant of yours has this id.');

/** Returns an assistant of the user; throws `not_found` if there is none of this id. */
export async function findAssistant(userId: string, id: string): Promise<AssistantModel> {
  const row = await AssistantModel.findOwned(userId, id);
  if (!row) throw noAssistant();
  return row;
}

/** Returns the assistant that a request names; throws `validation_failed` if it can't take the request. Spec §4.4, rule 1. */
export async function findAssistantOfType(userId: string, id: string, type: AssistantType): Promise<AssistantModel> {
  const assistant = await prepared(AssistantModel.findOwned(userId, id));
  if (!assistant) throw invalid({ path: 'assistant_id', message: 'no assistant of yours has this id' });
  if (assistant.type !== type) {
    throw invalid({
      path: 'assistant_id',
      message: `is a ${assistant.type} assistant; this endpoint takes ${type} assistants`,
    });
  }
  return assistant;
}
