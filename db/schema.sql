-- The schema after all migrations, printed by "npm run schema" for readers. Change it with a migration.

create table api_keys (
  id text collate "C" not null,
  workspace_id text collate "C" not null,
  name text not null,
  prefix text not null,
  token_hash bytea not null,
  created_at timestamp(3) with time zone default now() not null,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  scopes text[],
  last_used_address text,
  created_by text collate "C",
  created_by_key text collate "C",
  chain_id text collate "C" not null,
  rolled_from text collate "C",
  is_kept boolean default false not null,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint api_keys_created_by_key_fkey FOREIGN KEY (created_by_key) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint api_keys_rolled_from_key UNIQUE (rolled_from),
  constraint api_keys_scopes_known CHECK ((scopes <@ ARRAY['account:read'::text, 'account:write'::text, 'assistants:read'::text, 'assistants:write'::text, 'assistants:webhook'::text, 'requests:write'::text, 'sessions:read'::text, 'sessions:reveal'::text, 'sessions:write'::text, 'sessions:delete'::text, 'webhooks:read'::text, 'webhooks:write'::text, 'usage:read'::text, 'audit:read'::text, 'keys:read'::text, 'keys:write'::text, 'budget:write'::text])),
  constraint api_keys_token_hash_key UNIQUE (token_hash),
  constraint api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX api_keys_listed ON public.api_keys USING btree (workspace_id, id);
CREATE INDEX api_keys_of_chain ON public.api_keys USING btree (chain_id);
CREATE INDEX api_keys_of_key ON public.api_keys USING btree (created_by_key) WHERE (created_by_key IS NOT NULL);
CREATE TRIGGER announce_end AFTER DELETE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION announce('id');
CREATE TRIGGER remember_revoked_token AFTER DELETE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION remember_revoked_token();

create table assistant_fields (
  id integer generated always as identity,
  workspace_id text collate "C" not null,
  assistant_id text collate "C" not null,
  name text collate "C" not null,
  type text not null,
  constraint assistant_fields_pkey PRIMARY KEY (id),
  constraint assistant_fields_type_known CHECK ((type = ANY (ARRAY['boolean'::text, 'integer'::text, 'number'::text, 'string'::text, 'enum'::text, 'string_list'::text]))),
  constraint assistant_fields_workspace_id_assistant_id_name_type_key UNIQUE (workspace_id, assistant_id, name, type),
  constraint assistant_fields_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table assistant_versions (
  assistant_id text collate "C" not null,
  version integer not null,
  settings jsonb not null,
  restored_from integer,
  created_at timestamp(3) with time zone not null,
  constraint assistant_versions_pkey PRIMARY KEY (assistant_id, version),
  constraint assistant_versions_assistant_id_fkey FOREIGN KEY (assistant_id) REFERENCES assistants(id) ON DELETE CASCADE
);

create table assistants (
  id text collate "C" not null,
  workspace_id text collate "C" not null,
  name text not null,
  type text not null,
  description text,
  stt_provider text,
  stt_model text,
  stt_language text,
  llm_provider text not null,
  llm_model text not null,
  system_prompt text not null,
  temperature double precision not null,
  webhook_url text,
  webhook_secret text,
  webhook_auth text default 'both'::text not null,
  alerts jsonb,
  webhook_events text[] default '{session.completed}'::text[] not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  fields jsonb,
  retention_days integer,
  version integer default 1 not null,
  version_created_at timestamp(3) with time zone,
  restored_from integer,
  on_provider_outage text default 'fail'::text not null,
  fallback jsonb,
  channel_roles jsonb,
  redaction jsonb,
  deleted_at timestamp(3) with time zone,
  constraint assistants_pkey PRIMARY KEY (id),
  constraint assistants_amounts CHECK (((version >= 1) AND (retention_days >= 1))),
  constraint assistants_llm_provider_known CHECK ((llm_provider = ANY (ARRAY['openai'::text, 'anthropic'::text, 'gemini'::text, 'grok'::text, 'local'::text]))),
  constraint assistants_on_provider_outage_known CHECK ((on_provider_outage = ANY (ARRAY['fail'::text, 'wait'::text]))),
  constraint assistants_stt_provider_known CHECK ((stt_provider = ANY (ARRAY['elevenlabs'::text, 'whisper'::text, 'aisha'::text, 'local'::text]))),
  constraint assistants_type_known CHECK ((type = ANY (ARRAY['voice'::text, 'text'::text]))),
  constraint assistants_webhook_auth_known CHECK ((webhook_auth = ANY (ARRAY['both'::text, 'bearer'::text, 'signature'::text]))),
  constraint assistants_webhook_events_known CHECK ((webhook_events <@ ARRAY['session.completed'::text, 'session.failed'::text])),
  constraint assistants_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX assistants_listed ON public.assistants USING btree (workspace_id, id);
CREATE INDEX assistants_with_retention ON public.assistants USING btree (id) WHERE (retention_days IS NOT NULL);

create table audio_sources (
  id text collate "C" not null,
  sealed text not null,
  constraint audio_sources_pkey PRIMARY KEY (id),
  constraint audio_sources_id_fkey FOREIGN KEY (id) REFERENCES sessions(id) ON DELETE CASCADE
);

create table audit_events (
  id text collate "C" not null,
  workspace_id text collate "C",
  user_id text collate "C",
  action text not null,
  actor_id text collate "C",
  address text,
  object_id text collate "C",
  details jsonb default '{}'::jsonb not null,
  created_at timestamp(3) with time zone default now() not null,
  actor_user_id text collate "C",
  constraint audit_events_pkey PRIMARY KEY (id),
  constraint audit_events_action_known CHECK ((action = ANY (ARRAY['registered'::text, 'login_succeeded'::text, 'login_failed'::text, 'login_ended'::text, 'password_changed'::text, 'password_change_failed'::text, 'password_reset_asked'::text, 'password_reset_done'::text, 'email_change_asked'::text, 'email_changed'::text, 'email_confirmed'::text, 'identity_proved'::text, 'proof_failed'::text, 'second_factor_on'::text, 'second_factor_off'::text, 'second_factor_failed'::text, 'recovery_codes_created'::text, 'recovery_code_used'::text, 'identity_linked'::text, 'identity_unlinked'::text, 'account_disabled'::text, 'account_enabled'::text, 'admin_changed'::text, 'account_exported'::text, 'account_deleted'::text, 'account_deletion_failed'::text, 'budget_changed'::text, 'token_created'::text, 'token_rolled'::text, 'token_revoked'::text, 'tokens_revoked'::text, 'scope_refused'::text, 'webhook_changed'::text, 'webhook_blocked'::text, 'assistant_created'::text, 'assistant_changed'::text, 'assistant_deleted'::text, 'version_restored'::text, 'session_deleted'::text, 'originals_revealed'::text, 'sessions_exported'::text, 'recording_fetched'::text, 'batch_created'::text, 'workspace_created'::text, 'workspace_changed'::text, 'workspace_deleted'::text, 'workspace_deletion_failed'::text, 'member_invited'::text, 'invitation_revoked'::text, 'member_joined'::text, 'member_role_changed'::text, 'member_removed'::text, 'member_left'::text])))
);
CREATE INDEX audit_events_by_age ON public.audit_events USING btree (created_at);
CREATE INDEX audit_events_listed ON public.audit_events USING btree (workspace_id, id);
CREATE INDEX audit_events_of_recordings ON public.audit_events USING btree (object_id, actor_id) WHERE (action = 'recording_fetched'::text);
CREATE INDEX audit_events_of_user ON public.audit_events USING btree (user_id, id) WHERE (user_id IS NOT NULL);
CREATE TRIGGER keep_audit_event BEFORE DELETE OR UPDATE ON public.audit_events FOR EACH ROW EXECUTE FUNCTION keep_audit_event();

create table batch_items (
  batch_id text collate "C" not null,
  source_session_id text collate "C" not null,
  session_id text collate "C" not null,
  outcome text,
  constraint batch_items_pkey PRIMARY KEY (batch_id, source_session_id),
  constraint batch_items_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE,
  constraint batch_items_outcome_known CHECK ((outcome = ANY (ARRAY['completed'::text, 'failed'::text, 'canceled'::text])))
);
CREATE INDEX batch_items_open ON public.batch_items USING btree (batch_id) WHERE (outcome IS NULL);

create table batches (
  id text collate "C" not null,
  workspace_id text collate "C" not null,
  name text,
  action text not null,
  filter jsonb not null,
  conditions jsonb not null,
  settings jsonb,
  overrides jsonb,
  assistant_version integer,
  simulated boolean default false not null,
  notify boolean not null,
  status text default 'running'::text not null,
  held_by text,
  total integer not null,
  begun integer default 0 not null,
  completed integer default 0 not null,
  failed integer default 0 not null,
  canceled integer default 0 not null,
  cost_usd numeric default 0 not null,
  last_id text collate "C" default ''::text not null,
  created_at timestamp(3) with time zone default now() not null,
  ended_at timestamp(3) with time zone,
  idempotency_key text,
  payload_hash bytea,
  max_cost_usd numeric,
  created_by text collate "C",
  constraint batches_pkey PRIMARY KEY (id),
  constraint batches_action_known CHECK ((action = ANY (ARRAY['reanalyze'::text, 'retry'::text, 'delete'::text, 'redeliver'::text]))),
  constraint batches_amounts CHECK ((LEAST((total)::numeric, (begun)::numeric, (completed)::numeric, (failed)::numeric, (canceled)::numeric, cost_usd, max_cost_usd) >= (0)::numeric)),
  constraint batches_held_by_known CHECK ((held_by = ANY (ARRAY['budget'::text, 'max_cost'::text]))),
  constraint batches_status_known CHECK ((status = ANY (ARRAY['running'::text, 'canceling'::text, 'completed'::text, 'canceled'::text]))),
  constraint batches_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX batches_listed ON public.batches USING btree (workspace_id, id);
CREATE INDEX batches_running ON public.batches USING btree (created_at) WHERE (ended_at IS NULL);
CREATE TRIGGER announce_progress AFTER UPDATE ON public.batches FOR EACH ROW WHEN ((((((((old.status IS DISTINCT FROM new.status) OR (old.held_by IS DISTINCT FROM new.held_by)) OR (old.begun IS DISTINCT FROM new.begun)) OR (old.completed IS DISTINCT FROM new.completed)) OR (old.failed IS DISTINCT FROM new.failed)) OR (old.canceled IS DISTINCT FROM new.canceled)) OR (old.max_cost_usd IS DISTINCT FROM new.max_cost_usd))) EXECUTE FUNCTION announce('id');
CREATE TRIGGER announce_row AFTER INSERT ON public.batches FOR EACH ROW EXECUTE FUNCTION announce('id');

create table deliveries (
  id text collate "C" not null,
  workspace_id text collate "C" not null,
  session_id text collate "C",
  assistant_id text collate "C" not null,
  workflow_id text collate "C" not null,
  event text not null,
  payload text not null,
  alert text,
  replayed_from text collate "C",
  batch_id text collate "C",
  status text default 'pending'::text not null,
  stop_reason text,
  next_attempt_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  ended_at timestamp(3) with time zone,
  check_after timestamp(3) with time zone,
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_event_known CHECK ((event = ANY (ARRAY['session.completed'::text, 'session.failed'::text, 'session.alert'::text, 'webhook.test'::text]))),
  constraint deliveries_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint deliveries_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'stopped'::text]))),
  constraint deliveries_stop_reason_known CHECK ((stop_reason = ANY (ARRAY['assistant_deleted'::text, 'webhook_url_removed'::text, 'alert_removed'::text, 'canceled'::text, 'requested'::text, 'terminated'::text]))),
  constraint deliveries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX deliveries_by_status ON public.deliveries USING btree (workspace_id, status, session_id);
CREATE INDEX deliveries_listed ON public.deliveries USING btree (workspace_id, id);
CREATE INDEX deliveries_of_session ON public.deliveries USING btree (session_id, id);
CREATE UNIQUE INDEX deliveries_once_per_batch ON public.deliveries USING btree (batch_id, replayed_from) INCLUDE (status) WHERE (batch_id IS NOT NULL);
CREATE INDEX deliveries_pending ON public.deliveries USING btree (GREATEST(next_attempt_at, check_after)) WHERE (status = 'pending'::text);
CREATE INDEX deliveries_replays ON public.deliveries USING btree (replayed_from) WHERE (replayed_from IS NOT NULL);
CREATE INDEX deliveries_stats ON public.deliveries USING btree (workspace_id, created_at) INCLUDE (id, assistant_id, status);
CREATE TRIGGER announce_row AFTER INSERT ON public.deliveries FOR EACH ROW EXECUTE FUNCTION announce('id');
CREATE TRIGGER announce_status AFTER UPDATE OF status, next_attempt_at ON public.deliveries FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.next_attempt_at IS DISTINCT FROM new.next_attempt_at))) EXECUTE FUNCTION announce('id');

