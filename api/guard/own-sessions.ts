/** Tokens that read only the sessions which they created. */
import { SessionModel } from '../../db/models/session.ts';
import { requireFound } from '../errors.ts';
import type { Caller } from './authenticate.ts';

/** Throws `not_found` unless the token created the session. */
export async function requireCreated({ workspaceId, key }: Caller, { id }: { id: string }): Promise<void> {
  const creator = await SessionModel.findCreator(workspaceId, id);
  requireFound(key !== undefined && creator === key.id, 'session');
}
