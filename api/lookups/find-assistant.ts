import type { AssistantType } from '../../contract/constants.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { invalid } from '../http/api-error.ts';

/** Spec §4.4, rule 1. */
export async function findAssistantOfType(userId: string, id: string, type: AssistantType): Promise<AssistantModel> {
  const assistant = await AssistantModel.findOwned(userId, id);
  if (!assistant) throw invalid({ path: 'assistant_id', message: 'no assistant of yours has this id' });
  if (assistant.type !== type) {
    throw invalid({
      path: 'assistant_id',
      message: `is a ${assistant.type} assistant; this endpoint takes ${type} assistants`,
    });
  }
  return assistant;
}
