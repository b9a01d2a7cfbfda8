import { ProviderCallModel, type ClosedCall } from '../models/provider-call.ts';
import { ADD_LATE_COST, CLOSE_CALL, TOTAL_COST } from '../models/call-cost.ts';
import type { SessionModel } from '../models/session.ts';
import { runPrepared } from '../statements.ts';

/** The columns of an absent member keep their values. */
type TranscriptColumns = Pick<SessionModel, 'transcript' | 'conversation'> &
  Partial<Pick<SessionModel, 'answered_by' | 'left_out' | 'roles' | 'redaction'>>;

const OPTIONAL = ['answered_by', 'left_out', 'roles', 'redaction'] as const;

const kept = (column: string) =>
  `${column} = case when raw.fields -> '${column}' is null then sessions.${column} else given.${column} end`;

const STORE = `
  with closed as (${CLOSE_CALL}),
  stored as (
    update sessions set transcript = given.transcript, conversation = given.conversation, waiting = null,
      ${OPTIONAL.map(kept).join(', ')}, total_cost = ${TOTAL_COST('closed')}
    from (select cast(:fields as json) as fields) raw
      cross join lateral json_populate_record(cast(null as sessions), raw.fields) given
    where sessions.id = :id and sessions.completed_at is null
    returning sessions.id),
  sealed as (
    insert into session_originals (id, originals)
    select id, :originals from stored where cast(:originals as text) is not null)
  select id from stored`;

interface StoreOptions {
  /** What redaction replaced in the transcript, encrypted. */
  originals: string | undefined;
  /** The call that returned the transcript, if it is not closed yet. */
  call?: ClosedCall | undefined;
  /** Whether other open calls of the session are lost: a fallback replaced their provider. */
  closesLost?: boolean;
}

/**
 * Stores the transcript of a recording together with the end of its call. Returns false, and stores only the call, if the
 * session has ended.
 */
export async function storeTranscript(
  id: string,
  fields: TranscriptColumns,
  { originals, call, closesLost = false }: StoreOptions,
): Promise<boolean> {
  const stored = await runPrepared(STORE, {
    id,
    fields: JSON.stringify(fields),
    originals: originals ?? null,
    call: call === undefined ? null : JSON.stringify(call),
  });
  if (closesLost) await ProviderCallModel.closeLost(id);
  if (stored.length === 0 && call) await runPrepared(ADD_LATE_COST, [id]);
  return stored.length === 1;
}
