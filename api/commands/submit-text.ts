import type { AssistantType } from '../../contract/constants.ts';
import type { Turn } from '../../contract/sessions.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { startSession } from '../../runtime/start-session.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../http/api-error.ts';

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
): Promise<SessionModel> {
  const assistant = await findAssistantOfType(userId, assistant_id, 'text');
  const session = await SessionModel.query()
    .insert({
      id: sessionId,
      user_id: userId,
      assistant_id,
      type: 'text',
      assistant: assistant.freeze(),
      conversation,
      metadata,
      simulated: deps.config.providers[assistant.llm_provider].isSimulated,
    })
    .returning('*');
  await startOrWithdraw(deps, session);
  return session;
}

/** Spec §4.4, rule 1. */
async function findAssistantOfType(userId: string, id: string, type: AssistantType): Promise<AssistantModel> {
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

/** Under the 5 s in which a caller is told to try again. */
const START_TIMEOUT_MS = 3_000;

/**
 * The caller is told of a failed start only when the session is gone: an error after which it runs all the same would
 * be paid for twice. A start that timed out here and still reaches Temporal finds no session and ends.
 */
async function startOrWithdraw({ temporal }: Pick<ApiDeps, 'temporal'>, session: SessionModel): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + START_TIMEOUT_MS, () => startSession(temporal, session));
  } catch (error) {
    if (await SessionModel.withdraw(session.id)) throw error;
  }
}
