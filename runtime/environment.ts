/** The variables of the environment: their rules, defaults and meaning. `runtime/config.ts` makes the configuration of them. */
import { z } from 'zod';
import { PROVIDERS } from '../contract/constants.ts';
import { keyVariable, PROVIDER_FACTS, urlVariable } from '../contract/providers.ts';

const integer = (fallback: number, { min, max }: { min: number; max: number }) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

/** Declares comma-separated values; blanks around them do not count. */
const list = () =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    );

const DNS_SERVER = /^(?:[\d.]+(?::\d+)?|\[[\da-fA-F:.]+\](?::\d+)?|[\da-fA-F:.]+)$/;

const flag = () =>
  z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true');

const optional = () =>
  z
    .string()
    .optional()
    .transform((value) => value || undefined);

const baseUrl = () =>
  z
    .union([z.url({ protocol: /^https?$/ }), z.literal('')])
    .optional()
    .transform((value) => value || undefined);

/** Returns whether this is an origin as browsers send it: no path, no trailing slash, no default port. */
const isOrigin = (value: string) => value === '*' || (URL.parse(value)?.origin === value && !value.includes('*'));

/** Declares a bound in US dollars; undefined stands for none. */
const budget = () => z.coerce.number().min(0).max(1e9).optional();

const isModelRule = (value: string) =>
  PROVIDERS.some((name) => value.startsWith(`${name}/`) && value.length > name.length + 1);

const isJwtSecret = (value: string) => value.length >= 32;
const isEncryptionKey = (value: string) => Buffer.from(value, 'base64').length === 32;

/** Declares the key and the URL of every vendor. */
function vendorVariables() {
  const entries = PROVIDERS.flatMap((name) => {
    const { key_shared_by } = PROVIDER_FACTS[name];
    const sharing = key_shared_by && PROVIDER_FACTS[key_shared_by].title;
    return [
      [
        keyVariable(name),
        optional().describe(
          sharing
            ? `API key; default ${sharing}'s, which is sent to ${sharing} only.`
            : 'API key. Required in production for assistants that use the provider.',
        ),
      ],
      [
        urlVariable(name),
        baseUrl().describe(
          sharing
            ? `Base URL of ${sharing} or of any server that speaks its transcription API.`
            : "Base URL, if not the vendor's own.",
        ),
      ],
    ];
  });
  return Object.fromEntries(entries) as Record<
    ReturnType<typeof keyVariable | typeof urlVariable>,
    z.ZodType<string | undefined>
  >;
}

