/** How turns are shown to a model and to a reader. Imports only constants. */
import { UNKNOWN_SPEAKER } from '../values/constants.ts';
import type { RoleMap, SessionRoles } from '../values/roles.ts';
import type { Turn } from './sessions.ts';

/**
 * Returns the name of each speaker: the role, followed by the speaker's own name if others have the same role. A speaker
 * whose role is `other` or unknown keeps the own name.
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

/** Returns that a conversation is a text without speakers; nothing of other conversations. */
export const formatOf = (turns: readonly Turn[] | null): { conversation_format?: 'text' } =>
  turns?.[0] && turns.every(({ role }) => role === UNKNOWN_SPEAKER) ? { conversation_format: 'text' } : {};

/** Returns the turns with known roles in place of the speakers' names. */
export function nameSpeakers(turns: readonly Turn[], roles: SessionRoles | null): readonly Turn[] {
  if (roles === null) return turns;
  const names = speakerNames(roles.map);
  return turns.map((turn) => ({ ...turn, role: names.get(turn.role) ?? turn.role }));
}

/**
 * Every character that some reader treats as the end of a line: https://www.unicode.org/reports/tr14/#BK, and the
 * separators U+001C to U+001E of Python's `str.splitlines`.
 */
const LINE_BREAKS = /\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/g;

/** Returns a turn as lines. All lines except the first are indented, so that speech can't look like another turn. */
export function toLines({ role, text }: Turn): string {
  return `${role.replaceAll(LINE_BREAKS, ' ')}: ${text.replaceAll(LINE_BREAKS, '\n    ')}`;
}
