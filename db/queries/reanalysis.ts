/** What a reanalysis takes from the session `source`, as SQL by column. Without a source, all of it is null. */

export const COPIED = {
  conversation: 'source.conversation',
  transcript: 'source.transcript',
  metadata: 'source.metadata',
  occurred_at: 'coalesce(source.occurred_at, source.created_at)',
  redaction: 'source.redaction',
  person_roles: 'source.person_roles',
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