/** Each variable with its rule, its default and what it is for. docs/settings.md is printed from this. */
export const EnvironmentSchema = z.object({
  NODE_ENV: optional().describe('`production` refuses stand-in vendors, and vendors and webhooks on loopback.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address the API listens on. `npm start` closes loopback to webhooks where this is not loopback.'),
  PORT: integer(3000, { min: 0, max: 65535 }).describe('Port of the API; 0 takes a free one.'),
  DATABASE_URL: z
    .string({ error: 'is required' })
    .regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// URL')
    .describe('PostgreSQL 15 or later. Unset: `npm start` runs its own.'),
  DATABASE_PASSWORD: optional().describe(
    'Password for `DATABASE_URL`, where that has none: here it may hold any character as it is.',
  ),
  DATABASE_POOL_MAX: integer(20, { min: 2, max: 500 }).describe('Connections per process.'),
  TEMPORAL_ADDRESS: z
    .string({ error: 'is required' })
    .min(1)
    .describe('host:port of Temporal. Unset: `npm start` runs its own.'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('Namespace of Temporal.'),
  TEMPORAL_TLS: flag().describe('`true`: speak TLS to Temporal.'),
  TEMPORAL_API_KEY: optional().describe('API key of Temporal Cloud; implies TLS.'),
  TEMPORAL_UI_URL: baseUrl().describe(
    'Address of the Temporal UI, which every user is then shown links to. `npm start` sets that of its own Temporal.',
  ),
  JWT_SECRETS: list()
    .pipe(z.array(z.string().refine(isJwtSecret, 'must be secrets of at least 32 characters')))
    .describe(
      'Secrets of login tokens (`openssl rand -hex 32`), comma-separated: the first one signs, all verify. Required, unless `JWT_SECRET` is set. Unset: `npm start` makes one and keeps it.',
    ),
  JWT_SECRET: optional()
    .refine((value) => value === undefined || isJwtSecret(value), 'must have at least 32 characters')
    .describe('One such secret; it comes after those of `JWT_SECRETS`.')
    .meta({ production: '' }),
  ENCRYPTION_KEYS: list()
    .pipe(z.array(z.string().refine(isEncryptionKey, 'must be keys of 32 bytes in base64')))
    .describe(
      'Keys that encrypt webhook secrets at rest (`openssl rand -base64 32`), comma-separated: the first one encrypts, all decrypt. Required, unless `ENCRYPTION_KEY` is set. Unset: `npm start` makes one and keeps it.',
    ),
  ENCRYPTION_KEY: optional()
    .refine((value) => value === undefined || isEncryptionKey(value), 'must be 32 bytes in base64')
    .describe('One such key; it comes after those of `ENCRYPTION_KEYS`.')
    .meta({ production: '' }),
  REGISTRATION: z
    .enum(['open', 'first', 'closed'])
    .default('open')
    .describe(
      'Who may register: anybody (`open`), the first account only (`first`), nobody (`closed`). `npm run user` makes accounts always.',
    )
    .meta({ production: 'first' }),
  GIT_COMMIT: optional().describe('Commit that the build was made of; `GET /v1/info` names it.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Least severe level logged.'),
  TRUSTED_PROXIES: integer(0, { min: 0, max: 10 }).describe(
    'Reverse proxies in front that append to `X-Forwarded-For`.',
  ),
  RATE_LIMIT_PER_MINUTE: integer(600, { min: 0, max: 1_000_000 }).describe(
    'Requests of one user in a minute, over all API processes; 0: no bound.',
  ),
  RATE_LIMIT_PER_MINUTE_PER_ADDRESS: integer(60, { min: 0, max: 1_000_000 }).describe(
    'Registrations and logins from one address in a minute; 0: no bound.',
  ),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe('Port of `/metrics` for Prometheus, in each process; 0 takes a free one. Unset: none.'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address that `/metrics` listens on.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl().describe(
    'Collector that gets OpenTelemetry traces over OTLP/HTTP; its other variables are `OTEL_…` as well. Unset: none.',
  ),
  OTEL_SERVICE_NAME: z.string().min(1).default('conversation-analysis').describe('Name of this service in traces.'),
  CORS_ORIGINS: list()
    .pipe(z.array(z.string().refine(isOrigin, 'must be origins such as https://app.example.com, or *')))
    .describe('Origins whose pages may call the API from a browser, comma-separated; `*`: all.'),
  MAX_CONNECTIONS: integer(10_000, { min: 1, max: 1_000_000 }).describe(
    'Connections that each API process holds at once, streams of events included; further ones are closed. Each takes a file descriptor.',
  ),
  EVENT_STREAMS_PER_USER: integer(20, { min: 1, max: 1_000 }).describe(
    'Streams of `GET /v1/events` that one user may hold open in each API process.',
  ),
  REQUEST_WAIT_S: integer(60, { min: 0, max: 600 }).describe(
    'Longest time a request waits for its result, in seconds.',
  ),
  SHUTDOWN_GRACE_S: integer(10, { min: 0, max: 600 }).describe('Time running work gets to end on SIGTERM, in seconds.'),
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'must be letters, digits and ._-')
    .optional()
    .describe(
      'Release of a worker, such as its commit: runs stay with the release that began them, and new ones go to the release that `npm run release` made current. Unset: no versions, as with `npm start`.',
    ),
  WORKER_ACTIVITY_SLOTS: integer(100, { min: 1, max: 10_000 }).describe(
    'Steps one worker runs at once, webhooks not counted.',
  ),
  WORKER_WEBHOOK_SLOTS: integer(200, { min: 1, max: 10_000 }).describe('Webhook attempts one worker makes at once.'),
  WORKER_WEBHOOK_SLOTS_PER_HOST: integer(10, { min: 1, max: 10_000 }).describe(
    'Webhook attempts one worker makes at once to one receiver (a registrable domain or an address), so that a slow one holds up no other; at most half of all.',
  ),
  WORKER_WEBHOOK_SLOTS_PER_USER: integer(50, { min: 1, max: 10_000 }).describe(
    'Webhook attempts one worker makes at once for one user; at most half of all.',
  ),
  MAX_SESSIONS_IN_FLIGHT_PER_USER: integer(50, { min: 1, max: 10_000 }).describe(
    'Sessions of one user that are transcribed or analyzed at once; further ones wait, oldest first.',
  ),
  MAX_BATCH_SESSIONS_IN_FLIGHT_PER_USER: integer(25, { min: 1, max: 10_000 }).describe(
    'Sessions of one user that batches have begun and that have not ended; always less than the bound before, so that new requests find room.',
  ),
  MAX_BODY_MIB_IN_FLIGHT: integer(128, { min: 1, max: 1_000_000 }).describe(
    'MiB of JSON bodies that each API process holds at once, one user a quarter; further ones above 64 KiB wait.',
  ),
  WORKER_CONVERSATION_MIB_IN_FLIGHT: integer(128, { min: 1, max: 1_000_000 }).describe(
    'MiB of conversations that one worker analyzes at once, one user a quarter; further ones wait.',
  ),
  MAX_ASSISTANTS_PER_USER: integer(1_000, { min: 1, max: 1_000_000 }).describe('Assistants that one user may have.'),
  MAX_RUNNING_BATCHES_PER_USER: integer(10, { min: 1, max: 1_000 }).describe(
    'Batches of one user that have not ended.',
  ),
  MAX_SESSIONS_PER_BATCH: integer(100_000, { min: 1, max: 1_000_000 }).describe('Sessions that one batch may take.'),
  MAX_API_KEYS_PER_USER: integer(100, { min: 1, max: 1_000_000 }).describe('API tokens that one user may have.'),
  MAX_STORED_AUDIO_MIB_PER_USER: integer(102_400, { min: 0, max: 1_000_000_000 }).describe(
    'MiB of recordings that one user may have stored; 0: no bound.',
  ),
  MAX_QUEUED_SESSIONS_PER_USER: integer(10_000, { min: 1, max: 1_000_000 }).describe(
    'Sessions of one user that wait to begin; a further one is refused with 429.',
  ),
  PROVIDER_TIMEOUT_S: integer(120, { min: 1, max: 280 }).describe('Bound of one call to a language model, in seconds.'),
  STT_TIMEOUT_S: integer(900, { min: 1, max: 7_200 }).describe(
    'Bound of one transcription, its upload included, in seconds.',
  ),
  PROVIDER_RETRY_WINDOW_S: integer(600, { min: 0, max: 86_400 }).describe(
    'How long a failing vendor is tried again, in seconds.',
  ),
  DNS_SERVERS: list()
    .pipe(z.array(z.string().regex(DNS_SERVER, 'must be addresses such as 10.0.0.2, 10.0.0.2:53 or [fd00::2]:53')))
    .describe("Name servers for the hosts of webhooks, comma-separated. Unset: the machine's own."),
  WEBHOOK_ALLOW_HOSTS: list().describe(
    'Hosts, addresses or CIDRs of private networks that webhooks may reach, comma-separated.',
  ),
  AUDIO_STORE: z
    .string({ error: 'is required' })
    .min(1)
    .describe(
      'Folder for recordings, shared by API and worker, or `s3://bucket/prefix`; of this installation alone. Unset: `npm start` takes one in `DATA_DIR`.',
    ),
  AUDIO_S3_ENDPOINT: baseUrl().describe("URL of a store that speaks S3's protocol, if not Amazon's own."),
  AWS_REGION: z.string().min(1).default('us-east-1').describe('Region of the S3 bucket.'),
  AWS_ACCESS_KEY_ID: optional().describe("Access key for S3. Unset: the machine's role."),
  AWS_SECRET_ACCESS_KEY: optional().describe('Secret of the access key for S3.'),
  AWS_SESSION_TOKEN: optional().describe('Session token of a temporary access key for S3.'),
  AUDIO_S3_TIMEOUT_S: integer(10, { min: 1, max: 300 }).describe('Longest silence of the S3 store, in seconds.'),
  MAX_AUDIO_MIB: integer(500, { min: 1, max: 4_096 }).describe('Largest recording, in MiB.'),
  MIN_FREE_DISK_MIB: integer(1_024, { min: 0, max: 1_000_000_000 }).describe(
    'MiB that stay free on the disk that recordings arrive on: one that would take more is refused with 503. 0: no bound.',
  ),
  UPLOAD_IDLE_S: integer(30, { min: 1, max: 600 }).describe('Longest silence in an upload, in seconds.'),
  AUDIO_RETENTION_DAYS: integer(30, { min: 0, max: 36_500 }).describe(
    'Days a recording is kept after the end of its session. 0: removed at the end; after a transcription that a retry may mend, kept a day.',
  ),
  SESSION_RETENTION_DAYS: integer(0, { min: 0, max: 36_500 }).describe(
    'Days a session is kept after its end, with all that was said in it; 0: for ever. An assistant may say less.',
  ),
  ALLOWED_MODELS: list()
    .pipe(z.array(z.string().refine(isModelRule, 'must be entries such as openai/gpt-6-luna or whisper/*')))
    .describe('Models that assistants may use, as `provider/model` or `provider/*`, comma-separated. Empty: all.'),
  DEFAULT_MONTHLY_BUDGET_USD: budget().describe('Monthly budget of a new account, in US dollars. Unset: no bound.'),
  MAX_MONTHLY_BUDGET_USD: budget().describe(
    "Highest monthly budget of an account, also of one that has set none, in US dollars. Unset: the user's choice.",
  ),
  INSTALLATION_MONTHLY_BUDGET_USD: budget().describe(
    'US dollars that all users together may spend in a calendar month, UTC. Unset: no bound.',
  ),
  UNKNOWN_PRICE_PER_MTOK_USD: z.coerce
    .number()
    .min(0)
    .default(20)
    .describe('What a million tokens of a model without a known price count for in budgets, in US dollars.'),
  UNKNOWN_PRICE_PER_AUDIO_HOUR_USD: z.coerce
    .number()
    .min(0)
    .default(1)
    .describe('What an hour of audio counts for in budgets where its price is not known, in US dollars.'),
  PRICES_FILE: optional().describe('JSON file of prices that replaces the built-in overrides.'),
  SIMULATED_PROVIDERS: list()
    .pipe(z.array(z.enum(PROVIDERS)))
    .describe('Providers whose base URL is a stand-in; their sessions say `simulated`. Refused in production.'),
  ...vendorVariables(),
});

export type Environment = Record<string, string | undefined>;

/** The variables as the schema reads them. */
export type Settings = z.output<typeof EnvironmentSchema>;
