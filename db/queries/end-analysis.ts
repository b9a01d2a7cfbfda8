import type { SessionEvent } from '../../contract/constants.ts';
import type { SessionEnd } from '../models/session.ts';
import type { ClosedCall } from '../models/vendor-call.ts';
import { runPrepared } from '../prepared.ts';

export interface AnalysisToStore {
  session_id: string;
  /** The call that brought the result; undefined if it is closed already. */
  call: ClosedCall | undefined;
  end: Extract<SessionEnd, { status: 'completed' }>;
  /** What is delivered if the assistant has a webhook for the event now: it may have got or lost it meanwhile. */
  delivery: { id: string; event: SessionEvent; payload: string };
  /** The first attempt, as it was made ready for the webhook that the assistant had when the session began. */
  firstAttempt: { url: string; sealed_secret: string | null; request_headers: Record<string, string> } | undefined;
}

export interface StoredAnalysis {
  /** Says whether the session was the first to end; if not, only the call is stored. */
  is_stored: boolean;
  /** URL that the delivery goes to; null: there is none. */
  posts_to: string | null;
  /** Says whether the row of the first attempt is stored: it is to be made then. */
  is_begun: boolean;
  /** The sessions of the same owner that may begin now, to be told so. */
  woken: string[] | null;
}

/** Stores a result with all that depends on it, in one statement: nothing of it is there without the rest. */
export async function endAnalysis(
  { session_id, call, end, delivery, firstAttempt }: AnalysisToStore,
  maxInFlight: number,
): Promise<StoredAnalysis> {
  const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
  const ended = { ...end, completed_at: new Date() };
  const { url, sealed_secret, request_headers } = firstAttempt ?? {};
  const first = firstAttempt && { url, sealed_secret, request_headers };
  const bindings = [session_id, json(call), json(ended), json(delivery), json(first), maxInFlight];
  const [stored] = await runPrepared<StoredAnalysis>('select * from end_analysis(?, ?, ?, ?, ?, ?)', bindings);
  return stored as StoredAnalysis;
}
