/** Examples of an assistant, its sessions and their webhooks. The other examples refer to them. */
import type { Assistant, AssistantSettings } from '../assistants/assistant-schemas.ts';
import type { AssistantVersion } from '../assistants/assistants.ts';
import type {
  AlertWebhookPayload,
  FailedWebhookPayload,
  TestWebhookPayload,
  WebhookPayload,
} from '../sessions/deliveries.ts';
import type { FieldResults, Quote, ResultField } from '../values/result-fields.ts';
import type { ResultsReport } from '../service/results.ts';
import type { Session, SessionListItem } from '../sessions/sessions.ts';
import type { TimelineEntry } from '../sessions/timeline.ts';
import { versionedOf } from '../assistants/versioned-settings.ts';

export const fields: ResultField[] = [
  { name: 'resolved', type: 'boolean', description: 'Was the problem solved?', evidence: true },
];

const quotes: Quote[] = [{ turn: 1, quote: 'My parcel has not arrived', match: 'exact' }];

const fieldResults: FieldResults = {
  fields: { resolved: false },
  evidence: { resolved: { verified: true, value_in_quote: null, dropped: 0, quotes } },
};

export const settings: AssistantSettings = {
  name: 'Support call review',
  type: 'text',
  llm_provider: 'openai',
  system_prompt: 'Summarize the call and say whether the problem was solved.',
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

export const assistant: Assistant = {
  ...frozen,
  fields,
  channel_roles: null,
  description: null,
  version: 3,
  webhook_url: 'https://example.com/hooks/conversations',
  has_webhook_secret: true,
  webhook_auth: 'both',
  webhook_events: ['session.completed'],
  alerts: [
    {
      name: 'Unresolved',
      when: ['resolved:eq:false'],
      url: 'https://example.com/hooks/alerts',
      has_secret: false,
      auth: 'both',
      format: 'slack',
      broken: [],
    },
  ],
  on_provider_outage: 'wait',
  fallback: null,
  redaction: null,
  retention_days: null,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

export const version: AssistantVersion = {
  version: 3,
  settings: versionedOf(frozen),
  restored_from: 1,
  created_at: '2026-11-21T09:00:00.000Z',
};

const analysis = { step: 'analysis', provider: 'openai', model: 'gpt-6-luna', cost_usd: 0.00042 } as const;

export const listedSession: SessionListItem = {
  session_id: 'sess_01kaj4v5rzf1xtm8w3b2c9d0e7',
  assistant_id: frozen.id,
  assistant: { id: frozen.id, name: frozen.name, llm_model: frozen.llm_model },
  assistant_version: 3,
  audio_duration_s: null,
  language: null,
  turn_count: 2,
  type: 'text',
  status: 'completed',
  summary_text: 'The client reported a missing parcel; the operator found it at the depot and sent it out again.',
  total_cost: 0.00042,
  cost_known: true,
  cost_breakdown: [{ ...analysis, calls: 1, cost_known: true }],
  created_at: '2026-11-21T09:30:00.000Z',
  completed_at: '2026-11-21T09:30:02.417Z',
  waiting_for: null,
  answered_by: null,
  error: null,
  metadata: { call_id: 'c-1042' },
  source_session_id: null,
  created_by: 'key_01kaj4v5rzf1xtm8w3b2c9d0e7',
  batch_id: null,
  trial: false,
  simulated: false,
  temperature_applied: true,
  field_encoding: 'strict',
  delivery: {
    delivery_id: 'dlv_01kaj4v5rzf1xtm8w3b2c9d0e7',
    status: 'pending',
    attempt_count: 0,
    next_attempt_at: null,
  },
};

export const session: Session = {
  ...listedSession,
  queue: null,
  raw_response: { summary_text: listedSession.summary_text, ...fieldResults },
  conversation: [
    { role: 'operator', text: 'Good morning, how can I help?' },
    { role: 'client', text: 'My parcel has not arrived.' },
  ],
  transcript: null,
  redaction: null,
  roles: null,
  assistant: frozen,
  audio: null,
  audio_source: null,
};

export const queuedSession: Session = {
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

export const timelineEntry: TimelineEntry = {
  ...analysis,
  kind: 'call',
  attempt: 1,
  delivery_id: null,
  alert: null,
  call_id: 'analysis-1',
  status: 'succeeded',
  started_at: '2026-11-21T09:30:00.031Z',
  ended_at: '2026-11-21T09:30:02.402Z',
  duration_ms: 2_371,
  due_at: null,
  usage: { input_tokens: 812, output_tokens: 143 },
  error: null,
  provider_request_id: 'req_7d1f6a2e',
};

const counts = { count: 42, null_count: 3, unverified_count: 1, mean: null, value_counts: [27, 12] };

export const results: ResultsReport = {
  from: '2026-11-01',
  to: '2026-11-21',
  sessions: 42,
  fields: [
    {
      name: 'resolved',
      type: 'boolean',
      ...counts,
      values: [true, false],
      other_count: 0,
      numbers: null,
      by_day: [{ day: '2026-11-21', ...counts }],
      by_version: [{ version: 3, ...counts }],
    },
  ],
};

export const webhookPayload: WebhookPayload = {
  event: 'session.completed',
  session_id: session.session_id,
  assistant_id: session.assistant_id,
  status: 'completed',
  summary_text: listedSession.summary_text ?? '',
  raw_response: session.raw_response ?? {},
  total_cost: session.total_cost,
  created_at: session.created_at,
};

export const alertWebhookPayload: AlertWebhookPayload = {
  ...webhookPayload,
  event: 'session.alert',
  alert: { name: 'Unresolved', matched: { resolved: false } },
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
    message: 'OpenAI is not available (HTTP 503)',
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
