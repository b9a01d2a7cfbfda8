/** Values that several rooms agree on. It imports no library, so that workflow code may use it too. */
import { LLM_PROVIDER_FACTS, STT_PROVIDER_FACTS } from './providers.ts';

/** Base path of every endpoint. Spec, introduction. */
export const API_BASE = '/api';

/** Spec §2.3. */
export const ASSISTANT_TYPES = ['voice', 'text'] as const;

/** Spec §2.3: "a language code, or the literal". */
export const AUTO_DETECT = 'Auto-Detect';

export type AssistantType = (typeof ASSISTANT_TYPES)[number];
export type SttProviderName = keyof typeof STT_PROVIDER_FACTS;
export type LlmProviderName = keyof typeof LLM_PROVIDER_FACTS;
export type ProviderName = SttProviderName | LlmProviderName;

export const STT_PROVIDERS = Object.keys(STT_PROVIDER_FACTS) as [SttProviderName, ...SttProviderName[]];
export const LLM_PROVIDERS = Object.keys(LLM_PROVIDER_FACTS) as [LlmProviderName, ...LlmProviderName[]];
export const PROVIDERS = [...LLM_PROVIDERS, ...STT_PROVIDERS] as const;

/** Order of a session's life; the last three are final. Spec §3 gives only `completed`; the rest: docs/decisions.md. */
export const SESSION_STATUSES = ['queued', 'transcribing', 'analyzing', 'completed', 'failed', 'canceled'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];
export const UNFINISHED_SESSION_STATUSES = ['queued', 'transcribing', 'analyzing'] as const satisfies SessionStatus[];
export const FINAL_SESSION_STATUSES = ['completed', 'failed', 'canceled'] as const satisfies SessionStatus[];

/** The steps of a session that call a vendor, as `stage` of an error and `step` of the ledger name them. */
export const STEPS = ['transcription', 'analysis'] as const;
export type Step = (typeof STEPS)[number];

/** The status of a session during each step. */
export const STATUS_OF_STEP = { transcription: 'transcribing', analysis: 'analyzing' } as const;

/** A call's state in the ledger; `lost`: it began and its outcome was never reported. */
export const CALL_STATUSES = ['running', 'succeeded', 'failed', 'lost'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Room that one model call gives an answer. It is far above an answer's length, because thinking models count their thoughts in. */
export const LLM_MAX_OUTPUT_TOKENS = 8_192;

/** What can go wrong with a vendor; each SDK's errors are sorted into these once, in its own file. */
export const VENDOR_FAULTS = [
  'auth',
  'bad_input',
  'refused',
  'rate_limited',
  'unavailable',
  'timeout',
  'too_large',
  'quota_exceeded',
] as const;
export type VendorFault = (typeof VENDOR_FAULTS)[number];

/** Faults that the same call would meet again; the others are retried. */
export const FINAL_FAULTS: readonly VendorFault[] = ['auth', 'bad_input', 'refused', 'too_large', 'quota_exceeded'];

/** Faults of a vendor that is away, or that the account has no credit with: a session may wait until they are over. */
export const OUTAGE_FAULTS: readonly VendorFault[] = ['rate_limited', 'unavailable', 'timeout', 'quota_exceeded'];

/** What a session does when its vendor is away. */
export const OUTAGE_CHOICES = ['fail', 'wait'] as const;
export type OutageChoice = (typeof OUTAGE_CHOICES)[number];

/** `code` of a failed session: a vendor's fault, or an end that no vendor caused. */
export const SESSION_ERROR_CODES = [...VENDOR_FAULTS, 'budget_exceeded', 'terminated', 'internal'] as const;
export type SessionErrorCode = (typeof SESSION_ERROR_CODES)[number];

/** What the value of an assistant's field may be. */
export const FIELD_TYPES = ['boolean', 'integer', 'number', 'string', 'enum', 'string_list'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** How the fields were asked for: by a schema that names each of them, or as rows of names and values. */
export const FIELD_ENCODINGS = ['strict', 'rows'] as const;
export type FieldEncoding = (typeof FIELD_ENCODINGS)[number];

/** What a speaker of a recording is in the conversation. Spec §2.5 uses the first two. */
export const SPEAKER_ROLES = ['operator', 'client', 'other'] as const;
export type SpeakerRole = (typeof SPEAKER_ROLES)[number];

/** Who says which speaker has which role. */
export const ROLE_SOURCES = ['channels', 'model', 'person'] as const;

/** Settings that only voice assistants have. */
export const VOICE_SETTINGS = ['stt_provider', 'stt_model', 'stt_language', 'channel_roles'] as const;

/** What an assistant may ask for. Spec §6 gives the first, which is the default; the second is ours. */
export const SESSION_EVENTS = ['session.completed', 'session.failed'] as const;
export type SessionEvent = (typeof SESSION_EVENTS)[number];
export const DEFAULT_SESSION_EVENTS: readonly SessionEvent[] = ['session.completed'];

/** `webhook.test` is sent on request only. */
export const WEBHOOK_EVENTS = [...SESSION_EVENTS, 'webhook.test'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Waits before the 1st, 2nd and 3rd retry of a delivery. Spec §6.4. */
export const WEBHOOK_DELAYS_MS: readonly number[] = [30_000, 120_000, 600_000];
export const WEBHOOK_MAX_ATTEMPTS = WEBHOOK_DELAYS_MS.length + 1;

/** Bound of one attempt, from DNS to the last byte read. Our choice: docs/decisions.md. */
export const WEBHOOK_TIMEOUT_MS = 10_000;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'stopped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const DELIVERY_FAILURES = [
  'timeout',
  'dns',
  'connect',
  'tls',
  'redirect',
  'blocked_address',
  'http_status',
  'worker_lost',
  'secret_unreadable',
] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** Why a delivery was given up before its last attempt. */
export const STOP_REASONS = [
  'assistant_deleted',
  'webhook_url_removed',
  'canceled',
  'requested',
  'terminated',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** A redelivery of many at once. */
export const REDELIVERY_STATUSES = ['running', 'completed', 'canceled'] as const;
export type RedeliveryStatus = (typeof REDELIVERY_STATUSES)[number];

/** What a batch does with each session of its filter. */
export const BATCH_ACTIONS = ['reanalyze', 'retry', 'delete'] as const;
export type BatchAction = (typeof BATCH_ACTIONS)[number];

/** `canceling`: nothing more is begun, and what was begun has not ended yet. */
export const BATCH_STATUSES = ['running', 'canceling', 'completed', 'canceled'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** Why a batch begins nothing more at present. */
export const BATCH_HOLDS = ['budget', 'max_cost'] as const;
export type BatchHold = (typeof BATCH_HOLDS)[number];

/** How a person is logged in: by the console's cookie, or by a token that a program sends. */
export const LOGIN_KINDS = ['console', 'token'] as const;
export type LoginKind = (typeof LOGIN_KINDS)[number];
