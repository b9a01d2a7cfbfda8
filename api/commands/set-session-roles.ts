import type { RoleMap } from '../../contract/roles.ts';
import { SessionModel } from '../../db/models/session.ts';
import { ApiError, invalid } from '../errors.ts';
import { findSession } from '../lookups/find-session.ts';
import type { OwnedSession } from '../lookups/find-session.ts';

/** Stores who is who as a person says; with null what the channels or the model say counts again. */
export async function setSessionRoles(session: OwnedSession, map: RoleMap | null): Promise<SessionModel> {
  const { id, conversation, type } = await findSession(session);
  if (type !== 'voice') throw new ApiError('conflict', 'The turns of a text session say themselves who speaks.');
  if (conversation === null) throw new ApiError('conflict', 'There is no transcript of this session yet.');
  const person_roles = map && complete(map, speakersOf(conversation));
  const [changed] = await SessionModel.query()
    .patch({ person_roles })
    .where({ id })
    .whereNotNull('completed_at')
    .returning('*');
  if (!changed) throw new ApiError('conflict', 'The session is under way. Say who is who when it has ended.');
  return changed;
}

const speakersOf = (turns: readonly { role: string }[]) => [...new Set(turns.map(({ role }) => role))];

/** Returns the map with all speakers. Throws `validation_failed` for somebody who does not speak in the session. */
function complete(map: RoleMap, speakers: readonly string[]): RoleMap {
  const strangers = Object.keys(map).filter((name) => !speakers.includes(name));
  const message = `is no speaker of this session, which has ${speakers.join(', ')}`;
  if (strangers.length > 0) throw invalid(...strangers.map((name) => ({ path: `map.${name}`, message })));
  return Object.fromEntries(speakers.map((speaker) => [speaker, map[speaker] ?? null]));
}
