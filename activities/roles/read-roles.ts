/** Reads the speaker roles from a model's answer and checks their quotes. */
import { SPEAKER_ROLES, type SpeakerRole } from '../../contract/values/constants.ts';
import type { SessionRoles } from '../../contract/values/roles.ts';
import type { Turn } from '../../contract/sessions/sessions.ts';
import { createCheckTime, createQuoteCheck, MAX_QUOTES, type ClaimedWords } from '../fields/check-evidence.ts';

interface RoleClaim extends ClaimedWords {
  speaker: string;
  role: SpeakerRole;
}

/** Returns the role of each speaker with a verified quote of that speaker, and null for the others. The answer may be anything. */
export async function readRoles(
  turns: readonly Turn[],
  answer: unknown,
  inSlices = createCheckTime(),
): Promise<SessionRoles> {
  const claims = readClaims(answer);
  const speakers = [...new Set(turns.map(({ role }) => role))];
  const checkQuotes = createQuoteCheck(turns, inSlices);
  const roles: SessionRoles = { source: 'model', map: {}, evidence: {} };
  for (const speaker of speakers) {
    const own = claims.filter((claim) => fold(claim.speaker) === fold(speaker));
    // If the model gives a speaker two roles, the first one counts.
    const role = own[0]?.role ?? null;
    const claimed = own.filter((claim) => claim.role === role).slice(0, MAX_QUOTES);
    const checked = await checkQuotes(claimed, (role) => role === speaker);
    roles.map[speaker] = checked.quotes.length > 0 ? role : null;
    if (own.length > 0) roles.evidence[speaker] = checked;
  }
  return roles;
}

const fold = (name: string) => name.trim().toLowerCase();

function readClaims(answer: unknown): RoleClaim[] {
  return (Array.isArray(answer) ? (answer as unknown[]) : []).flatMap((entry) => {
    const { speaker, role, turn, quote } = (entry ?? {}) as Record<string, unknown>;
    if (typeof speaker !== 'string' || typeof quote !== 'string' || !isRole(role)) return [];
    return [{ speaker, role, quote, turn: typeof turn === 'number' ? turn : 0 }];
  });
}

const isRole = (value: unknown): value is SpeakerRole => SPEAKER_ROLES.some((role) => role === value);
