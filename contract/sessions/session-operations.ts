/** Operations on submitted sessions. */
import { z } from 'zod';
import { analysisOverrides } from '../assistants/assistant-schemas.ts';
import { rule } from '../errors/rule.ts';
import { audioHeaders, audioUrl } from './audio-source.ts';
import { LLM_PROVIDERS } from '../values/providers.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { openEnum, requestObject, responseObject, typeId, usd } from '../values/schemas.ts';
import { MetadataChangesSchema, prefer } from './requests.ts';
import { SessionRolesInputSchema } from '../values/roles.ts';
import { SessionSchema } from './sessions.ts';

const endpoint = endpointsOf('Sessions');

const params = z.object({ id: typeId('sess') });
const headers = z.object({ prefer: prefer() });
const location = '/v1/sessions/{session_id}';

export const updateSession = endpoint('updateSession', 'patch /v1/sessions/{id}', {
  summary: 'Change the metadata of a session',
  description:
    'For outcomes that become known later. The session can have any status. Stored deliveries do not change.',
  scope: 'sessions:write',
  params,
  body: requestObject('SessionUpdateInput', { metadata: MetadataChangesSchema }),
  answers: { 200: SessionSchema },
  audit: {
    action: 'session_changed',
    details: ({ body }) => ({ metadata: Object.keys(body.metadata).join(', ') }),
  },
});

export const cancelSession = endpoint('cancelSession', 'post /v1/sessions/{id}/cancel', {
  summary: 'Cancel a session',
  description: 'Stops the session before its next paid call. Returns 202 if the running call has not stopped yet.',
  scope: 'sessions:write',
  params,
  answers: { 200: SessionSchema, 202: SessionSchema },
  location,
  errors: ['conflict'],
  audit: { action: 'session_canceled' },
});

export const retrySession = endpoint('retrySession', 'post /v1/sessions/{id}/retry', {
  summary: 'Retry a failed session',
  description:
    'Runs the session again from the failed step. If `error.stage` is `fetch`, the recording is downloaded again: ' +
    'from the URL in the body, or within 24 hours from the previous URL. Waits for the result, unless `Prefer` says otherwise.',
  scope: 'sessions:write',
  params,
  headers,
  body: requestObject('RetryInput', { audio_url: audioUrl().optional(), audio_headers: audioHeaders().optional() })
    .refine(({ audio_url, audio_headers }) => audio_url !== undefined || audio_headers === undefined, {
      path: ['audio_headers'],
      ...rule('required:needs', { other: 'audio_url' }),
    })
    .optional(),
  answers: { 200: SessionSchema, 202: SessionSchema },
  location,
  errors: ['conflict', 'budget_exceeded', 'provider_failed', 'audio_unreachable', 'audio_rejected'],
  audit: { action: 'session_retried' },
});

export const trySession = endpoint('trySession', 'post /v1/sessions/{id}/try', {
  summary: 'Try a waiting session now',
  description:
    'Ends the wait of a session for a provider. The next try starts at once and calls the provider even if its circuit is open, ' +
    'or uses the fallback that the assistant has now.',
  scope: 'sessions:write',
  params,
  body: requestObject('TryInput', {
    fallback: z.boolean().default(false).describe('true: this step uses the fallback instead of the provider.'),
  }).optional(),
  answers: { 200: SessionSchema },
  errors: ['conflict'],
  audit: { action: 'session_tried', details: ({ body }) => ({ provider: body?.fallback ? 'fallback' : 'own' }) },
});

const ReanalysisEstimateSchema = responseObject('ReanalysisEstimate', {
  dry_run: z.literal(true),
  llm_provider: openEnum(LLM_PROVIDERS),
  llm_model: z.string(),
  expected_usage: responseObject('ExpectedUsage', { input_tokens: z.int(), output_tokens: z.int() })
    .nullable()
    .describe("Based on the session's last analysis; null: no analysis has succeeded."),
  expected_cost_usd: usd().nullable().describe('null: the usage or the price is unknown.'),
  max_cost_usd: usd().nullable().describe('Assumes the 95th percentile of output length and two calls; null: unknown.'),
});
export type ReanalysisEstimate = z.output<typeof ReanalysisEstimateSchema>;

export const reanalyzeSession = endpoint('reanalyzeSession', 'post /v1/sessions/{id}/reanalyze', {
  summary: 'Reanalyze a session',
  description:
    'Analyzes the same conversation in a new session, with the current settings of the assistant. Waits for the result, ' +
    'unless `Prefer` says otherwise.',
  scope: 'sessions:write',
  params,
  headers,
  body: requestObject(
    'ReanalysisInput',
    {
      ...analysisOverrides(),
      trial: z
        .boolean()
        .default(false)
        .describe('true: no webhook is sent, and the session is not counted in the results of the assistant.'),
      dry_run: z
        .boolean()
        .default(false)
        .describe('true: returns an estimate of the cost with 200, and stores nothing.'),
    },
    "Settings that replace the assistant's in the new session.",
  ),
  answers: { 200: z.union([SessionSchema, ReanalysisEstimateSchema]), 202: SessionSchema },
  location,
  errors: ['conflict', 'quota_exceeded', 'budget_exceeded', 'provider_failed'],
});

export const analyzeSession = endpoint('analyzeSession', 'post /v1/sessions/{id}/analyze', {
  summary: 'Analyze a session with another assistant',
  description:
    'Creates a follow-up: a session of the other assistant on the same conversation. Nothing is transcribed again. Does not wait for ' +
    'the result. Also requires the scope `sessions:read`.',
  scope: 'requests:write',
  params,
  body: requestObject('AnalysisInput', {
    assistant_id: typeId('asst').describe('Another assistant, of either type.'),
  }),
  answers: { 202: SessionSchema },
  location,
  errors: ['conflict', 'quota_exceeded'],
  audit: { action: 'session_analyzed', details: ({ body: { assistant_id } }) => ({ assistant_id }) },
});

export const setSessionRoles = endpoint('setSessionRoles', 'put /v1/sessions/{id}/roles', {
  summary: 'Set the roles of speakers',
  description:
    'Defines which speaker of a recording is the operator and which is the client. Reanalyses use these roles.',
  scope: 'sessions:write',
  params,
  body: SessionRolesInputSchema,
  answers: { 200: SessionSchema },
  errors: ['conflict'],
  audit: { action: 'roles_changed' },
});

export const deleteSession = endpoint('deleteSession', 'delete /v1/sessions/{id}', {
  summary: 'Delete a session',
  description:
    'Deletes the session with its recording, conversation, result, deliveries and follow-ups. A running session stops.',
  scope: 'sessions:delete',
  params,
  answers: { 204: null },
  audit: { action: 'session_deleted' },
});
