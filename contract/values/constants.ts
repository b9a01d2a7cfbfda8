/** Values that several folders share. Imports no library, because workflows import this file. */
import type { LLM_PROVIDER_FACTS, STT_PROVIDER_FACTS } from './providers.ts';

/** Base path of every endpoint. Specification, introduction. */
export const API_BASE = '/api';

export const CONSOLE_LANGUAGES = ['en', 'ru', 'uz'] as const;
export type ConsoleLanguage = (typeof CONSOLE_LANGUAGES)[number];
/** The cookie that names the language of the console's page. */
export const LANGUAGE_COOKIE = 'console_language';

/** Base path of every endpoint in another workspace than the default one. */
export const workspaceBase = (workspaceId: string) => `/w/${workspaceId}${API_BASE}`;

/** Specification §2.3. */
export const ASSISTANT_TYPES = ['voice', 'text'] as const;

/** Specification §2.3: "a language code, or the literal". */
export const AUTO_DETECT = 'Auto-Detect';

/** Returns a language code as providers expect it: ISO 639-1 if possible, `uz` for `uz-Latn-UZ`; undefined for `Auto-Detect`. §2.3 */
export function languageCode(language: string): string | undefined {
  if (language === AUTO_DETECT) return undefined;
  const primary = language.split('-', 1)[0] as string;
  return new Intl.Locale(primary).language ?? primary.toLowerCase();
}

export type AssistantType = (typeof ASSISTANT_TYPES)[number];
export type SttProviderName = keyof typeof STT_PROVIDER_FACTS;
export type LlmProviderName = keyof typeof LLM_PROVIDER_FACTS;
export type ProviderName = SttProviderName | LlmProviderName;

/** Nothing was paid for yet. A new session has one of these. */
export const UNBEGUN_SESSION_STATUSES = ['fetching', 'queued'] as const;
export const UNFINISHED_SESSION_STATUSES = [...UNBEGUN_SESSION_STATUSES, 'transcribing', 'analyzing'] as const;
export const FINAL_SESSION_STATUSES = ['completed', 'failed', 'canceled'] as const;
/** In the order of a session's life. Specification §3 has only `completed`; the others: docs/decisions.md. */
export const SESSION_STATUSES = [...UNFINISHED_SESSION_STATUSES, ...FINAL_SESSION_STATUSES] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** The steps of a session that call a provider. An error's `stage` and a provider call's `step` have these values. */
export const STEPS = ['transcription', 'analysis'] as const;
export type Step = (typeof STEPS)[number];

/** Where a session failed: while its recording was fetched, or in a step. */
export const STAGES = ['fetch', ...STEPS] as const;
export type Stage = (typeof STAGES)[number];

/** The status of a session during each step. */
export const STATUS_OF_STEP = { transcription: 'transcribing', analysis: 'analyzing' } as const;

