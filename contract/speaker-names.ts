/** How speakers are called once their roles are known, for a model and for a reader. */
import type { RoleMap } from './roles.ts';

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
