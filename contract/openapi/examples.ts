/** Examples of whole bodies, for schemas that show more as a whole than field by field. */
import type { Batch, BatchEstimate, BatchInput, BatchSummary } from '../sessions/batches.ts';
import type { Delivery, DeliveryDetail, DeliveryListItem } from '../sessions/deliveries.ts';
import type { Provider } from '../service/service.ts';
import type { UsageReport } from '../service/usage.ts';
import {
  alertWebhookPayload,
  assistant,
  failedWebhookPayload,
  fields,
  listedSession,
  queuedSession,
  results,
  session,
  settings,
  testWebhookPayload,
  timelineEntry,
  version,
  webhookPayload,
} from './session-examples.ts';

const url = settings.webhook_url ?? '';
const attempt = { status_code: 503, failure: 'http_status', duration_ms: 198, url } as const;

const withoutAttempts = {
  delivery_id: 'dlv_01kaj4v5rzf1xtm8w3b2c9d0e7',
  session_id: session.session_id,
  assistant_id: session.assistant_id,
  event: 'session.completed',
  alert: null,
  status: 'pending',
  stop_reason: null,
  created_at: '2026-11-21T09:30:02.417Z',
  ended_at: null,
  next_attempt_at: '2026-11-21T09:30:32.629Z',
  overdue: false,
  replayed_from: null,
  batch_id: null,
  workflow_id: session.session_id,
} as const;

const delivery: Delivery = {
  ...withoutAttempts,
  attempts: [
    {
      ...attempt,
      attempt: 1,
      started_at: '2026-11-21T09:30:02.431Z',
      outcome: 'failed',
      request_headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ***' },
      failure_code: null,
      response_headers: { 'content-type': 'text/plain' },
      response_body: 'Service Unavailable',
      response_truncated: false,
      next_attempt_at: '2026-11-21T09:30:32.629Z',
    },
  ],
};

const filter = { assistant_id: session.assistant_id, created_after: '2026-10-01T00:00:00.000Z' };
const overrides = { system_prompt: 'Was the operator polite?', fields };
const batchSummary: BatchSummary = {
  batch_id: 'bat_01kaj4v5rzf1xtm8w3b2c9d0e7',
  name: 'Politeness, October',
  action: 'reanalyze',
  filter,
  assistant_version: null,
  notify: false,
  status: 'running',
  held_by: null,
  max_cost_usd: 25,
  total: 10_000,
  remaining: 7_475,
  running: 25,
  completed: 2_488,
  failed: 12,
  canceled: 0,
  cost_usd: 1.04,
  created_at: '2026-11-21T10:00:00.000Z',
  ended_at: null,
};

const tokens = { audio_seconds: 0, input_tokens: 96_000, output_tokens: 14_400 };
const used = { sessions: 120, calls: 123, ...tokens, cost_usd: 0.0504, cost_known: true };

/** By schema name. */
export const BODIES: Record<string, unknown> = {
  AlertWebhookPayload: alertWebhookPayload,
  Assistant: assistant,
  AssistantInput: settings,
  AssistantPatch: { system_prompt: 'Summarize the call in three sentences.', temperature: null },
  AssistantVersion: version,
  Batch: { ...batchSummary, overrides } satisfies Batch,
  BatchSummary: batchSummary,
  BatchChange: { max_cost_usd: 50 },
  BatchEstimate: {
    dry_run: true,
    total: 10_000,
    expected_cost_usd: 4.2,
    max_cost_usd: 11.6,
    sampled: true,
  } satisfies BatchEstimate,
  BatchInput: {
    name: 'Politeness, October',
    action: 'reanalyze',
    filter,
    overrides,
    dry_run: false,
  } satisfies Partial<BatchInput>,
  Delivery: delivery,
  DeliveryDetail: { ...delivery, payload: JSON.stringify(webhookPayload) } satisfies DeliveryDetail,
  DeliveryListItem: { ...withoutAttempts, attempt_count: 1, last_attempt: attempt } satisfies DeliveryListItem,
  FailedWebhookPayload: failedWebhookPayload,
  Provider: {
    provider: 'openai',
    step: 'analysis',
    configured: true,
    simulated: false,
    max_channels: null,
    languages: null,
    default_model: 'gpt-6-luna',
    any_model: true,
    models: [
      {
        model: 'gpt-6-luna',
        prices: { input_mtok_usd: 0.25, output_mtok_usd: 2, audio_hour_usd: null },
        takes_temperature: true,
        max_bytes: null,
        max_duration_s: null,
        media_types: null,
      },
    ],
  } satisfies Provider,
  ReanalysisInput: overrides,
  ResultsReport: results,
  ServiceLimits: {
    audio_bytes: 524_288_000,
    wait_s: 60,
    open_sessions: 10_000,
    assistants: 1_000,
    api_keys: 100,
    stored_audio_bytes: 107_374_182_400,
    stored_text_bytes: 10_737_418_240,
    requests_per_minute: 600,
  },
  Session: session,
  SessionListItem: listedSession,
  TestWebhookPayload: testWebhookPayload,
  TextRequestInput: {
    assistant_id: session.assistant_id,
    conversation: session.conversation,
    metadata: session.metadata,
  },
  TimelineEntry: timelineEntry,
  UsageReport: {
    from: '2026-11-01',
    to: '2026-11-21',
    timezone: 'Asia/Tashkent',
    group_by: ['day', 'model'],
    data: [{ day: '2026-11-21', model: 'gpt-6-luna', ...used }],
    totals: used,
  } satisfies UsageReport,
  WebhookPayload: webhookPayload,
};

/** Bodies of a 202 response, by schema name. */
export const ACCEPTED: Record<string, unknown> = { Session: queuedSession };
