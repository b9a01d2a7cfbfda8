/** A session to be analyzed, and what its analysis left in the ledger. */
import type { ModelAnswer } from '../../../activities/vendors/llm/ask-model.ts';
import { closePaid } from '../../../activities/vendors/record-call.ts';
import type { PaidCall } from '../../../activities/vendors/record-call.ts';
import type { LlmProviderName } from '../../../contract/constants.ts';
import type { AssistantFields } from '../../../db/models/assistant.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { VendorCallModel } from '../../../db/models/vendor-call.ts';
import { createAssistant, createSession, createUser } from '../../support/factories.ts';
import { VENDORS } from '../vendors/llm-vendors.ts';

export async function newSession(
  name: LlmProviderName,
  fields: Partial<AssistantFields> = {},
  conversation?: SessionModel['conversation'],
): Promise<SessionModel> {
  const { user } = await createUser();
  const assistant = await createAssistant(user.id, { llm_provider: name, llm_model: VENDORS[name].model, ...fields });
  return createSession(assistant, conversation ? { conversation } : {});
}

/** One row for each call that was begun, in their order. */
export function ledgerOf({ id }: SessionModel): Promise<VendorCallModel[]> {
  return VendorCallModel.query()
    .where({ session_id: id })
    .orderBy('attempt')
    .then((rows) => rows);
}

/** Closes the call as what stores an answer does, and gives the answer back. */
export const keepAnswer = async (answer: ModelAnswer, paid?: PaidCall): Promise<ModelAnswer> =>
  paid ? closePaid(paid, async () => answer) : answer;
