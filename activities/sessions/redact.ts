/** Redaction in the worker: of transcripts, and of conversations that were stored before their assistant asked for it. */
import type { Transcript, Turn } from '../../contract/sessions/sessions.ts';
import { isoLanguage } from '../../contract/values/languages.ts';
import type { Caller } from '../../contract/workflows.ts';
import { SessionModel } from '../../db/models/session.ts';
import { SessionOriginalsModel } from '../../db/models/session-originals.ts';
import { storeTranscript } from '../../db/queries/store-transcript.ts';
import type { Originals } from '../../redaction/originals.ts';
import { lacksRedaction, redactSession, type RedactSessionDeps } from '../../redaction/redact-session.ts';
import { RedactionError } from '../../redaction/redaction-error.ts';
import { retryWhileDatabaseDown } from '../retry-while-database-down.ts';

interface Transcribed {
  transcript: Transcript;
  turns: Turn[];
  /** Whose conversations take turns. */
  payer: string;
}

/** Returns the columns of a transcript, redacted if the assistant asks for it, and its encrypted originals. */
export async function redactTranscript(
  deps: RedactSessionDeps,
  { id: sessionId, assistant: { redaction: settings, stt_language } }: SessionModel,
  { transcript: heard, turns: conversation, payer: owner }: Transcribed,
  signal: AbortSignal,
) {
  const language = heard.language ?? isoLanguage(stt_language);
  const transcript = { ...heard, language };
  if (!settings) return { content: { transcript, conversation } };
  const request = { sessionId, owner, conversation, settings, language, signal };
  const { sealed, ...redacted } = await redactSession(deps, request);
  return { content: { ...redacted, transcript: withTextOf(redacted.conversation, transcript) }, sealed };
}

/** Returns the transcript with the text of the turns. */
const withTextOf = (turns: readonly Turn[], transcript: Transcript): Transcript => ({
  ...transcript,
  text: turns.map(({ text }) => text).join('\n'),
});

/** Redacts and stores the conversation of a session if it lacks kinds that its assistant asks for: a reanalysis of an older one. */
export async function redactBeforeAnalysis(
  deps: RedactSessionDeps,
  session: SessionModel,
  { payer: owner }: Caller,
  signal: AbortSignal,
): Promise<void> {
  const { id, type, conversation, redaction, assistant } = session;
  if (conversation === null || !lacksRedaction(assistant.redaction, redaction)) return;
  const { transcript } = await SessionModel.query().select('transcript').findById(id).throwIfNotFound();
  const { sealed, ...redacted } = await redactSession(deps, {
    sessionId: id,
    owner,
    conversation,
    settings: assistant.redaction,
    signal,
    // A transcript may contain the provider's own word.
    language: isoLanguage(transcript?.language) ?? isoLanguage(assistant.stt_language),
    // The speakers of recordings are named by the assistant or the provider.
    withSpeakers: type === 'text',
    earlier: redaction === null ? undefined : { redaction, originals: await readOriginals(deps, redaction.sealed_in) },
  });
  const content = { ...redacted, transcript: transcript && withTextOf(redacted.conversation, transcript) };
  await retryWhileDatabaseDown(() => storeTranscript(id, content, { originals: sealed }), signal);
  session.$set(redacted);
}

/** Returns the originals that a session keeps; none if they are deleted. */
async function readOriginals({ secrets }: RedactSessionDeps, id: string | null): Promise<Originals> {
  const row = id === null ? undefined : await SessionOriginalsModel.query().findById(id);
  if (!row) return {};
  const opened = secrets.open(row.originals, row.id);
  if (opened === undefined) throw new RedactionError('failed', 'no key in ENCRYPTION_KEY opens the originals');
  return JSON.parse(opened) as Originals;
}
