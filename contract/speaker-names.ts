/** How speakers are called once their roles are known, for a model and for a reader. */
import type { RoleMap, SessionRoles } from './roles.ts';
import type { Turn } from './sessions.ts';

/**
 * Returns the name of each speaker: the role, with the speaker's own name behind it where others have the same role. Who
 * is none of the two, or nobody knows who it is, keeps the own name.
 */
export function speakerNames(map: RoleMap): Map<string, string> {
  const roles = Object.entries(map);
  const names = roles.map(([speaker, role]): [string, string] => {
    if (role === null || role === 'other') return [speaker, speaker];
    const isShared = roles.filter(([, each]) => each === role).length > 1;
    return [speaker, isShared ? `${role} (${speaker})` : role];
  });
  return new Map(names);
}

/** Returns the turns with the roles of their speakers in place of the speakers' names, as far as they are known. */
export function nameSpeakers(turns: readonly Turn[], roles: SessionRoles | null): readonly Turn[] {
  if (roles === null) return turns;
  const names = speakerNames(roles.map);
  return turns.map((turn) => ({ ...turn, role: names.get(turn.role) ?? turn.role }));
}
