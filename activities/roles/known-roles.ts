/** Says when a model is asked who is who, and what the channels of a recording tell. */
import { SPEAKER_ROLES } from '../../contract/constants.ts';
import type { SessionRoles } from '../../contract/roles.ts';
import type { Turn } from '../../contract/sessions.ts';

/** What is known of a session before its analysis. */
interface KnownSession {
  type: string;
  conversation: readonly Turn[] | null;
  knownRoles: SessionRoles | null;
}

/** Returns whether the model is asked: only of a recording with two voices or more that nobody has named. */
export function asksRoles({ type, conversation, knownRoles }: KnownSession): boolean {
  if (type !== 'voice' || knownRoles !== null) return false;
  const speakers = new Set(conversation?.map(({ role }) => role));
  return speakers.size > 1 && [...speakers].some((speaker) => speaker.startsWith('speaker'));
}

/** Returns the roles that the channels of a recording tell. */
export function rolesOfChannels(channelRoles: readonly string[]): SessionRoles {
  const roleOf = (name: string) => SPEAKER_ROLES.find((role) => role === name) ?? 'other';
  return {
    source: 'channels',
    map: Object.fromEntries(channelRoles.map((name) => [name, roleOf(name)])),
    evidence: {},
  };
}
