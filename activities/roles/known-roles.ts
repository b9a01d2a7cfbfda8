/** When a model is asked for speaker roles, and how: docs/decisions.md, "Roles". */
import { SPEAKER_ROLES } from '../../contract/values/constants.ts';
import type { SessionRoles } from '../../contract/values/roles.ts';
import { speakerNames } from '../../contract/sessions/turns.ts';
import type { Turn } from '../../contract/sessions/sessions.ts';
import { object, type JsonSchema } from '../fields/fields-schema.ts';

/** The parts of a session that are known before its analysis. */
interface KnownSession {
  type: string;
  conversation: readonly Turn[] | null;
  knownRoles: SessionRoles | null;
}

/** Returns whether to ask the model for roles: for recordings with at least two speakers and unknown roles. */
export function asksRoles({ type, conversation, knownRoles }: KnownSession): boolean {
  if (type !== 'voice' || knownRoles !== null) return false;
  const speakers = new Set(conversation?.map(({ role }) => role));
  return speakers.size > 1 && [...speakers].some((speaker) => speaker.startsWith('speaker'));
}

/** Returns a function that returns the role behind a name: that of `nameSpeakers` for known roles, else of the model's, else a name that is a role. */
export function rolesOfNames(known: SessionRoles | null, answered: SessionRoles | null) {
  const names = known && speakerNames(known.map);
  const roles = Object.entries((known ?? answered)?.map ?? {});
  const byName = new Map(roles.map(([speaker, role]) => [names?.get(speaker) ?? speaker, role]));
  return (name: string) => byName.get(name) ?? SPEAKER_ROLES.find((role) => role === name) ?? null;
}

/** Returns the roles for the names of a recording's channels. */
export function rolesOfChannels(channelRoles: readonly string[]): SessionRoles {
  const roleOf = (name: string) => SPEAKER_ROLES.find((role) => role === name) ?? 'other';
  const map = Object.fromEntries(channelRoles.map((name) => [name, roleOf(name)]));
  return { source: 'channels', map, evidence: {} };
}

/** The roles' part of the answer's schema. Like that of the fields, it has no union, optional property or limit. */
export const ROLES: JsonSchema = {
  type: 'array',
  description: 'One entry for each speaker: words of that speaker, then the role that they show.',
  items: object({
    speaker: { type: 'string' },
    turn: { type: 'integer' },
    quote: { type: 'string' },
    role: { type: 'string', enum: SPEAKER_ROLES },
  }),
};

export const ROLE_RULES: readonly string[] = [
  "Each turn begins with its number. `roles`: for each speaker, copy that speaker's own words word for word from one turn,",
  'with its number, then state the role. The operator speaks for the company: greets in its name, asks for',
  'data, makes promises. The client is the person being served. Everyone else is `other`.',
];
