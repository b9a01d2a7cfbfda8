-- Tables, constraints and indexes. IDs are TypeIDs, compared bytewise. Triggers: db/functions/. What changed since: 021-follow-ups.ts.

-- The files that db/apply-functions.ts has applied.
create table sql_functions (
  name text primary key,
  hash text not null
);

-- Owns assistants, sessions, tokens and everything else. Registration creates one.
create table workspaces (
  id text collate "C" primary key,
  name text not null,
  -- US dollars per calendar month (UTC); null: no limit.
  monthly_budget_usd numeric,
  -- What logins must have.
  sign_in text not null default 'any'
    constraint workspaces_sign_in_known check (sign_in in ('any', 'second_factor', 'sso')),
  disabled_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint workspaces_amounts check (monthly_budget_usd >= 0)
);
create index workspaces_deleted on workspaces (deleted_at) where (deleted_at is not null);

create table users (
  id text collate "C" primary key,
  email text not null,
  name text not null,
  language text
    constraint users_language_known check (language in ('en', 'ru', 'uz')),
  views jsonb not null default '{}',
  -- null: only single sign-on.
  password_hash text,
  credentials_version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  disabled_at timestamptz(3),
  -- The workspace of requests that name none, if the user is a member of it.
  default_workspace_id text collate "C" not null,
  -- When the user proved that the address is theirs; null: not yet.
  email_verified_at timestamptz(3),
  -- May log in with the password while PASSWORD_LOGIN is admins.
  is_admin boolean not null default false
);
create unique index users_email_key on users (lower(email));

create table memberships (
  user_id text collate "C" not null references users on delete cascade,
  workspace_id text collate "C" not null references workspaces on delete cascade,
  role text not null,
  created_at timestamptz(3) not null default now(),
  source text not null default 'person'
    constraint memberships_source_known check (source in ('person', 'sso')),
  primary key (user_id, workspace_id)
);
create index memberships_of_workspace on memberships (workspace_id, user_id);

-- The roles of members with a group at the provider of single sign-on.
create table group_roles (
  workspace_id text collate "C" not null references workspaces on delete cascade,
  group_name text not null,
  role text not null,
  primary key (workspace_id, group_name)
);
create index group_roles_of_group on group_roles (group_name);

