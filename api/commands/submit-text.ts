import type { Turn } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { ApiDeps } from '../deps.ts';
import { findAssistantOfType } from './find-assistant.ts';
import { startOrWithdraw } from './start-or-withdraw.ts';

export interface TextSubmission {
  /** Chosen by the caller, who waits for its end from before it begins. */
  sessionId: string;
  userId: string;
  assistant_id: string;
  conversation: Turn[];
  metadata: Record<string, string>;
}

/** A conversation that passes is stored and handed to Temporal; one that does not leaves nothing behind. */
export async function submitText(
  deps: Pick<ApiDeps, 'config' | 'temporal'>,
  { sessionId, userId, assistant_id, conversation, metadata }: TextSubmission,
): Promise<void> {
  const assistant = await findAssistantOfType(userId, assistant_id, 'text');
  const session = { id: sessionId, user_id: userId, assistant_id, type: 'text' as const };
  const simulated = deps.config.providers[assistant.llm_provider].isSimulated;
  await SessionModel.query().insert({ ...session, assistant: assistant.freeze(), conversation, metadata, simulated });
  await startOrWithdraw(deps, session);
}
