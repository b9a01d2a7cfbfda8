/** What this installation is and what it can do: docs/decisions.md, "Providers" and "Info". */
import { z } from 'zod';
import { PROVIDERS, STEPS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { listOf, openEnum, timestamp, usd } from './fields.ts';

const PricesSchema = z
  .object({
    input_mtok_usd: usd().nullable().describe('US dollars of a million input tokens, none of them cached.'),
    output_mtok_usd: usd().nullable().describe('US dollars of a million output tokens.'),
    audio_hour_usd: usd().nullable().describe('US dollars of an hour of audio.'),
  })
  .meta({ id: 'ModelPrices', description: 'null where the model is not billed by this unit.' });

export type ModelPrices = z.output<typeof PricesSchema>;

const ProviderModelSchema = z
  .object({
    model: z.string().nullable().describe('null: the provider has no choice of models.'),
    prices: PricesSchema.nullable().describe('null: no price is known, and sessions say so in `cost_known`.'),
    takes_temperature: z
      .boolean()
      .nullable()
      .describe('false: the temperature is left out; null: this model transcribes.'),
    max_bytes: z.int().nullable().describe('Of a recording, as far as the vendor says.'),
    max_duration_s: z.int().nullable().describe('Of a recording, as far as the vendor says.'),
  })
  .meta({ id: 'ProviderModel' });

export type ProviderModel = z.output<typeof ProviderModelSchema>;

const ProviderSchema = z
  .object({
    provider: openEnum(PROVIDERS),
    step: openEnum(STEPS).describe('What it is called for.'),
    configured: z.boolean().describe('false: this server has no key for it, and no assistant can choose it.'),
    simulated: z.boolean().describe('true: a stand-in of a local start answers in its place.'),
    max_channels: z
      .int()
      .nullable()
      .describe('Channels of a recording that it transcribes apart; 1: none; null: this provider does not transcribe.'),
    default_model: z.string().nullable().describe('Of an assistant that names none.'),
    any_model: z.boolean().describe('false: only the models listed here are allowed.'),
    models: z.array(ProviderModelSchema).describe('Models that are known and allowed, the default first.'),
  })
  .meta({ id: 'Provider' });

export type Provider = z.output<typeof ProviderSchema>;

export const listProviders = endpoint({
  operationId: 'listProviders',
  method: 'get',
  path: '/v1/providers',
  summary: 'The providers that assistants can choose, with their models, prices and limits',
  tag: 'Service',
  auth: 'bearer',
  scope: 'assistants:read',
  answers: { 200: listOf(ProviderSchema).meta({ id: 'ProviderList' }) },
});

const LimitsSchema = z
  .object({
    audio_bytes: z.int().describe('Of one recording.'),
    wait_s: z.int().describe('Longest time that a request waits for its result, in seconds.'),
    sessions_in_flight: z.int().describe('Sessions of one user that are worked on at once; further ones wait.'),
    sessions_queued: z.int().describe('Sessions of one user that wait; a further one is refused.'),
    assistants: z.int().describe('Of one user.'),
    api_keys: z.int().describe('Of one user.'),
    stored_audio_bytes: z.int().nullable().describe('All recordings of one user; null for no bound.'),
    requests_per_minute: z.int().nullable().describe('Of one user; null for no bound.'),
  })
  .meta({ id: 'ServiceLimits' });

const InfoSchema = z
  .object({
    version: z.string().meta({ examples: ['0.1.0'] }),
    commit: z.string().nullable().describe('Commit that the build was made of; null where it does not tell.'),
    registration: z.enum(['open', 'first', 'closed']).describe('Who may register: anybody, the first account, nobody.'),
    audio_retention_days: z.int().describe('Days a recording is kept after the end of its session.'),
    session_retention_days: z
      .int()
      .nullable()
      .describe('Days a session is kept after its end, where its assistant says nothing else; null: for good.'),
    limits: LimitsSchema,
    queue: z
      .object({
        waiting: z.int().describe('Sessions of this user that wait for their turn.'),
        oldest_queued_at: timestamp().nullable().describe('Since when the first of them waits.'),
      })
      .meta({ id: 'OwnQueue' }),
    temporal_run_url: z
      .string()
      .nullable()
      .describe(
        'Address of a run in the Temporal UI, with `{workflow_id}` in it: the id of a session, or the `workflow_id` of a ' +
          'delivery. null: no UI is linked.',
      )
      .meta({ examples: ['https://temporal.example.com/namespaces/default/workflows/{workflow_id}'] }),
  })
  .meta({ id: 'ServiceInfo' });

export type ServiceInfo = z.output<typeof InfoSchema>;

export const getInfo = endpoint({
  operationId: 'getInfo',
  method: 'get',
  path: '/v1/info',
  summary: 'Version, limits and links of this installation',
  tag: 'Service',
  auth: 'bearer',
  scope: 'account:read',
  answers: { 200: InfoSchema },
});
