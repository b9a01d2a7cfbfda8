/** One assistant with the entity tag of its state. */
import { queryOptions } from '@tanstack/react-query';
import { getAssistant, restoreAssistantVersion, updateAssistant } from 'conversation-analysis-client';
import type { Assistant, AssistantPatch } from 'conversation-analysis-client';
import { getAssistantQueryKey } from 'conversation-analysis-client/react-query';
import './client.ts';

/** An assistant with the entity tag of its state, which a change sends as `If-Match`. */
export interface AssistantState {
  assistant: Assistant;
  etag: string;
}

const stateOf = ({ data, response }: { data: Assistant; response: Response }): AssistantState => ({
  assistant: data,
  etag: response.headers.get('ETag') ?? '*',
});

/** Reads the assistant. Fails with 404 if it was deleted. */
export const assistantState = (id: string) =>
  queryOptions({
    queryKey: [...getAssistantQueryKey({ path: { id } }), 'state'],
    queryFn: async ({ signal }) => stateOf(await getAssistant({ path: { id }, signal, throwOnError: true })),
  });

/** Saves the changed settings. Fails with 412 if the assistant is no longer in the state of `etag`. */
export async function saveAssistant(id: string, body: AssistantPatch, etag: string): Promise<AssistantState> {
  return stateOf(await updateAssistant({ path: { id }, body, headers: { 'if-match': etag }, throwOnError: true }));
}

/** Restores the settings of a version. Fails with 412 if the assistant is no longer in the state of `etag`. */
export async function restoreVersion(id: string, version: number, etag: string): Promise<AssistantState> {
  const path = { id, version: String(version) };
  return stateOf(await restoreAssistantVersion({ path, headers: { 'if-match': etag }, throwOnError: true }));
}
