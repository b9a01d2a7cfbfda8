/** Examples of whole bodies, where a reader learns more from one than from the fields' own examples. */
import { fieldResults, fields, results } from './field-examples.ts';
import { activeLogin, apiKey, createdApiKey, login, user } from './account-examples.ts';
import type { Assistant, AssistantSettings } from '../assistants.ts';
import type { AssistantVersion } from '../assistant-versions.ts';
import type {
  Delivery,
  DeliveryDetail,
  DeliveryListItem,
  FailedWebhookPayload,
  TestWebhookPayload,
  WebhookPayload,
} from '../deliveries.ts';
import { BATCH_BODIES } from './batch-examples.ts';
import type { Redelivery, RedeliveryPreview } from '../redeliveries.ts';
import type { Provider } from '../service.ts';
import type { Session, SessionListItem } from '../sessions.ts';
import type { TimelineEntry } from '../timeline.ts';
import type { UsageReport } from '../usage.ts';
import { versionedOf } from '../versioned-settings.ts';

const settings: AssistantSettings = {
  name: 'Support call review',
  type: 'text',
  llm_provider: 'openai',
  system_prompt: 'Summarise the call and say whether the problem was solved.',
  temperature: 0.2,
  fields,
  webhook_url: 'https://example.com/hooks/conversations',
  webhook_secret: 'whsec-example-4fZ',
};

const frozen: Session['assistant'] = {
  id: 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7',
  name: settings.name,
  type: 'text',
  stt_provider: null,
  stt_model: null,
  stt_language: null,
  llm_provider: 'openai',
  llm_model: 'gpt-6-luna',
  system_prompt: settings.system_prompt,
  temperature: 0.2,
  fields,
};

