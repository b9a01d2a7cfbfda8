import type { Turn } from '../../contract/sessions.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { storeAndStart } from './store-and-start.ts';

export interface TextSubmission {
  sessionId: string;
  assistant: AssistantModel;
  conversation: Turn[];
  metadata: Record<string, string>;
}

export async function submitText(
  deps: Pick<ApiDeps, 'config' | 'temporal'>,
  { sessionId, assistant, conversation, metadata }: TextSubmission,
): Promise<void> {
  await storeAndStart(deps, {
    id: sessionId,
    user_id: assistant.user_id,
    assistant_id: assistant.id,
    type: 'text',
    assistant: assistant.freeze(),
    assistant_version: assistant.version,
    on_vendor_outage: assistant.on_vendor_outage,
    conversation,
    metadata,
    simulated: deps.config.providers[assistant.llm_provider].isSimulated,
  });
}