create table invitations (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces on delete cascade,
  email text not null,
  role text not null,
  token_hash bytea not null unique,
  invited_by text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create unique index invitations_of_address on invitations (workspace_id, lower(email));
create index invitations_by on invitations (invited_by);

create table logins (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  kind text not null
    constraint logins_kind_known check (kind in ('console', 'token')),
  secret_hash bytea not null unique,
  credentials_version integer not null,
  address text not null,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- When the person last proved their identity to this login.
  proved_at timestamptz(3),
  -- The person used a second factor.
  is_strong boolean not null default false,
  method text not null default 'password'
    constraint logins_method_known check (method in ('password', 'sso'))
);
create index logins_of_user on logins (user_id, id);

create table second_factors (
  -- The user's.
  id text collate "C" primary key references users on delete cascade,
  -- Sealed.
  secret text not null,
  last_step integer not null default 0,
  failures integer not null default 0,
  held_until timestamptz(3),
  -- null: being set up.
  confirmed_at timestamptz(3)
);

create table recovery_codes (
  user_id text collate "C" not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- People at the OpenID Connect provider.
create table identities (
  id text collate "C" primary key,
  issuer text not null,
  subject text not null,
  user_id text collate "C" not null references users on delete cascade,
  -- As the provider last reported it. It identifies nobody.
  email text,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  unique (issuer, subject)
);
create index identities_of_user on identities (user_id);

-- Links that are mailed, or that the operator hands out.
create table one_time_tokens (
  token_hash bytea primary key,
  purpose text not null
    constraint one_time_tokens_purpose_known check (purpose in ('reset', 'email')),
  user_id text collate "C" not null references users on delete cascade,
  -- The address that received the link; null: the operator handed it out.
  email text,
  credentials_version integer not null,
  expires_at timestamptz(3) not null
);
create index one_time_tokens_of_user on one_time_tokens (user_id);

create table api_keys (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces on delete cascade,
  name text not null,
  prefix text not null,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  scopes text[],
  last_used_address text,
  created_by text collate "C" references users on delete set null,
  created_by_key text collate "C" references api_keys on delete cascade,
  -- Revoking one token of a chain of rolled tokens revokes all of them.
  chain_id text collate "C" not null,
  rolled_from text collate "C" unique,
  -- The token belongs to the workspace, and no longer depends on the role of its creator.
  is_kept boolean not null default false
);
create index api_keys_of_chain on api_keys (chain_id);
create index api_keys_listed on api_keys (workspace_id, id);
create index api_keys_of_key on api_keys (created_by_key) where created_by_key is not null;

-- Requests that may change something, until their event is stored: a crash leaves no change without an event.
create table audit_intents (
  id text collate "C" primary key,
  event jsonb not null,
  created_at timestamptz(3) not null default now()
);

create table audit_events (
  id text collate "C" primary key,
  -- An event belongs to a workspace, or to the account of a user.
  workspace_id text collate "C",
  user_id text collate "C",
  action text not null,
  actor_id text collate "C",
  address text,
  object_id text collate "C",
  details jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  actor_user_id text collate "C"
);
create index audit_events_by_age on audit_events (created_at);
create index audit_events_listed on audit_events (workspace_id, id);
create index audit_events_of_user on audit_events (user_id, id) where (user_id is not null);
create index audit_events_of_recordings on audit_events (object_id, actor_id) where (action = 'recording_fetched');

-- Hashes of revoked API tokens, kept for 90 days.
create table revoked_tokens (
  token_hash bytea primary key,
  revoked_at timestamptz(3) not null default now()
);
create index revoked_tokens_by_age on revoked_tokens (revoked_at);

create table assistants (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces on delete cascade,
  name text not null,
  type text not null
    constraint assistants_type_known check (type in ('voice', 'text')),
  description text,
  stt_provider text
    constraint assistants_stt_provider_known check (stt_provider in ('elevenlabs', 'whisper', 'aisha', 'local')),
  stt_model text,
  stt_language text,
  llm_provider text not null
    constraint assistants_llm_provider_known check (llm_provider in ('openai', 'anthropic', 'gemini', 'grok', 'local')),
  llm_model text not null,
  system_prompt text not null,
  temperature double precision not null,
  -- null: the default.
  reasoning_effort text
    constraint assistants_reasoning_effort_known check (reasoning_effort in ('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
  max_output_tokens integer,
  webhook_url text,
  webhook_secret text,
  webhook_auth text not null default 'both'
    constraint assistants_webhook_auth_known check (webhook_auth in ('both', 'bearer', 'signature')),
  -- StoredAlert[] of db/models/assistant.ts; null: none.
  alerts jsonb,
  webhook_events text[] not null default '{session.completed}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  fields jsonb,
  retention_days integer,
  version integer not null default 1,
  version_created_at timestamptz(3),
  restored_from integer,
  on_provider_outage text not null default 'fail'
    constraint assistants_on_provider_outage_known check (on_provider_outage in ('fail', 'wait')),
  fallback jsonb,
  channel_roles jsonb,
  redaction jsonb,
  -- A deleted assistant's row is emptied, but keeps retention_days for its sessions.
  deleted_at timestamptz(3),
  -- Whether recordings with another number of channels are refused.
  channels_required boolean not null default false,
  constraint assistants_amounts check (version >= 1 and retention_days >= 1)
);
create index assistants_listed on assistants (workspace_id, id);
create index assistants_with_retention on assistants (id) where (retention_days is not null);

create table assistant_versions (
  assistant_id text collate "C" not null references assistants on delete cascade,
  version integer not null,
  settings jsonb not null,
  restored_from integer,
  created_at timestamptz(3) not null,
  primary key (assistant_id, version)
);

create table assistant_fields (
  id integer generated always as identity primary key,
  workspace_id text collate "C" not null references workspaces on delete cascade,
  assistant_id text collate "C" not null,
  name text collate "C" not null,
  type text not null,
  unique (workspace_id, assistant_id, name, type)
);

create table batches (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces on delete cascade,
  name text,
  action text not null,
  filter jsonb not null,
  conditions jsonb not null,
  settings jsonb,
  overrides jsonb,
  assistant_version integer,
  simulated boolean not null default false,
  notify boolean not null,
  status text not null default 'running'
    constraint batches_status_known check (status in ('running', 'canceling', 'completed', 'canceled')),
  held_by text
    constraint batches_held_by_known check (held_by in ('budget', 'max_cost')),
  total integer not null,
  begun integer not null default 0,
  completed integer not null default 0,
  failed integer not null default 0,
  canceled integer not null default 0,
  -- Updated when sessions end: the sum over 100,000 sessions takes too long for a request.
  cost_usd numeric not null default 0,
  last_id text collate "C" not null default '',
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  idempotency_key text,
  payload_hash bytea,
  max_cost_usd numeric,
  -- ID of the API token or user, without a foreign key: it outlives both.
  created_by text collate "C",
  constraint batches_amounts check (least(total, begun, completed, failed, canceled, cost_usd, max_cost_usd) >= 0)
);
create index batches_running on batches (created_at) where (ended_at is null);
create index batches_listed on batches (workspace_id, id);

create table batch_items (
  batch_id text collate "C" not null references batches on delete cascade,
  source_session_id text collate "C" not null,
  session_id text collate "C" not null,
  outcome text
    constraint batch_items_outcome_known check (outcome in ('completed', 'failed', 'canceled')),
  primary key (batch_id, source_session_id)
);
create index batch_items_open on batch_items (batch_id) where (outcome is null);

create table sessions (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces on delete cascade,
  assistant_id text collate "C" not null,
  type text not null
    constraint sessions_type_known check (type in ('voice', 'text')),
  status text not null default 'queued'
    constraint sessions_status_known check (status in ('fetching', 'queued', 'transcribing', 'analyzing', 'completed', 'failed', 'canceled')),
  assistant jsonb not null,
  audio jsonb,
  audio_source jsonb,
  transcript jsonb,
  conversation jsonb,
  metadata jsonb not null,
  source_session_id text collate "C",
  simulated boolean not null,
  summary_text text,
  raw_response jsonb,
  temperature_applied boolean,
  -- LeftOut[] of contract/sessions/sessions.ts; null: none.
  left_out jsonb,
  error jsonb,
  created_at timestamptz(3) not null default now(),
  queued_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  earlier_runs jsonb not null default '[]',
  assistant_name text generated always as ((assistant ->> 'name')) stored,
  llm_model text generated always as ((assistant ->> 'llm_model')) stored,
  language text generated always as ((transcript ->> 'language')) stored,
  audio_duration_s double precision generated always as (coalesce(((transcript ->> 'duration_s'))::double precision, ((audio ->> 'duration_s'))::double precision)) stored,
  audio_bytes bigint generated always as ((audio ->> 'bytes')::bigint) stored,
  turn_count integer generated always as (case jsonb_typeof(conversation) when 'array' then jsonb_array_length(conversation) end) stored,
  check_after timestamptz(3) not null default (now() + interval '1 minute'),
  field_encoding text
    constraint sessions_field_encoding_known check (field_encoding in ('strict', 'rows')),
  total_cost numeric not null default 0,
  assistant_version integer,
  on_provider_outage text
    constraint sessions_on_provider_outage_known check (on_provider_outage in ('fail', 'wait')),
  waiting jsonb,
  answered_by jsonb,
  batch_id text collate "C",
  roles jsonb,
  person_roles jsonb,
  redaction jsonb,
  trial boolean not null default false,
  -- As in batches.
  created_by text collate "C",
  text_bytes integer generated always as (octet_length(conversation::text)) stored,
  constraint sessions_amounts check (total_cost >= 0),
  constraint sessions_completed check ((completed_at is null) = (status in ('fetching', 'queued', 'transcribing', 'analyzing')))
-- Free space on each page for HOT updates.
) with (fillfactor = 70);
-- Columns that change when a step begins are in no index, so that these updates are HOT.
create index sessions_listed on sessions (workspace_id, id, type, assistant_id, llm_model, simulated, trial, source_session_id);
create index sessions_stats on sessions (workspace_id, created_at) include (assistant_id);
create index sessions_open on sessions (workspace_id, id) where completed_at is null;
-- Sessions without a summary: unfinished, failed and canceled ones.
create index sessions_unsuccessful on sessions (workspace_id, id) where summary_text is null;
create index sessions_ended on sessions (completed_at, id) where completed_at is not null;
create index sessions_ended_of_assistant on sessions (assistant_id, completed_at, id) where completed_at is not null;
create index sessions_by_end on sessions (workspace_id, completed_at, id) where completed_at is not null;
-- For lists sorted by cost or length. Only ended sessions: their cost and length no longer change.
create index sessions_by_cost on sessions (workspace_id, total_cost, id) where completed_at is not null;
create index sessions_by_length on sessions (workspace_id, (coalesce(audio_duration_s, turn_count, 0)), id) where completed_at is not null;
create index sessions_of_batch on sessions (batch_id, id) where batch_id is not null;
create index sessions_of_source on sessions (source_session_id) where source_session_id is not null;
create index sessions_by_metadata on sessions using gin (metadata jsonb_path_ops);
create index sessions_with_audio on sessions (workspace_id, completed_at) include (audio_bytes) where audio is not null;

-- The size of the conversations and reviews of a workspace: db/functions/count-text.sql.
create table stored_texts (
  workspace_id text collate "C" primary key references workspaces on delete cascade,
  bytes bigint not null
) with (fillfactor = 50);

-- The size of the recordings of a workspace: db/functions/count-recording.sql.
create table stored_recordings (
  workspace_id text collate "C" primary key references workspaces on delete cascade,
  bytes bigint not null
) with (fillfactor = 50);

-- When each session last changed after its first end, for readers that keep a copy: db/functions/note-change.sql.
create table session_changes (
  session_id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces on delete cascade,
  updated_at timestamptz(3) not null,
  -- The row outlives its session for a year.
  deleted boolean not null default false
) with (fillfactor = 70);
create index session_changes_in_order on session_changes (workspace_id, deleted, updated_at, session_id);
create index session_changes_deleted on session_changes (updated_at) where deleted;

-- Read-only links to one session or one batch.
create table shares (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces on delete cascade,
  session_id text collate "C" references sessions on delete cascade,
  batch_id text collate "C" references batches on delete cascade,
  created_by text collate "C" not null references users on delete cascade,
  parts text[] not null,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint shares_of_one check ((session_id is null) <> (batch_id is null))
);
create index shares_of_session on shares (session_id);
create index shares_of_batch on shares (batch_id);
create index shares_listed on shares (workspace_id, id);
create index shares_of_user on shares (created_by);

-- URLs of recordings that are fetched, sealed.
create table audio_sources (
  id text collate "C" primary key references sessions on delete cascade,
  sealed text not null
);

create table session_originals (
  -- The session's.
  id text collate "C" primary key references sessions on delete cascade,
  -- Sealed.
  originals text not null
);

-- Words of conversations in their base form: Latin letters as English, others as Russian. No word is left out.
-- cspell:ignore asciiword
create text search dictionary english_forms (template = snowball, language = english);
create text search dictionary russian_forms (template = snowball, language = russian);
create text search configuration session_words (copy = simple);
alter text search configuration session_words alter mapping for asciiword with english_forms;
alter text search configuration session_words alter mapping for word with russian_forms;

create table session_words (
  session_id text collate "C" primary key references sessions on delete cascade,
  words tsvector not null
);
create index session_words_searched on session_words using gin (words) with (gin_pending_list_limit='1024');

create table session_fields (
  session_id text collate "C" not null references sessions on delete cascade,
  field_id integer not null,
  item smallint not null,
  version integer,
  day date not null,
  state smallint not null,
  value_num numeric,
  value_text text collate "C",
  primary key (session_id, field_id, item)
);
create index session_fields_of_field on session_fields (field_id, session_id) include (item, value_num, value_text, day, version, state);
create index session_fields_by_number on session_fields (field_id, value_num, session_id) where (value_num is not null);
create index session_fields_by_text on session_fields (field_id, value_text, session_id) where (value_text is not null);

-- The right answers about a conversation, given by people: one row per original session.
create table session_reviews (
  session_id text collate "C" primary key references sessions on delete cascade,
  workspace_id text collate "C" not null,
  -- The next three columns are those of the session.
  assistant_id text collate "C" not null,
  version integer,
  day date not null,
  -- From a random sample. Never becomes false again.
  sampled boolean not null default false,
  -- By field; null: the conversation does not say it.
  answers jsonb not null default '{}',
  unsure text[] not null default '{}',
  -- Derived: Review.marks of contract/reviews/reviews.ts.
  marks jsonb not null default '{}',
  -- Derived: the fields whose value is not right.
  corrected text[] not null default '{}',
  -- null: the model's summary was not corrected.
  summary_text text,
  note text,
  turn_notes jsonb not null default '[]',
  -- Previous states, newest first.
  history jsonb not null default '[]',
  -- user_… or key_…, which outlives both.
  reviewed_by text collate "C" not null,
  reviewed_at timestamptz(3) not null default now(),
  text_bytes integer generated always as (octet_length(answers::text) + octet_length(marks::text) + octet_length(turn_notes::text)
    + octet_length(history::text) + coalesce(octet_length(summary_text), 0) + coalesce(octet_length(note), 0)) stored
);
create index session_reviews_listed on session_reviews (workspace_id, session_id);
create index session_reviews_of_assistant on session_reviews (assistant_id, session_id);

-- What two people said about a session independently of each other.
create table second_opinions (
  session_id text collate "C" primary key references session_reviews on delete cascade,
  workspace_id text collate "C" not null,
  -- Opinion of contract/reviews/second-opinions.ts.
  first jsonb not null,
  second jsonb not null,
  -- From a random order of the sample.
  sampled boolean not null,
  -- Derived: by field, whether both gave the same answer.
  agreement jsonb not null,
  -- Derived: the fields about which they differ.
  differing text[] not null,
  -- null: nobody has decided.
  decided_by text collate "C",
  text_bytes integer generated always as (octet_length(first::text) + octet_length(second::text) + octet_length(agreement::text)) stored
);

create table provider_calls (
  session_id text collate "C" not null,
  step text not null
    constraint provider_calls_step_known check (step in ('transcription', 'analysis')),
  attempt integer not null,
  workspace_id text collate "C" not null,
  assistant_id text collate "C" not null,
  provider text not null
    constraint provider_calls_provider_known check (provider in ('openai', 'anthropic', 'gemini', 'grok', 'local', 'elevenlabs', 'whisper', 'aisha')),
  model text,
  status text not null default 'running'
    constraint provider_calls_status_known check (status in ('running', 'succeeded', 'failed', 'lost')),
  started_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  usage jsonb,
  cost_usd numeric,
  error jsonb,
  provider_request_id text,
  provider_job_id text,
  provider_response jsonb,
  -- How the model was called. Set on responses that are stored before they are checked.
  settings jsonb,
  reserved_usd numeric,
  primary key (session_id, step, attempt),
  constraint provider_calls_amounts check (attempt >= 1 and cost_usd >= 0 and reserved_usd >= 0)
);
create index provider_calls_running on provider_calls (started_at) where (status = 'running');
create index provider_calls_stats on provider_calls (workspace_id, started_at) include (session_id, assistant_id, step, status, ended_at, cost_usd);

create table monthly_spending (
  month date not null,
  workspace_id text collate "C" not null,
  -- The owner when the first call of the month began, also after the workspace has another owner or is deleted; null: none, or a deleted account.
  owner_id text collate "C" references users on delete set null,
  spent_usd numeric not null default 0,
  reserved_usd numeric not null default 0,
  primary key (month, workspace_id)
) with (fillfactor = 50);
create index monthly_spending_of_owner on monthly_spending (month, owner_id);

create table deliveries (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces on delete cascade,
  session_id text collate "C" references sessions on delete cascade,
  assistant_id text collate "C" not null,
  workflow_id text collate "C" not null,
  event text not null,
  payload text not null,
  alert text,
  replayed_from text collate "C",
  batch_id text collate "C",
  status text not null default 'pending'
    constraint deliveries_status_known check (status in ('pending', 'delivered', 'failed', 'stopped')),
  stop_reason text
    constraint deliveries_stop_reason_known check (stop_reason in ('assistant_deleted', 'webhook_url_removed', 'alert_removed', 'canceled', 'requested', 'terminated')),
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  check_after timestamptz(3)
);
create unique index deliveries_once_per_batch on deliveries (batch_id, replayed_from) include (status) where (batch_id is not null);
create index deliveries_pending on deliveries (greatest(next_attempt_at, check_after)) where (status = 'pending');
create index deliveries_replays on deliveries (replayed_from) where (replayed_from is not null);
create index deliveries_of_session on deliveries (session_id, id);
create index deliveries_stats on deliveries (workspace_id, created_at) include (id, assistant_id, status);
create index deliveries_listed on deliveries (workspace_id, id);
create index deliveries_by_status on deliveries (workspace_id, status, session_id);

create table delivery_attempts (
  delivery_id text collate "C" not null references deliveries on delete cascade,
  attempt integer not null,
  started_at timestamptz(3) not null default now(),
  duration_ms integer,
  outcome text
    constraint delivery_attempts_outcome_known check (outcome in ('succeeded', 'failed')),
  failure text
    constraint delivery_attempts_failure_known check (failure in ('timeout', 'dns', 'connect', 'connection_closed', 'tls', 'invalid_response', 'redirect', 'blocked_address', 'http_status', 'worker_lost', 'secret_unreadable')),
  failure_code text,
  status_code integer,
  url text not null,
  request_headers jsonb not null,
  response_headers jsonb,
  response_body text,
  response_truncated boolean not null default false,
  next_attempt_at timestamptz(3),
  primary key (delivery_id, attempt),
  constraint delivery_attempts_amounts check (attempt >= 1 and duration_ms >= 0)
);
create index delivery_attempts_failed on delivery_attempts (delivery_id) include (failure) where (failure is not null);

-- When each receiver was last reported whose deliveries fail.
create table receiver_notices (
  workspace_id text collate "C" references workspaces on delete cascade,
  receiver text,
  url_hash text,
  reported_at timestamptz(3) not null,
  primary key (workspace_id, receiver, url_hash)
);

create table idempotency_keys (
  workspace_id text collate "C" not null references workspaces on delete cascade,
  key text not null,
  payload_hash bytea not null,
  session_id text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_of_session on idempotency_keys (session_id);

create unlogged table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);

create table workers (
  id text collate "C" primary key,
  host text not null,
  build_id text,
  started_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  circuits jsonb not null default '[]'
);

-- What the processes of an installation have in common, so that one with other settings notices it: db/check-installation.ts.
create table installation (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid(),
  encryption_keys text[],
  has_audio_mark boolean not null default false,
  temporal_namespace text,
  temporal_namespace_id text
);
