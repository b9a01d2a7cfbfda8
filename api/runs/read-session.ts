import type { Session, Turn } from '../../contract/sessions/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { SessionOriginalsModel } from '../../db/models/session-originals.ts';
import { addDetails, type DetailedSession } from '../../db/queries/session-details.ts';
import { reveal, revealSaid, type Originals } from '../../redaction/originals.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal, requireFound } from '../errors.ts';
import { Reply } from '../reply.ts';
import { presentSession } from './present.ts';

/** Returns the session, or throws `not_found`. */
export const findSession = async (workspaceId: string, id: string): Promise<SessionModel> =>
  requireFound(await SessionModel.findOwned(workspaceId, id), 'session');

/** Returns the session as the API presents it. */
export async function showSession(deps: Pick<ApiDeps, 'config'>, row: SessionModel): Promise<Session> {
  return presentSession(await addDetails(row), deps.config.audio);
}

/** Returns the session with the originals that were kept. Throws `conflict` if no key opens them. */
async function showRevealed(deps: Pick<ApiDeps, 'config' | 'secrets'>, row: SessionModel): Promise<Session> {
  const shown = await showSession(deps, row);
  const { sealed_in = null } = row.redaction ?? {};
  const sealed = sealed_in === null ? undefined : await SessionOriginalsModel.query().findById(sealed_in);
  if (!sealed) return shown;
  const opened = deps.secrets.open(sealed.originals, sealed.id);
  if (opened === undefined) throw refusal('originals_locked');
  const originals = JSON.parse(opened) as Originals;
  const { conversation, transcript, roles, summary_text, raw_response } = shown;
  return {
    ...shown,
    ...reveal({ roles, summary_text, raw_response }, originals),
    conversation: conversation && revealConversation(conversation, originals),
    transcript: transcript && { ...transcript, text: revealSaid([transcript.text], originals)[0] ?? '' },
  };
}

function revealConversation(turns: readonly Turn[], originals: Originals): Turn[] {
  const texts = revealSaid(
    turns.map(({ text }) => text),
    originals,
  );
  return turns.map((turn, index) => ({ ...reveal(turn, originals), text: texts[index] ?? turn.text }));
}

interface ReadOptions {
  timeoutMs: number;
  signal: AbortSignal;
  /** Whether originals replace their placeholders. */
  isRevealed: boolean;
}

/** Returns the session if it has ended, or a function that waits up to `timeoutMs` for its end. */
export async function showSessionAtEnd(
  deps: Pick<ApiDeps, 'config' | 'secrets' | 'waits'>,
  { workspaceId, id }: { workspaceId: string; id: string },
  options: ReadOptions,
): Promise<Session | (() => Promise<Session>)> {
  const show = options.isRevealed ? showRevealed : showSession;
  const wait = deps.waits.begin(id, options);
  const row = await findSession(workspaceId, id);
  if (options.timeoutMs === 0 || row.completed_at !== null) return show(deps, row);
  return async () => {
    await wait.ended;
    return show(deps, await findSession(workspaceId, id));
  };
}

/** Returns a response with the session: 200 if it has ended, otherwise 202. */
export function replyWithSession(
  { config }: Pick<ApiDeps, 'config'>,
  session: DetailedSession,
  headers: Record<string, string> = {},
): Reply<Session> {
  const status = session.row.completed_at === null ? 202 : 200;
  return new Reply(presentSession(session, config.audio), { status, headers });
}
