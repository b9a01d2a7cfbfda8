/** A recorded session and what belongs to it: the values of examples. Other values are examples at the properties. */
import type { Session } from '../sessions/sessions.ts';

const URL = 'https://example.com/hooks/conversations';
const SUMMARY = 'The client reported a missing parcel; the operator found it at the depot and sent it out again.';

export const session = {
  session_id: 'sess_01kaj4v5rzf1xtm8w3b2c9d0e7',
  assistant_id: 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7',
  assistant_version: 3,
  type: 'text',
  status: 'completed',
  assistant: {
    id: 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7',
    name: 'Support call review',
    type: 'text',
    stt_provider: null,
    stt_model: null,
    stt_language: null,
    llm_provider: 'openai',
    llm_model: 'gpt-6-luna',
    system_prompt: 'Summarize the call and say whether the problem was solved.',
    temperature: 0.2,
    reasoning_effort: null,
    max_output_tokens: null,
    fields: [
      {
        name: 'resolved',
        title: 'Problem solved',
        type: 'boolean',
        description: 'Was the problem solved?',
        evidence: true,
      },
    ],
  },
  conversation: [
    { role: 'operator', text: 'Good morning, how can I help?' },
    { role: 'client', text: 'My parcel has not arrived.' },
  ],
  transcript: null,
  redaction: null,
  roles: null,
  audio: null,
  audio_source: null,
  audio_duration_s: null,
  language: null,
  turn_count: 2,
  summary_text: SUMMARY,
  raw_response: {
    summary_text: SUMMARY,
    fields: { resolved: false },
    evidence: {
      resolved: {
        verified: true,
        value_in_quote: null,
        dropped: 0,
        quotes: [
          {
            turn: 1,
            role: 'client',
            quote: 'My parcel has not arrived',
            match: 'exact',
            context: 'My parcel has not arrived.',
          },
        ],
      },
    },
  },
  temperature_applied: true,
  left_out: null,
  field_encoding: 'strict',
  answered_by: null,
  total_cost: 0.00042,
  cost_known: true,
  cost_breakdown: [
    { step: 'analysis', provider: 'openai', model: 'gpt-6-luna', cost_usd: 0.00042, calls: 1, cost_known: true },
  ],
  created_at: '2026-11-21T09:30:00.000Z',
  occurred_at: '2026-11-21T09:30:00.000Z',
  completed_at: '2026-11-21T09:30:02.417Z',
  waiting_for: null,
  queue: null,
  error: null,
  metadata: { call_id: 'c-1042' },
  source_session_id: null,
  created_by: 'key_01kaj4v5rzf1xtm8w3b2c9d0e7',
  batch_id: null,
  trial: false,
  simulated: false,
  review: null,
  delivery: {
    delivery_id: 'dlv_01kaj4v5rzf1xtm8w3b2c9d0e7',
    status: 'pending',
    attempt_count: 0,
    next_attempt_at: null,
  },
} satisfies Session;

/** The session before its analysis. */
export const queuedSession: Session = {
  ...session,
  status: 'queued',
  summary_text: null,
  raw_response: null,
  temperature_applied: null,
  left_out: null,
  field_encoding: null,
  total_cost: 0,
  cost_breakdown: [],
  completed_at: null,
  delivery: null,
};

/** The session after an outage of its provider. */
export const failedSession: Session = {
  ...queuedSession,
  status: 'failed',
  error: {
    code: 'unavailable',
    stage: 'analysis',
    provider: 'openai',
    message: 'OpenAI is not available (HTTP 503)',
    retryable: true,
  },
};

const attempt = { outcome: 'failed', failure: 'http_status', status_code: 503, duration_ms: 198, url: URL };
const delivery = {
  ...attempt,
  status: 'pending',
  stop_reason: null,
  ended_at: null,
  replayed_from: null,
  batch_id: null,
};
const assistant = { ...session.assistant, version: 3, fallback: null, redaction: null, webhook_url: URL, url: URL };
const batch = { name: 'Politeness, October', action: 'reanalyze', filter: { assistant_id: session.assistant_id } };

/** Values of properties by the name of their schema. */
export const RECORDED: Record<string, Record<string, unknown>> = {
  Session: session,
  SessionListItem: session,
  TextRequestInput: session,
  WebhookPayload: session,
  AlertWebhookPayload: session,
  TestWebhookPayload: session,
  FailedWebhookPayload: failedSession,
  Assistant: assistant,
  Alert: { name: 'Unresolved', when: ['resolved:eq:false'], url: URL },
  VersionedSettings: assistant,
  Batch: { ...batch, held_by: null, ended_at: null, overrides: { system_prompt: 'Was the operator polite?' } },
  BatchSummary: { ...batch, held_by: null, ended_at: null },
  BatchItem: { status: 'completed', error: null },
  Delivery: { ...delivery, overdue: false },
  DeliveryDetail: { ...delivery, overdue: false },
  DeliveryListItem: { ...delivery, overdue: false },
  DeliveryAttempt: attempt,
  LastAttempt: attempt,
  Provider: { step: 'analysis', simulated: false, default_model: 'gpt-6-luna', languages: null },
  TimelineEntry: {
    ...session.cost_breakdown[0],
    kind: 'call',
    status: 'succeeded',
    delivery_id: null,
    due_at: null,
    error: null,
  },
};