create table delivery_attempts (
  delivery_id text collate "C" not null,
  attempt integer not null,
  started_at timestamp(3) with time zone default now() not null,
  duration_ms integer,
  outcome text,
  failure text,
  failure_code text,
  status_code integer,
  url text not null,
  request_headers jsonb not null,
  response_headers jsonb,
  response_body text,
  response_truncated boolean default false not null,
  next_attempt_at timestamp(3) with time zone,
  constraint delivery_attempts_pkey PRIMARY KEY (delivery_id, attempt),
  constraint delivery_attempts_amounts CHECK (((attempt >= 1) AND (duration_ms >= 0))),
  constraint delivery_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON DELETE CASCADE,
  constraint delivery_attempts_failure_known CHECK ((failure = ANY (ARRAY['timeout'::text, 'dns'::text, 'connect'::text, 'connection_closed'::text, 'tls'::text, 'invalid_response'::text, 'redirect'::text, 'blocked_address'::text, 'http_status'::text, 'worker_lost'::text, 'secret_unreadable'::text]))),
  constraint delivery_attempts_outcome_known CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text])))
);
CREATE INDEX delivery_attempts_failed ON public.delivery_attempts USING btree (delivery_id) INCLUDE (failure) WHERE (failure IS NOT NULL);
CREATE TRIGGER announce_row AFTER INSERT ON public.delivery_attempts FOR EACH ROW EXECUTE FUNCTION announce('delivery_id');

