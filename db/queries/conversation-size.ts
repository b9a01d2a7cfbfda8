import { SessionModel } from '../models/session.ts';

/** Returns the bytes of a session's conversation and whose it is, without reading it; undefined if it is gone. */
export function findConversationSize(id: string) {
  return SessionModel.query()
    .select('user_id', SessionModel.raw('coalesce(octet_length(conversation::text), 0) as bytes'))
    .findById(id)
    .castTo<{ user_id: string; bytes: number } | undefined>();
}