/** The status of a provider call. `lost`: its worker died before it reported the outcome. */
export const CALL_STATUSES = ['running', 'succeeded', 'failed', 'lost'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Output limit of one model call. Far above the length of an answer, because reasoning counts as output. */
export const LLM_MAX_OUTPUT_TOKENS = 8_192;

/** How long a model may think, as OpenAI names it. Not every model knows each. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** The faults of providers. activities/providers/provider-faults.ts maps errors to them. */
export const PROVIDER_FAULTS = [
  'auth',
  'bad_input',
  'refused',
  'unknown_model',
  'rate_limited',
  'unavailable',
  'timeout',
  'incomplete',
  'too_large',
  'quota_exceeded',
] as const;
export type ProviderFault = (typeof PROVIDER_FAULTS)[number];

/** Faults that a retry would repeat. Calls with any other fault are retried. */
export const FINAL_FAULTS: readonly ProviderFault[] = PROVIDER_FAULTS.filter(
  (fault) => !['rate_limited', 'unavailable', 'timeout'].includes(fault),
);

/** Faults of a provider that is unavailable or whose account has no credit. A session may wait until they are over. */
export const OUTAGE_FAULTS: readonly ProviderFault[] = ['rate_limited', 'unavailable', 'timeout', 'quota_exceeded'];

/** What a session does when its provider is unavailable. */
export const OUTAGE_CHOICES = ['fail', 'wait'] as const;
export type OutageChoice = (typeof OUTAGE_CHOICES)[number];

/** Error codes of a failed session: the provider's fault, or a failure without a provider. */
export const SESSION_ERROR_CODES = [
  ...PROVIDER_FAULTS,
  'audio_unreachable',
  'audio_rejected',
  'budget_exceeded',
  'terminated',
  'internal',
] as const;
export type SessionErrorCode = (typeof SESSION_ERROR_CODES)[number];

export const FIELD_TYPES = ['boolean', 'integer', 'number', 'string', 'enum', 'string_list', 'score', 'said'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** How the model returns the fields: by a schema that names each of them, or as rows of names and values. */
export const FIELD_ENCODINGS = ['strict', 'rows'] as const;
export type FieldEncoding = (typeof FIELD_ENCODINGS)[number];

/** The name of the speaker of a text in which no format was recognized. */
export const UNKNOWN_SPEAKER = 'unknown';

/** The roles of speakers in a recording. Specification §2.5 uses the first two. */
export const SPEAKER_ROLES = ['operator', 'client', 'other'] as const;
export type SpeakerRole = (typeof SPEAKER_ROLES)[number];

/** Where the roles of speakers come from. */
export const ROLE_SOURCES = ['channels', 'model', 'person'] as const;

/** Webhook events that an assistant can select. Specification §6 has only the first, which is the default. */
export const SESSION_EVENTS = ['session.completed', 'session.failed', 'session.reviewed'] as const;
export type SessionEvent = (typeof SESSION_EVENTS)[number];
export const DEFAULT_SESSION_EVENTS: readonly SessionEvent[] = ['session.completed'];

/** What an alert reports, to its URL. */
export const ALERT_EVENTS = ['session.alert', 'delivery.failed'] as const;
export type AlertEvent = (typeof ALERT_EVENTS)[number];

export const WEBHOOK_EVENTS = [...SESSION_EVENTS, ...ALERT_EVENTS, 'webhook.test'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** How a webhook proves that it comes from the service: its secret as a Bearer token, a signature, or both. */
export const WEBHOOK_AUTHS = ['both', 'bearer', 'signature'] as const;
export type WebhookAuth = (typeof WEBHOOK_AUTHS)[number];

/** `slack`: a message as Slack, Mattermost, Rocket.Chat and Discord accept it. */
export const ALERT_FORMATS = ['json', 'slack'] as const;
export type AlertFormat = (typeof ALERT_FORMATS)[number];

/** Delays before the 1st, 2nd and 3rd retry of a delivery. Specification §6.4. */
export const WEBHOOK_DELAYS_MS: readonly number[] = [30_000, 120_000, 600_000];
export const WEBHOOK_MAX_ATTEMPTS = WEBHOOK_DELAYS_MS.length + 1;

/** Timeout of one attempt, from DNS to the last byte read: docs/decisions.md. */
export const WEBHOOK_TIMEOUT_MS = 10_000;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'stopped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why an HTTP request to an address that a client chose failed. */
export const HTTP_FAILURES = [
  'timeout',
  'dns',
  'connect',
  'connection_closed',
  'tls',
  'invalid_response',
  'redirect',
  'blocked_address',
  'http_status',
] as const;

export const DELIVERY_FAILURES = [...HTTP_FAILURES, 'worker_lost', 'secret_unreadable'] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];
export const ATTEMPT_OUTCOMES = ['succeeded', 'failed'] as const;

/** Why a delivery stopped before its last attempt. */
export const STOP_REASONS = [
  'assistant_deleted',
  'webhook_url_removed',
  'alert_removed',
  'canceled',
  'requested',
  'terminated',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Orders of the list of deliveries. `-` is descending. */
export const DELIVERY_SORTS = ['created_at', '-created_at'] as const;
export type DeliverySort = (typeof DELIVERY_SORTS)[number];

/** What a batch does with each session of its filter, or with the deliveries of these sessions. */
export const BATCH_ACTIONS = ['reanalyze', 'retry', 'delete', 'redeliver', 'cancel', 'score', 'analyze'] as const;
export type BatchAction = (typeof BATCH_ACTIONS)[number];

/** `canceling`: no more sessions start, and those that started have not ended yet. */
export const BATCH_STATUSES = ['running', 'canceling', 'completed', 'canceled'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** Why a batch currently starts no sessions. */
export const BATCH_HOLDS = ['budget', 'max_cost'] as const;
export type BatchHold = (typeof BATCH_HOLDS)[number];

/** The roles of a member of a workspace, the most powerful first: contract/values/scopes.ts. */
export const MEMBER_ROLES = ['owner', 'admin', 'developer', 'analyst', 'reviewer', 'auditor'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** What a workspace requires of logins. API tokens are not affected. */
export const SIGN_IN_POLICIES = ['any', 'second_factor', 'sso'] as const;
export type SignInPolicy = (typeof SIGN_IN_POLICIES)[number];

/** Why a sign-in failed: the query parameter `error` of the page that opens. */
export const SSO_ERRORS = [
  'sso_unavailable',
  'sso_expired',
  'sso_refused',
  'email_unverified',
  'not_allowed',
  'no_account',
  'account_disabled',
  'other_person',
] as const;
export type SsoError = (typeof SSO_ERRORS)[number];

/** Where a membership comes from: a person, or a group at the provider of single sign-on. */
export const MEMBERSHIP_SOURCES = ['person', 'sso'] as const;

/** How a user is logged in: with the console's cookie or a login token. */
export const LOGIN_KINDS = ['console', 'token'] as const;
export type LoginKind = (typeof LOGIN_KINDS)[number];

/** How a person proved who they are when the login began. */
export const LOGIN_METHODS = ['password', 'sso'] as const;
export type LoginMethod = (typeof LOGIN_METHODS)[number];

/** What a link does: sets a new password, or proves an email address. */
export const LINK_PURPOSES = ['reset', 'email'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** The actions that the audit trail records of an account. Colleagues do not see them. */
export const ACCOUNT_ACTIONS = [
  'registered',
  'login_succeeded',
  'login_failed',
  'login_ended',
  'password_changed',
  'password_change_failed',
  'password_reset_asked',
  'password_reset_done',
  'email_change_asked',
  'email_changed',
  'email_confirmed',
  'identity_proved',
  'proof_failed',
  'second_factor_on',
  'second_factor_off',
  'second_factor_failed',
  'recovery_codes_created',
  'recovery_code_used',
  'identity_linked',
  'identity_unlinked',
  'account_disabled',
  'account_enabled',
  'admin_changed',
  'account_exported',
  'account_deleted',
  'account_deletion_failed',
] as const;

export const AUDIT_ACTIONS = [
  ...ACCOUNT_ACTIONS,
  'budget_changed',
  'token_created',
  'token_rolled',
  'token_revoked',
  'tokens_revoked',
  'scope_refused',
  'webhook_changed',
  'webhook_blocked',
  'assistant_created',
  'assistant_changed',
  'assistant_deleted',
  'version_restored',
  'session_deleted',
  'session_reviewed',
  'review_deleted',
  'originals_revealed',
  'sessions_exported',
  'recording_fetched',
  'batch_created',
  'batch_changed',
  'batch_canceled',
  'session_canceled',
  'session_retried',
  'session_tried',
  'session_changed',
  'session_analyzed',
  'roles_changed',
  'share_created',
  'share_revoked',
  'workspace_created',
  'workspace_changed',
  'workspace_deleted',
  'workspace_deletion_failed',
  'member_invited',
  'invitation_revoked',
  'member_joined',
  'member_role_changed',
  'member_removed',
  'member_left',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