create table group_roles (
  workspace_id text collate "C" not null,
  group_name text not null,
  role text not null,
  constraint group_roles_pkey PRIMARY KEY (workspace_id, group_name),
  constraint group_roles_role_known CHECK ((role = ANY (ARRAY['admin'::text, 'developer'::text, 'analyst'::text, 'auditor'::text]))),
  constraint group_roles_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX group_roles_of_group ON public.group_roles USING btree (group_name);

create table idempotency_keys (
  workspace_id text collate "C" not null,
  key text not null,
  payload_hash bytea not null,
  session_id text collate "C" not null,
  created_at timestamp(3) with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (workspace_id, key),
  constraint idempotency_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_of_session ON public.idempotency_keys USING btree (session_id);

create table identities (
  id text collate "C" not null,
  issuer text not null,
  subject text not null,
  user_id text collate "C" not null,
  email text,
  created_at timestamp(3) with time zone default now() not null,
  last_used_at timestamp(3) with time zone default now() not null,
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_issuer_subject_key UNIQUE (issuer, subject),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX identities_of_user ON public.identities USING btree (user_id);

create table invitations (
  id text collate "C" not null,
  workspace_id text collate "C" not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  invited_by text collate "C" not null,
  created_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint invitations_role_known CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'analyst'::text, 'auditor'::text]))),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX invitations_by ON public.invitations USING btree (invited_by);
