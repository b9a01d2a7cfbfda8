import type { AssistantModel } from '../../db/models/assistant.ts';
import { findAssistantOfType } from '../assistants/find-assistant.ts';
import { AssistantChanged } from '../runs/store-and-start.ts';

/** Each holds a prompt of up to 100 kB. */
const MAX_ASSISTANTS = 100;

/**
 * Returns a function that passes the assistant of a text session to `run`, without reading it again after every request: the
 * statement that stores the session checks `assistantAt`. If the assistant changed, it is read and `run` is called again.
 * Redacting assistants are always read, because their settings may refuse a conversation before it is stored.
 */
export function createRecentAssistants() {
  const recent = new Map<string, AssistantModel>();
  return async function withAssistant<T>(
    workspaceId: string,
    id: string,
    run: (assistant: AssistantModel, assistantAt?: Date) => Promise<T>,
  ): Promise<T> {
    const key = `${workspaceId} ${id}`;
    const known = recent.get(key);
    try {
      if (known) return await run(known, known.updated_at);
    } catch (error) {
      if (!(error instanceof AssistantChanged)) throw error;
    }
    recent.delete(key);
    const assistant = await findAssistantOfType(workspaceId, id, 'text');
    if (recent.size >= MAX_ASSISTANTS) recent.clear();
    if (assistant.redaction === null) recent.set(key, assistant);
    return run(assistant);
  };
}
