/** Sessions on the conversation of another one: reanalyses and follow-ups. */
import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { FrozenAssistant } from '../../contract/sessions/sessions.ts';
import type { AssistantModel } from '../models/assistant.ts';
import type { SessionModel } from '../models/session.ts';
import { PAYER } from '../models/workspace.ts';
import { readRows } from '../statements.ts';

/** What they take from the session `source`, as SQL by column. Without a source, all of it is null. */
export const COPIED = {
  conversation: 'source.conversation',
  transcript: 'source.transcript',
  metadata: 'source.metadata',
  occurred_at: 'coalesce(source.occurred_at, source.created_at)',
  redaction: 'source.redaction',
  person_roles: 'source.person_roles',
  // What analyzes the conversation of a first session goes with it.
  first_session_id: 'source.first_session_id',
  // The model is asked for the roles again, unless they are those of channels.
  roles: "case when source.roles ->> 'source' = 'channels' then source.roles end",
};

/** Columns that depend on the source and on a chosen value. `cast`, because Knex reads `::` as the end of a binding's name. */
export const MERGED = {
  // Nothing is transcribed again, so the settings of the transcription are those of the source.
  assistant: (settings: string) =>
    `cast(${settings} as jsonb) - 'channel_roles' - 'vocabulary'
       || jsonb_build_object('stt_provider', source.assistant -> 'stt_provider',
         'stt_model', source.assistant -> 'stt_model', 'stt_language', source.assistant -> 'stt_language')
       || jsonb_strip_nulls(jsonb_build_object('channel_roles', source.assistant -> 'channel_roles',
         'vocabulary', source.assistant -> 'vocabulary'))`,
  simulated: (isSimulated: string) => `${isSimulated} or coalesce(source.type = 'voice' and source.simulated, false)`,
};

/** A session to create, and what starts it. */
export type Copied = Pick<
  SessionModel,
  'id' | 'workspace_id' | 'assistant_id' | 'type' | 'status' | 'batch_id' | 'payer'
> & {
  source_session_id: string;
};

/** What new sessions have besides the conversation of their source. */
type Copy = { settings: FrozenAssistant } & Pick<
  SessionModel,
  'assistant_version' | 'simulated' | 'on_provider_outage' | 'batch_id' | 'created_by'
>;

/**
 * Creates a new session for each source, inside the database: conversations can be megabytes. A follow-up is a text session, which
 * has no recording. Its speakers are known if they are in the first session.
 */
export function insertCopies(
  kind: 'reanalyses' | 'follow-ups',
  sourceIds: readonly string[],
  { settings, ...copy }: Copy,
  trx: TransactionOrKnex,
): Promise<Copied[]> {
  const columns = {
    id: 'made.id',
    workspace_id: 'source.workspace_id',
    ...COPIED,
    ...(kind === 'reanalyses'
      ? { source_session_id: 'source.id', type: 'source.type' }
      : { first_session_id: 'source.id', type: "'text'", roles: 'source.roles' }),
    assistant_id: ':assistant_id',
    assistant: MERGED.assistant(':settings'),
    simulated: MERGED.simulated(':simulated'),
    assistant_version: 'cast(:assistant_version as integer)',
    on_provider_outage: ':on_provider_outage',
    batch_id: ':batch_id',
    created_by: ':created_by',
  };
  return readRows(
    `insert into sessions (${Object.keys(columns).join(', ')})
     select ${Object.values(columns).join(', ')}
     from unnest(cast(:ids as text[]), cast(:sourceIds as text[])) made (id, source_id)
       join sessions source on source.id = made.source_id for key share of source
     returning id, workspace_id, assistant_id, type, status, batch_id,
       coalesce(source_session_id, first_session_id) as source_session_id, ${PAYER}`,
    {
      ...copy,
      ids: sourceIds.map(() => typeid('sess').toString()),
      sourceIds: [...sourceIds],
      assistant_id: settings.id,
      settings: JSON.stringify(settings),
    },
    trx,
  );
}

/** Stores the follow-up of the session `id` by an assistant, with its present settings. */
export function insertFollowUp(
  id: string,
  assistant: AssistantModel,
  chosen: { simulated: boolean; created_by: SessionModel['created_by'] },
  trx: TransactionOrKnex,
): Promise<Copied[]> {
  const { version: assistant_version, on_provider_outage } = assistant;
  const copy = { settings: assistant.freeze(), assistant_version, on_provider_outage, batch_id: null, ...chosen };
  return insertCopies('follow-ups', [id], copy, trx);
}
