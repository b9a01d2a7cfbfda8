/** What can be done with a session after it was submitted: docs/decisions.md, "Operations on sessions". */
import { z } from 'zod';
import { modelId } from './model-id.ts';
import { LLM_PROVIDERS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { openEnum, text, typeId, usd } from './fields.ts';
import { prefer } from './requests.ts';
import { resultFields } from './result-fields.ts';
import { SessionRolesInputSchema } from './roles.ts';
import { SessionSchema } from './sessions.ts';

const params = z.object({ id: typeId('sess') });
const headers = z.object({ prefer: prefer() });
const location = '/v1/sessions/{session_id}';

export const cancelSession = endpoint({
  operationId: 'cancelSession',
  method: 'post',
  path: '/v1/sessions/{id}/cancel',
  summary: 'Stop a session before its next paid step; 202 if the running one has not stopped yet',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:write',
  params,
  answers: { 200: SessionSchema, 202: SessionSchema },
  location,
  errors: ['conflict'],
});

export const retrySession = endpoint({
  operationId: 'retrySession',
  method: 'post',
  path: '/v1/sessions/{id}/retry',
  summary: 'Run a failed session again from the step that failed; waits like a request',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:write',
  params,
  headers,
  answers: { 200: SessionSchema, 202: SessionSchema },
  location,
  errors: ['conflict', 'budget_exceeded', 'provider_failed'],
});

const ReanalysisEstimateSchema = z
  .object({
    dry_run: z.literal(true),
    llm_provider: openEnum(LLM_PROVIDERS),
    llm_model: z.string(),
    expected_usage: z
      .object({ input_tokens: z.int(), output_tokens: z.int() })
      .nullable()
      .describe("From what the session's last analysis used; null if none has succeeded."),
    expected_cost_usd: usd().nullable().describe('null: the usage or the price is not known.'),
    max_cost_usd: usd()
      .nullable()
      .describe('Highest cost of one call. One whose answer is cut off or does not fit is made once more.'),
  })
  .meta({ id: 'ReanalysisEstimate' });

export type ReanalysisEstimate = z.output<typeof ReanalysisEstimateSchema>;

/** Declares the settings of an analysis that a reanalysis may have instead of the assistant's own. */
export const analysisOverrides = () => ({
  system_prompt: text({ min: 1, max: 100_000 }).optional(),
  llm_provider: z.enum(LLM_PROVIDERS).optional(),
  llm_model: modelId().optional(),
  temperature: z.number().min(0).max(1).optional(),
  fields: resultFields().nullable().optional(),
});

export const reanalyzeSession = endpoint({
  operationId: 'reanalyzeSession',
  method: 'post',
  path: '/v1/sessions/{id}/reanalyze',
  summary: 'Analyze the same conversation in a new session, with the assistant as it is now; waits like a request',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:write',
  params,
  headers,
  body: z
    .strictObject({
      ...analysisOverrides(),
      trial: z
        .boolean()
        .default(false)
        .describe('true: no webhook is sent, and the results of the assistant do not count it.'),
      dry_run: z.boolean().default(false).describe('true: nothing is stored or paid; 200 says what it would cost.'),
    })
    .meta({ id: 'ReanalysisInput', description: "Replaces the assistant's settings, for this session only." }),
  answers: { 200: z.union([SessionSchema, ReanalysisEstimateSchema]), 202: SessionSchema },
  location,
  errors: ['conflict', 'budget_exceeded', 'provider_failed'],
});

export const setSessionRoles = endpoint({
  operationId: 'setSessionRoles',
  method: 'put',
  path: '/v1/sessions/{id}/roles',
  summary: 'Say who is who in a recording; a reanalysis uses it',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:write',
  params,
  body: SessionRolesInputSchema,
  answers: { 200: SessionSchema },
  errors: ['conflict'],
});

export const deleteSession = endpoint({
  operationId: 'deleteSession',
  method: 'delete',
  path: '/v1/sessions/{id}',
  summary: 'Delete a session with its recording, its texts and its deliveries; a running one stops',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:write',
  params,
  answers: { 204: null },
});
