/** Submits sessions of a new user to a running service and waits for their states. */
import type { Session, SessionListItem } from '../../contract/sessions/sessions.ts';
import type { AssistantColumns, AssistantModel } from '../../db/models/assistant.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { SessionModel } from '../../db/models/session.ts';
import { send } from './api.ts';
import { eventually } from './eventually.ts';
import { createOwner } from './factories.ts';

export interface SessionOwner {
  token: string;
  assistant: AssistantModel;
  /** Submits a conversation of one turn. Returns the session's ID. Default of `to`: the user's assistant. */
  submit(text?: string, to?: AssistantModel): Promise<string>;
  read(id: string): Promise<Session>;
  untilEnded(id: string): Promise<Session>;
  /** Resolves when the ledger has this many provider calls for the session. */
  untilCalled(id: string, times?: number): Promise<unknown>;
  untilStatus(id: string, status: Session['status']): Promise<unknown>;
  cancel(id: string): ReturnType<typeof cancel>;
}

const cancel = (api: { url: string }, token: string, id: string) =>
  send(api, 'cancelSession', { token, params: { id } });

/** @param api returns the current API, because a test may restart it. @param fields settings of the user's assistant. */
export async function createSessionOwner(
  api: () => { url: string },
  fields: Partial<AssistantColumns> = {},
): Promise<SessionOwner> {
  const { token, assistant } = await createOwner(fields);
  const read = async (id: string) => (await send(api(), 'getSession', { token, params: { id } })).body;
  return {
    token,
    assistant,
    async submit(text = 'My parcel has not arrived.', to = assistant) {
      const body = { assistant_id: to.id, conversation: [{ role: 'client', text }] };
      const headers = { Prefer: 'respond-async' };
      return (await send(api(), 'submitTextRequest', { token, headers, body })).body.session_id;
    },
    read,
    untilEnded: (id) =>
      eventually(
        () => read(id),
        ({ completed_at }) => completed_at !== null,
      ),
    untilCalled: (id, times = 1) => eventually(async () => (await ProviderCallModel.findOfSession(id)).length, times),
    untilStatus: (id, status) => eventually(() => SessionModel.findStatus(id), status),
    cancel: (id) => cancel(api(), token, id),
  };
}

/** Returns the session IDs on all pages of a list, in order. @param readPage requests the page at a cursor. */
export async function idsOverPages(
  readPage: (cursor: { cursor?: string }) => Promise<{ data: SessionListItem[]; next_cursor: string | null }>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: { cursor?: string } | undefined = {}; cursor;) {
    const { data, next_cursor } = await readPage(cursor);
    ids.push(...data.map(({ session_id }) => session_id));
    // A list in ascending order has a cursor on its last page too.
    cursor = next_cursor === null || data.length === 0 ? undefined : { cursor: next_cursor };
  }
  return ids;
}