CREATE UNIQUE INDEX invitations_of_address ON public.invitations USING btree (workspace_id, lower(email));

create table logins (
  id text collate "C" not null,
  user_id text collate "C" not null,
  kind text not null,
  secret_hash bytea not null,
  credentials_version integer not null,
  address text not null,
  user_agent text,
  created_at timestamp(3) with time zone default now() not null,
  last_used_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  proved_at timestamp(3) with time zone,
  is_strong boolean default false not null,
  method text default 'password'::text not null,
  constraint logins_pkey PRIMARY KEY (id),
  constraint logins_kind_known CHECK ((kind = ANY (ARRAY['console'::text, 'token'::text]))),
  constraint logins_method_known CHECK ((method = ANY (ARRAY['password'::text, 'sso'::text]))),
  constraint logins_secret_hash_key UNIQUE (secret_hash),
  constraint logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX logins_of_user ON public.logins USING btree (user_id, id);
CREATE TRIGGER announce_end AFTER UPDATE OF ended_at ON public.logins FOR EACH ROW WHEN ((new.ended_at IS NOT NULL)) EXECUTE FUNCTION announce('user_id');

create table memberships (
  user_id text collate "C" not null,
  workspace_id text collate "C" not null,
  role text not null,
  created_at timestamp(3) with time zone default now() not null,
  source text default 'person'::text not null,
  constraint memberships_pkey PRIMARY KEY (user_id, workspace_id),
  constraint memberships_role_known CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'analyst'::text, 'auditor'::text]))),
  constraint memberships_source_known CHECK ((source = ANY (ARRAY['person'::text, 'sso'::text]))),
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint memberships_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX memberships_of_workspace ON public.memberships USING btree (workspace_id, user_id);
CREATE TRIGGER announce_end AFTER DELETE ON public.memberships FOR EACH ROW EXECUTE FUNCTION announce('user_id');
CREATE TRIGGER announce_role AFTER UPDATE OF role ON public.memberships FOR EACH ROW EXECUTE FUNCTION announce('user_id');

create table monthly_spending (
  month date not null,
  workspace_id text collate "C" not null,
  owner_id text collate "C",
  spent_usd numeric default 0 not null,
  reserved_usd numeric default 0 not null,
  constraint monthly_spending_pkey PRIMARY KEY (month, workspace_id),
  constraint monthly_spending_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL
) with (fillfactor=50);
CREATE INDEX monthly_spending_of_owner ON public.monthly_spending USING btree (month, owner_id);