const assistant: Assistant = {
  ...{ ...frozen, fields, channel_roles: null },
  description: null,
  version: 3,
  webhook_url: 'https://example.com/hooks/conversations',
  has_webhook_secret: true,
  webhook_events: ['session.completed'],
  on_vendor_outage: 'wait',
  fallback: null,
  retention_days: null,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

const version: AssistantVersion = {
  version: 3,
  settings: versionedOf(frozen),
  restored_from: 1,
  created_at: '2026-11-21T09:00:00.000Z',
};

const listed: SessionListItem = {
  session_id: 'sess_01kaj4v5rzf1xtm8w3b2c9d0e7',
  assistant_id: frozen.id,
  assistant: { id: frozen.id, name: frozen.name, llm_model: frozen.llm_model },
  assistant_version: 3,
  ...{ audio_duration_s: null, language: null, turn_count: 2 },
  type: 'text',
  status: 'completed',
  summary_text: 'The client reported a missing parcel; the operator found it at the depot and sent it out again.',
  total_cost: 0.00042,
  cost_known: true,
  cost_breakdown: [
    { step: 'analysis', provider: 'openai', model: 'gpt-6-luna', calls: 1, cost_usd: 0.00042, cost_known: true },
  ],
  created_at: '2026-11-21T09:30:00.000Z',
  completed_at: '2026-11-21T09:30:02.417Z',
  ...{ waiting_for: null, answered_by: null, error: null },
  metadata: { call_id: 'c-1042' },
  ...{ source_session_id: null, batch_id: null, trial: false, simulated: false },
  temperature_applied: true,
  field_encoding: 'strict',
  delivery: { delivery_id: 'dlv_01kaj4v5rzf1xtm8w3b2c9d0e7', status: 'pending', next_attempt_at: null },
};

const session: Session = {
  ...listed,
  raw_response: { summary_text: listed.summary_text, ...fieldResults },
  conversation: [
    { role: 'operator', text: 'Good morning, how can I help?' },
    { role: 'client', text: 'My parcel has not arrived.' },
  ],
  ...{ transcript: null, roles: null },
  assistant: frozen,
  audio: null,
};

const accepted: Session = {
  ...session,
  status: 'queued',
  summary_text: null,
  raw_response: null,
  total_cost: 0,
  cost_breakdown: [],
  completed_at: null,
  temperature_applied: null,
  field_encoding: null,
  delivery: null,
};

export const webhookPayload: WebhookPayload = {
  event: 'session.completed',
  session_id: session.session_id,
  assistant_id: session.assistant_id,
  status: 'completed',
  summary_text: listed.summary_text ?? '',
  raw_response: session.raw_response ?? {},
  total_cost: session.total_cost,
  created_at: session.created_at,
};

export const failedWebhookPayload: FailedWebhookPayload = {
  ...webhookPayload,
  event: 'session.failed',
  status: 'failed',
  summary_text: null,
  raw_response: null,
  error: {
    code: 'unavailable',
    stage: 'analysis',
    provider: 'openai',
    message: 'openai answered with HTTP 503',
    retryable: true,
  },
};

export const testWebhookPayload: TestWebhookPayload = {
  ...webhookPayload,
  event: 'webhook.test',
  summary_text: 'This is a test of the webhook.',
  raw_response: { summary_text: 'This is a test of the webhook.' },
  total_cost: 0,
};

const listedDelivery: DeliveryListItem = {
  delivery_id: 'dlv_01kaj4v5rzf1xtm8w3b2c9d0e7',
  session_id: session.session_id,
  assistant_id: session.assistant_id,
  event: 'session.completed',
  status: 'pending',
  stop_reason: null,
  created_at: '2026-11-21T09:30:02.417Z',
  ended_at: null,
  next_attempt_at: '2026-11-21T09:30:32.629Z',
  overdue: false,
  replayed_from: null,
  redelivery_id: null,
  workflow_id: session.session_id,
  attempt_count: 1,
  last_attempt: { status_code: 503, failure: 'http_status', duration_ms: 198, url: settings.webhook_url ?? '' },
};

const { attempt_count: _count, last_attempt: _last, ...withoutAttempts } = listedDelivery;

const delivery: Delivery = {
  ...withoutAttempts,
  attempts: [
    {
      attempt: 1,
      started_at: '2026-11-21T09:30:02.431Z',
      duration_ms: 198,
      outcome: 'failed',
      failure: 'http_status',
      status_code: 503,
      url: 'https://example.com/hooks/conversations',
      request_headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ***' },
      response_headers: { 'content-type': 'text/plain' },
      response_body: 'Service Unavailable',
      response_truncated: false,
      next_attempt_at: '2026-11-21T09:30:32.629Z',
    },
  ],
};

const deliveryDetail: DeliveryDetail = { ...delivery, payload: JSON.stringify(webhookPayload) };

const redeliveryPreview: RedeliveryPreview = {
  ...{ total: 420, oldest: '2026-11-20T08:14:03.120Z', newest: '2026-11-21T09:58:41.007Z' },
  by_assistant: [{ assistant_id: session.assistant_id, total: 420 }],
};

const redelivery: Redelivery = {
  redelivery_id: 'rdl_01kaj4v5rzf1xtm8w3b2c9d0e7',
  filter: { status: 'failed', assistant_id: session.assistant_id, created_after: '2026-11-20T00:00:00Z' },
  status: 'running',
  total: 420,
  started: 130,
  pending: 12,
  delivered: 118,
  failed: 0,
  stopped: 0,
  created_at: '2026-11-21T10:00:00.000Z',
  ended_at: null,
};

const used = {
  ...{ sessions: 120, calls: 123, audio_seconds: 0, input_tokens: 96_000, output_tokens: 14_400 },
  ...{ cost_usd: 0.0504, cost_known: true },
};

const usage: UsageReport = {
  from: '2026-11-01',
  to: '2026-11-21',
  group_by: ['day', 'model'],
  data: [{ day: '2026-11-21', model: 'gpt-6-luna', ...used }],
  totals: used,
};

const timelineEntry: TimelineEntry = {
  kind: 'call',
  step: 'analysis',
  attempt: 1,
  delivery_id: null,
  call_id: 'analysis-1',
  provider: 'openai',
  model: 'gpt-6-luna',
  status: 'succeeded',
  started_at: '2026-11-21T09:30:00.031Z',
  ended_at: '2026-11-21T09:30:02.402Z',
  duration_ms: 2_371,
  due_at: null,
  usage: { input_tokens: 812, output_tokens: 143 },
  cost_usd: 0.00042,
  error: null,
  vendor_request_id: 'req_7d1f6a2e',
};

const provider: Provider = {
  ...{ provider: 'openai', step: 'analysis', configured: true, simulated: false },
  ...{ max_channels: null, default_model: 'gpt-6-luna' },
  any_model: true,
  models: [
    {
      model: 'gpt-6-luna',
      prices: { input_mtok_usd: 0.25, output_mtok_usd: 2, audio_hour_usd: null },
      takes_temperature: true,
      max_bytes: null,
      max_duration_s: null,
    },
  ],
};

/** By the name of the schema. */
export const BODIES: Record<string, unknown> = {
  ActiveLogin: activeLogin,
  ApiKey: apiKey,
  Assistant: assistant,
  AssistantInput: settings,
  AssistantVersion: version,
  ...BATCH_BODIES,
  AssistantPatch: { system_prompt: 'Summarise the call in three sentences.', temperature: null },
  CreatedApiKey: createdApiKey,
  Delivery: delivery,
  DeliveryDetail: deliveryDetail,
  DeliveryListItem: listedDelivery,
  FailedWebhookPayload: failedWebhookPayload,
  TestWebhookPayload: testWebhookPayload,
  Login: login,
  Provider: provider,
  Redelivery: redelivery,
  RedeliveryPreview: redeliveryPreview,
  RedeliveryInput: { assistant_id: session.assistant_id, created_after: '2026-11-20T00:00:00Z' },
  ResultsReport: results,
  ServiceLimits: {
    ...{ audio_bytes: 524_288_000, wait_s: 60, sessions_in_flight: 50, sessions_queued: 10_000 },
    ...{ assistants: 1_000, api_keys: 100, stored_audio_bytes: 107_374_182_400, requests_per_minute: 600 },
  },
  Session: session,
  SessionListItem: listed,
  TextRequestInput: {
    assistant_id: session.assistant_id,
    conversation: session.conversation,
    metadata: session.metadata,
  },
  TimelineEntry: timelineEntry,
  UsageReport: usage,
  User: user,
  WebhookPayload: webhookPayload,
};

/** By the name of the schema, for a 202: what has not happened yet is not there. */
export const ACCEPTED: Record<string, unknown> = { Session: accepted };
