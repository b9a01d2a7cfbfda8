/** Facts about the installation. */
import { z } from 'zod';
import { PROVIDER_FAULTS, STEPS } from '../values/constants.ts';
import { PROVIDERS } from '../values/providers.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { listOf, openEnum, responseObject, timestamp, usd } from '../values/schemas.ts';

const endpoint = endpointsOf('Service');

const PricesSchema = responseObject(
  'ModelPrices',
  {
    input_mtok_usd: usd().nullable().describe('US dollars per million uncached input tokens.'),
    output_mtok_usd: usd().nullable().describe('US dollars per million output tokens.'),
    audio_hour_usd: usd().nullable().describe('US dollars per hour of audio.'),
  },
  'null: the model is not billed by this unit.',
);

const ProviderModelSchema = responseObject('ProviderModel', {
  model: z.string().nullable().describe('null: the provider has no selectable models.'),
  prices: PricesSchema.nullable().describe('null: unknown; sessions have `cost_known: false`.'),
  takes_temperature: z
    .boolean()
    .nullable()
    .describe('false: the temperature is not sent to the model; null: a speech-to-text model.'),
  retires_on: z.iso.date().nullable().describe('Day on which the provider ends the model; null: unknown.'),
  max_bytes: z.int().nullable().describe('Limit of the provider for a recording; null: unknown.'),
  max_duration_s: z.int().nullable().describe('Limit of the provider for a recording; null: unknown.'),
  media_types: z
    .array(z.string())
    .nullable()
    .describe('Accepted types of recordings; null: all types that this service accepts.'),
});
export type ProviderModel = z.output<typeof ProviderModelSchema>;

const ProviderSchema = responseObject('Provider', {
  provider: openEnum(PROVIDERS),
  step: openEnum(STEPS).describe('The step that the provider performs.'),
  configured: z
    .boolean()
    .describe('false: assistants cannot use the provider, because its API key (for `local`, its URL) is not set.'),
  simulated: z.boolean().describe('true: a local stand-in replaces the provider.'),
  max_channels: z
    .int()
    .nullable()
    .describe(
      'Maximum number of channels that are transcribed separately; 1: not supported; null: not a speech-to-text provider.',
    ),
  languages: z
    .array(z.string())
    .nullable()
    .describe('Supported values of `stt_language` besides `Auto-Detect`; null: unknown.'),
  default_model: z.string().nullable().describe('Model of assistants that do not set one.'),
  any_model: z.boolean().describe('false: only the listed models are allowed.'),
  models: z.array(ProviderModelSchema).describe('Known and allowed models, starting with the default.'),
});
export type Provider = z.output<typeof ProviderSchema>;

export const listProviders = endpoint('listProviders', 'get /v1/providers', {
  summary: 'List providers',
  description: 'Includes models, prices and limits.',
  scope: 'assistants:read',
  answers: { 200: listOf(ProviderSchema).meta({ id: 'ProviderList' }) },
});

const LimitsSchema = responseObject('ServiceLimits', {
  audio_bytes: z.int().describe('Maximum size of a recording.'),
  wait_s: z.int().describe('Maximum time that a request waits for its result, in seconds.'),
  open_sessions: z
    .int()
    .describe('Maximum number of unfinished sessions of all workspaces of one owner. Further requests return 429.'),
  assistants: z.int().describe('Maximum number of assistants per workspace.'),
  api_keys: z.int().describe('Maximum number of API tokens per workspace.'),
  stored_audio_bytes: z
    .int()
    .nullable()
    .describe('Maximum size of the recordings of all workspaces of one owner; null: no limit.'),
  stored_text_bytes: z
    .int()
    .nullable()
    .describe('Maximum size of the conversations of all workspaces of one owner; null: no limit.'),
  requests_per_minute: z
    .int()
    .nullable()
    .describe(
      'Maximum number of requests of the programs of all workspaces of one owner, and of each person in the console; null: no limit.',
    ),
});

export const OpenCircuitSchema = responseObject(
  'OpenCircuit',
  { provider: openEnum(PROVIDERS), step: openEnum(STEPS), reason: openEnum(PROVIDER_FAULTS), since: timestamp() },
  'A provider that is down. Calls are paused, except for single test calls.',
);
export type OpenCircuit = z.output<typeof OpenCircuitSchema>;

export const ProviderQueueSchema = responseObject('ProviderQueue', {
  provider: z.string(),
  reason: openEnum(PROVIDER_FAULTS).describe('Fault of the last call.'),
  sessions: z.int(),
  since: timestamp().describe('Time of the first failed call.'),
  next_try_at: timestamp().describe('Time of the next call.'),
});

const InfoSchema = responseObject('ServiceInfo', {
  version: z.string().meta({ examples: ['0.1.0'] }),
  commit: z.string().nullable().describe('Commit of the build; null: unknown.'),
  registration: z
    .enum(['open', 'first', 'closed'])
    .describe('Who can register: anyone, only the first user, or no one.'),
  audio_retention_days: z.int().describe('Days after the end of a session until its recording is removed.'),
  session_retention_days: z
    .int()
    .nullable()
    .describe(
      'Days after the end of a session until it is deleted, unless its assistant sets `retention_days`; null: never.',
    ),
  limits: LimitsSchema,
  shared_links: z.boolean().describe('Whether sessions and experiments can be shared by links.'),
  queue: responseObject('OwnQueue', {
    waiting: z.int().describe('Number of queued sessions of the workspace.'),
    oldest_queued_at: timestamp().nullable().describe('When the oldest queued session entered the queue.'),
  }),
  waiting: z.array(ProviderQueueSchema).describe('Sessions of the workspace that wait for a provider, by provider.'),
  storage: responseObject('StorageState', {
    audio_bytes: z.int().describe('Size of the recordings of all workspaces of the owner.'),
    text_bytes: z.int().describe('Size of the conversations of all workspaces of the owner.'),
    disk_bytes: z.int().nullable().describe('Size of the disk where recordings arrive; null: unknown.'),
    disk_free_bytes: z.int().nullable().describe('Free space of this disk; null: unknown.'),
  }),
  workers: z
    .object({
      running: z.int().describe('Number of workers. 0: sessions and deliveries wait for a worker.'),
      last_seen_at: timestamp()
        .nullable()
        .describe('Time of the last heartbeat of any worker; null: no worker has run yet.'),
    })
    .meta({ id: 'WorkerState', description: 'Workers with a heartbeat in the last 20 seconds.' }),
  open_circuits: z.array(OpenCircuitSchema),
  temporal_run_url: z
    .string()
    .nullable()
    .describe(
      'URL template of a run in the Temporal UI. `{workflow_id}` is the ID of a session or the `workflow_id` of a ' +
        'delivery. null: not configured.',
    )
    .meta({ examples: ['https://temporal.example.com/namespaces/default/workflows/{workflow_id}'] }),
});

export type ServiceInfo = z.output<typeof InfoSchema>;

export const getInfo = endpoint('getInfo', 'get /v1/info', {
  summary: 'Retrieve information about the installation',
  description: 'Includes version, limits, queue and workers.',
  scope: 'usage:read',
  answers: { 200: InfoSchema },
});