create table one_time_tokens (
  token_hash bytea not null,
  purpose text not null,
  user_id text collate "C" not null,
  email text,
  credentials_version integer not null,
  expires_at timestamp(3) with time zone not null,
  constraint one_time_tokens_pkey PRIMARY KEY (token_hash),
  constraint one_time_tokens_purpose_known CHECK ((purpose = ANY (ARRAY['reset'::text, 'email'::text]))),
  constraint one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX one_time_tokens_of_user ON public.one_time_tokens USING btree (user_id);

create table provider_calls (
  session_id text collate "C" not null,
  step text not null,
  attempt integer not null,
  workspace_id text collate "C" not null,
  assistant_id text collate "C" not null,
  provider text not null,
  model text,
  status text default 'running'::text not null,
  started_at timestamp(3) with time zone default now() not null,
  ended_at timestamp(3) with time zone,
  usage jsonb,
  cost_usd numeric,
  error jsonb,
  provider_request_id text,
  provider_job_id text,
  provider_response jsonb,
  manner jsonb,
  reserved_usd numeric,
  constraint provider_calls_pkey PRIMARY KEY (session_id, step, attempt),
  constraint count_provider_call TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint provider_calls_amounts CHECK (((attempt >= 1) AND (cost_usd >= (0)::numeric) AND (reserved_usd >= (0)::numeric))),
  constraint provider_calls_provider_known CHECK ((provider = ANY (ARRAY['openai'::text, 'anthropic'::text, 'gemini'::text, 'grok'::text, 'local'::text, 'elevenlabs'::text, 'whisper'::text, 'aisha'::text]))),
  constraint provider_calls_status_known CHECK ((status = ANY (ARRAY['running'::text, 'succeeded'::text, 'failed'::text, 'lost'::text]))),
  constraint provider_calls_step_known CHECK ((step = ANY (ARRAY['transcription'::text, 'analysis'::text])))
);
CREATE INDEX provider_calls_running ON public.provider_calls USING btree (started_at) WHERE (status = 'running'::text);
CREATE INDEX provider_calls_stats ON public.provider_calls USING btree (workspace_id, started_at) INCLUDE (session_id, assistant_id, step, status, ended_at, cost_usd);
CREATE CONSTRAINT TRIGGER count_provider_call AFTER INSERT OR UPDATE OF status, cost_usd, reserved_usd ON public.provider_calls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_provider_call();

create unlogged table rate_limits (
  key text not null,
  points integer default 0 not null,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);

create table recovery_codes (
  user_id text collate "C" not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table revoked_tokens (
  token_hash bytea not null,
  revoked_at timestamp(3) with time zone default now() not null,
  constraint revoked_tokens_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX revoked_tokens_by_age ON public.revoked_tokens USING btree (revoked_at);

create table second_factors (
  id text collate "C" not null,
  secret text not null,
  last_step integer default 0 not null,
  failures integer default 0 not null,
  held_until timestamp(3) with time zone,
  confirmed_at timestamp(3) with time zone,
  constraint second_factors_pkey PRIMARY KEY (id),
  constraint second_factors_id_fkey FOREIGN KEY (id) REFERENCES users(id) ON DELETE CASCADE
);

create table session_fields (
  session_id text collate "C" not null,
  field_id integer not null,
  item smallint not null,
  version integer,
  day date not null,
  state smallint not null,
  value_num numeric,
  value_text text collate "C",
  constraint session_fields_pkey PRIMARY KEY (session_id, field_id, item),
  constraint session_fields_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX session_fields_by_number ON public.session_fields USING btree (field_id, value_num, session_id) WHERE (value_num IS NOT NULL);
CREATE INDEX session_fields_by_text ON public.session_fields USING btree (field_id, value_text, session_id) WHERE (value_text IS NOT NULL);
CREATE INDEX session_fields_of_field ON public.session_fields USING btree (field_id, session_id) INCLUDE (item, value_num, value_text, day, version, state);

create table session_originals (
  id text collate "C" not null,
  originals text not null,
  constraint session_originals_pkey PRIMARY KEY (id),
  constraint session_originals_id_fkey FOREIGN KEY (id) REFERENCES sessions(id) ON DELETE CASCADE
);

create table session_words (
  session_id text collate "C" not null,
  words tsvector not null,
  constraint session_words_pkey PRIMARY KEY (session_id),
  constraint session_words_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX session_words_searched ON public.session_words USING gin (words) WITH (gin_pending_list_limit='1024');

create table sessions (
  id text collate "C" not null,
  workspace_id text collate "C" not null,
  assistant_id text collate "C" not null,
  type text not null,
  status text default 'queued'::text not null,
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
  error jsonb,
  created_at timestamp(3) with time zone default now() not null,
  queued_at timestamp(3) with time zone default now() not null,
  completed_at timestamp(3) with time zone,
  earlier_runs jsonb default '[]'::jsonb not null,
  assistant_name text generated always as ((assistant ->> 'name'::text)) stored,
  llm_model text generated always as ((assistant ->> 'llm_model'::text)) stored,
  language text generated always as ((transcript ->> 'language'::text)) stored,
  audio_duration_s double precision generated always as (COALESCE(((transcript ->> 'duration_s'::text))::double precision, ((audio ->> 'duration_s'::text))::double precision)) stored,
  audio_bytes bigint generated always as (((audio ->> 'bytes'::text))::bigint) stored,
  turn_count integer generated always as (
CASE jsonb_typeof(conversation)
    WHEN 'array'::text THEN jsonb_array_length(conversation)
    ELSE NULL::integer
END) stored,
  check_after timestamp(3) with time zone default (now() + '00:01:00'::interval) not null,
  field_encoding text,
  total_cost numeric default 0 not null,
  assistant_version integer,
  on_provider_outage text,
  waiting jsonb,
  answered_by jsonb,
  batch_id text collate "C",
  roles jsonb,
  person_roles jsonb,
  redaction jsonb,
  trial boolean default false not null,
  created_by text collate "C",
  text_bytes integer generated always as (octet_length((conversation)::text)) stored,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint count_changed_text TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint count_text TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint sessions_amounts CHECK ((total_cost >= (0)::numeric)),
  constraint sessions_completed CHECK (((completed_at IS NULL) = (status = ANY (ARRAY['fetching'::text, 'queued'::text, 'transcribing'::text, 'analyzing'::text])))),
  constraint sessions_field_encoding_known CHECK ((field_encoding = ANY (ARRAY['strict'::text, 'rows'::text]))),
  constraint sessions_on_provider_outage_known CHECK ((on_provider_outage = ANY (ARRAY['fail'::text, 'wait'::text]))),
  constraint sessions_status_known CHECK ((status = ANY (ARRAY['fetching'::text, 'queued'::text, 'transcribing'::text, 'analyzing'::text, 'completed'::text, 'failed'::text, 'canceled'::text]))),
  constraint sessions_type_known CHECK ((type = ANY (ARRAY['voice'::text, 'text'::text]))),
  constraint sessions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX sessions_by_cost ON public.sessions USING btree (workspace_id, total_cost, id) WHERE (completed_at IS NOT NULL);
CREATE INDEX sessions_by_end ON public.sessions USING btree (workspace_id, completed_at, id) WHERE (completed_at IS NOT NULL);
CREATE INDEX sessions_by_length ON public.sessions USING btree (workspace_id, COALESCE(audio_duration_s, (turn_count)::double precision, (0)::double precision), id) WHERE (completed_at IS NOT NULL);
CREATE INDEX sessions_by_metadata ON public.sessions USING gin (metadata jsonb_path_ops);
CREATE INDEX sessions_ended ON public.sessions USING btree (completed_at, id) WHERE (completed_at IS NOT NULL);
CREATE INDEX sessions_ended_of_assistant ON public.sessions USING btree (assistant_id, completed_at, id) WHERE (completed_at IS NOT NULL);
CREATE INDEX sessions_listed ON public.sessions USING btree (workspace_id, id, type, assistant_id, llm_model, simulated, trial, source_session_id);
CREATE INDEX sessions_of_batch ON public.sessions USING btree (batch_id, id) WHERE (batch_id IS NOT NULL);
CREATE INDEX sessions_of_source ON public.sessions USING btree (source_session_id) WHERE (source_session_id IS NOT NULL);
CREATE INDEX sessions_open ON public.sessions USING btree (workspace_id, id) WHERE (completed_at IS NULL);
CREATE INDEX sessions_stats ON public.sessions USING btree (workspace_id, created_at) INCLUDE (assistant_id);
CREATE INDEX sessions_unsuccessful ON public.sessions USING btree (workspace_id, id) WHERE (summary_text IS NULL);
CREATE INDEX sessions_with_audio ON public.sessions USING btree (workspace_id, completed_at) INCLUDE (audio_bytes) WHERE (audio IS NOT NULL);
CREATE TRIGGER announce_row AFTER INSERT OR DELETE ON public.sessions FOR EACH ROW EXECUTE FUNCTION announce('id');
CREATE TRIGGER announce_status AFTER UPDATE OF status, waiting, audio_source ON public.sessions FOR EACH ROW WHEN ((((old.status IS DISTINCT FROM new.status) OR (old.waiting IS DISTINCT FROM new.waiting)) OR (old.audio_source IS DISTINCT FROM new.audio_source))) EXECUTE FUNCTION announce('id');
CREATE CONSTRAINT TRIGGER count_changed_text AFTER UPDATE OF conversation ON public.sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.text_bytes IS DISTINCT FROM new.text_bytes)) EXECUTE FUNCTION count_text();
CREATE CONSTRAINT TRIGGER count_text AFTER INSERT OR DELETE ON public.sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_text();

create table sql_functions (
  name text not null,
  hash text not null,
  constraint sql_functions_pkey PRIMARY KEY (name)
);

create table stored_texts (
  workspace_id text collate "C" not null,
  bytes bigint not null,
  constraint stored_texts_pkey PRIMARY KEY (workspace_id),
  constraint stored_texts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
) with (fillfactor=50);

create table users (
  id text collate "C" not null,
  email text not null,
  name text not null,
  language text,
  views jsonb default '{}'::jsonb not null,
  password_hash text,
  credentials_version integer default 1 not null,
  created_at timestamp(3) with time zone default now() not null,
  disabled_at timestamp(3) with time zone,
  default_workspace_id text collate "C" not null,
  email_verified_at timestamp(3) with time zone,
  is_admin boolean default false not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_language_known CHECK ((language = ANY (ARRAY['en'::text, 'ru'::text, 'uz'::text])))
);
CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));
CREATE TRIGGER announce_credentials AFTER UPDATE OF credentials_version, disabled_at ON public.users FOR EACH ROW EXECUTE FUNCTION announce('users.id');

create table workers (
  id text collate "C" not null,
  host text not null,
  build_id text,
  started_at timestamp(3) with time zone default now() not null,
  seen_at timestamp(3) with time zone default now() not null,
  circuits jsonb default '[]'::jsonb not null,
  constraint workers_pkey PRIMARY KEY (id)
);

create table workspaces (
  id text collate "C" not null,
  name text not null,
  monthly_budget_usd numeric,
  sign_in text default 'any'::text not null,
  disabled_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_amounts CHECK ((monthly_budget_usd >= (0)::numeric)),
  constraint workspaces_sign_in_known CHECK ((sign_in = ANY (ARRAY['any'::text, 'second_factor'::text, 'sso'::text])))
);
CREATE INDEX workspaces_deleted ON public.workspaces USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE OR REPLACE FUNCTION public.announce()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  named text;
begin
  if tg_op = 'DELETE' then
    new := old;
  end if;
  foreach named in array tg_argv loop
    case named
      when 'id' then
        perform pg_notify('changed', new.workspace_id || ' ' || new.id);
      when 'delivery_id' then
        perform pg_notify('changed', workspace_id || ' ' || id) from deliveries where id = new.delivery_id;
      when 'user_id' then
        perform pg_notify('changed', new.user_id || ' ' || new.user_id);
      when 'users.id' then
        perform pg_notify('changed', new.id || ' ' || new.id);
    end case;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_provider_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  spent numeric := 0;
  reserved numeric := 0;
begin
  if tg_op = 'UPDATE' then
    if old.status = 'running' and old.cost_usd is null then
      reserved := -coalesce(old.reserved_usd, 0);
    else
      spent := -coalesce(old.cost_usd, old.reserved_usd, 0);
    end if;
  end if;
  if new.status = 'running' and new.cost_usd is null then
    reserved := reserved + coalesce(new.reserved_usd, 0);
  else
    spent := spent + coalesce(new.cost_usd, new.reserved_usd, 0);
  end if;
  if spent <> 0 or reserved <> 0 then
    insert into monthly_spending as total (month, workspace_id, owner_id, spent_usd, reserved_usd)
      values (date_trunc('month', new.started_at at time zone 'UTC'), new.workspace_id, owner_of(new.workspace_id), spent, reserved)
      on conflict (month, workspace_id) do update
        set spent_usd = total.spent_usd + excluded.spent_usd, reserved_usd = total.reserved_usd + excluded.reserved_usd;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_text()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  added bigint := 0;
begin
  if tg_op <> 'INSERT' then
    added := -coalesce(old.text_bytes, 0);
  end if;
  if tg_op <> 'DELETE' then
    added := added + coalesce(new.text_bytes, 0);
  end if;
  if added = 0 then
    return null;
  end if;
  update stored_texts set bytes = bytes + added where workspace_id = coalesce(new.workspace_id, old.workspace_id);
  -- The sessions of a workspace that is being deleted find no row.
  if not found and tg_op <> 'DELETE' then
    insert into stored_texts as total (workspace_id, bytes) values (new.workspace_id, added)
      on conflict (workspace_id) do update set bytes = total.bytes + excluded.bytes;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_audit_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and old.created_at < now() - interval '1 year' then
    return old;
  end if;
  raise exception 'audit_events are only ever added' using errcode = 'insufficient_privilege';
end $function$;

CREATE OR REPLACE FUNCTION public.open_provider_call(call jsonb, since timestamp with time zone, max_calls integer, max_budget numeric, installation_budget numeric, OUT attempt integer, OUT refusal text)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  given provider_calls := jsonb_populate_record(null::provider_calls, call);
  this_month date := date_trunc('month', now() at time zone 'UTC');
  own monthly_spending;
  of_owner monthly_spending;
  installation monthly_spending;
  budget numeric;
  has_lost boolean;
begin
  perform from sessions where id = given.session_id and completed_at is null;
  if not found then
    refusal := 'session_ended';
    return;
  end if;
  update provider_calls set status = 'lost', reserved_usd = null
    where session_id = given.session_id and step = given.step and status = 'running'
      and provider_job_id is null;
  has_lost := found;
  if max_calls <= (select count(*) from provider_calls made
      where made.session_id = given.session_id and made.step = given.step and made.started_at >= since and made.status <> 'failed') then
    refusal := 'too_many_calls';
    return;
  end if;
  if installation_budget is not null then
    perform pg_advisory_xact_lock(hashtextextended('installation_budget', 0));
  end if;
  if max_budget is not null then
    -- All workspaces of an owner share the maximum. Locked before the row of the workspace, so that calls never wait for each other.
    perform pg_advisory_xact_lock(hashtextextended(coalesce((
      select total.owner_id from monthly_spending total
      where total.month = this_month and total.workspace_id = given.workspace_id), owner_of(given.workspace_id)), 1));
  end if;
  if has_lost then
    set constraints count_provider_call immediate;
  end if;
  insert into monthly_spending (month, workspace_id, owner_id)
    values (this_month, given.workspace_id, owner_of(given.workspace_id)) on conflict do nothing;
  select * into own from monthly_spending where month = this_month and workspace_id = given.workspace_id for update;
  if max_budget is not null then
    select sum(total.spent_usd), sum(total.reserved_usd) into of_owner.spent_usd, of_owner.reserved_usd
      from monthly_spending total where total.month = this_month and total.owner_id = own.owner_id;
  end if;
  if installation_budget is not null then
    select coalesce(sum(spent_usd), 0) as spent_usd, coalesce(sum(reserved_usd), 0) as reserved_usd
      into installation.spent_usd, installation.reserved_usd from monthly_spending where month = this_month;
  end if;
  select least(monthly_budget_usd, max_budget) into budget from workspaces where id = given.workspace_id;
  refusal := case
    when given.reserved_usd = 0 then null
    when budget <= own.spent_usd or max_budget <= of_owner.spent_usd then 'budget_spent'
    when installation_budget <= installation.spent_usd then 'installation_budget_spent'
    when budget <= own.spent_usd + own.reserved_usd
      or max_budget <= of_owner.spent_usd + of_owner.reserved_usd
      or installation_budget <= installation.spent_usd + installation.reserved_usd then 'budget_reserved'
  end;
  if refusal is null then
    insert into provider_calls (session_id, workspace_id, assistant_id, step, provider, model, reserved_usd, attempt)
      select given.session_id, given.workspace_id, given.assistant_id, given.step, given.provider, given.model,
        given.reserved_usd, coalesce(max(made.attempt), 0) + 1
      from provider_calls made where made.session_id = given.session_id and made.step = given.step
      returning provider_calls.attempt into attempt;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.owner_of(workspace text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select user_id from memberships where workspace_id = workspace and role = 'owner' order by created_at, user_id limit 1
$function$;

CREATE OR REPLACE FUNCTION public.paid_with(workspace text)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  payer text := payer_of(workspace);
begin
  return array(
    select workspace union
    select owned.workspace_id from memberships owned
      where owned.user_id = payer and owned.role = 'owner' and payer_of(owned.workspace_id) = payer);
end $function$;

CREATE OR REPLACE FUNCTION public.payer_of(workspace text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(owner_of(workspace), workspace)
$function$;

CREATE OR REPLACE FUNCTION public.remember_revoked_token()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into revoked_tokens (token_hash) values (old.token_hash) on conflict do nothing;
  delete from revoked_tokens where revoked_at < now() - interval '90 days';
  return null;
end $function$;

