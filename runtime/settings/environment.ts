/** The settings: rules, defaults and descriptions. `runtime/settings/config.ts` reads them. */
import { toAsciiDomain } from '../../contract/values/domain.ts';
import { z } from 'zod';
import { PROVIDERS } from '../../contract/values/providers.ts';
import {
  integer,
  isListenAddress,
  list,
  secret,
  DNS_SERVER,
  flag,
  optional,
  baseUrl,
  isOrigin,
  toAsciiOrigin,
  isHostName,
  databaseUrl,
  hostAndPort,
  budget,
  isModelRule,
  isJwtSecret,
  isEncryptionKey,
  privateHosts,
  whole,
} from './setting-rules.ts';
import { local, providers } from './provider-settings.ts';
import { proxies } from './proxy-settings.ts';
import { redaction } from './redaction-settings.ts';
import { signIn } from './sign-in-settings.ts';

/** Required in production; `npm start` makes or runs its own. */
const first = {
  NODE_ENV: z
    .enum(['production', 'development', ''], { error: 'must be production, development or unset' })
    .optional()
    .describe('`production`: stand-in providers, and provider and webhook addresses on loopback, are refused.'),
  DATABASE_URL: secret(databaseUrl().describe('PostgreSQL 15 or later. Unset: `npm start` runs its own.')),
  TEMPORAL_ADDRESS: hostAndPort().describe(
    'host:port of Temporal; without a port, 7233. Unset: `npm start` runs its own.',
  ),
  JWT_SECRETS: list()
    .pipe(z.array(z.string().refine(isJwtSecret, 'must be secrets of at least 32 characters')).min(1, 'is required'))
    .describe(
      'Secrets of login tokens (`openssl rand -hex 32`), comma-separated: the first one signs, all verify. Unset: `npm start` creates one.',
    )
    .meta({ production: '', secret: true }),
  ENCRYPTION_KEYS: list()
    .pipe(z.array(z.string().refine(isEncryptionKey, 'must be keys of 32 bytes in base64')).min(1, 'is required'))
    .describe(
      'Keys of stored secrets (`openssl rand -base64 32`), comma-separated: the first one encrypts, all decrypt. Unset: `npm start` creates one.',
    )
    .meta({ production: '', secret: true }),
  AUDIO_STORE: z
    .string({ error: 'is required' })
    .min(1)
    .describe(
      'Folder for recordings that API and worker share, or `s3://bucket/prefix` with the `AWS_…` variables of the AWS SDK. No other installation may use it. Unset: `npm start` uses `DATA_DIR`.',
    ),
  REGISTRATION: z
    .enum(['open', 'first', 'closed'])
    .default('open')
    .describe(
      'Who can register: anybody (`open`), only the first account (`first`), nobody (`closed`). `npm run user` can always create accounts.',
    )
    .meta({ production: 'closed' }),
  SHARED_LINKS: flag().describe('`true`: members can share sessions and experiments by read-only links.'),
  OPENAI_API_KEY: providers.OPENAI_API_KEY,
};

const network = {
  HOST: z
    .string()
    .refine(isListenAddress, 'must be an IP address or a host name, without a port or http://')
    .default('127.0.0.1')
    .describe('Address that the API listens on. If it is not loopback, `npm start` refuses webhooks to loopback.'),
  PORT: integer(3000, { min: 0, max: 65535 }).describe('Port of the API; 0: any free port.'),
  ALLOWED_HOSTS: list()
    .pipe(
      z.array(
        z
          .string()
          .transform(toAsciiDomain)
          .refine(isHostName, 'must be host names without a port, such as calls.example.com'),
      ),
    )
    .describe(
      'Host names of the API, comma-separated. Requests for other names get 421, except loopback names and probes. Unset: every name, but only loopback names if `HOST` is loopback and `TRUSTED_PROXIES` is 0.',
    ),
  TRUSTED_PROXIES: integer(0, { min: 0, max: 10 }).describe(
    'Number of reverse proxies in front of the API that append to `X-Forwarded-For`.',
  ),
  CORS_ORIGINS: list()
    .pipe(
      z.array(
        z.string().transform(toAsciiOrigin).refine(isOrigin, 'must be origins such as https://app.example.com, or *'),
      ),
    )
    .describe('Origins whose pages may call the API from a browser, comma-separated; `*`: all.'),
  ...proxies,
  RATE_LIMIT_PER_MINUTE: integer(600, { min: 0, max: 1_000_000 }).describe(
    'Requests per minute of the programs of one owner, and of each person in the console; a tenth of this for registrations and logins from one address. 0: no limit.',
  ),
};

const database = {
  DATABASE_PASSWORD: secret(
    optional().describe('Password for a `DATABASE_URL` without one. It may contain any character, unescaped.'),
  ),
  DATABASE_DISK: optional().describe(
    "A folder on PostgreSQL's disk, if this machine has it: its free space is in `/readyz` and the metrics.",
  ),
  DATABASE_POOL_MAX: integer(20, { min: 2, max: 500 }).describe(
    'Connections per process. The requests of one owner use at most a third of them.',
  ),
};

const temporal = {
  TEMPORAL_NAMESPACE: z
    .string()
    .regex(/^[\w.-]+$/, 'must be the name of a namespace, without blanks or slashes')
    .default('default')
    .describe(
      'Namespace of Temporal. No other installation may use it. Create it with `deploy/temporal-namespace.sh`; its search attributes: [architecture.md](architecture.md#temporal).',
    ),
  TEMPORAL_TLS: flag().describe('`true`: connect to Temporal with TLS.'),
  TEMPORAL_API_KEY: secret(optional().describe('API key of Temporal Cloud; implies TLS.')),
  TEMPORAL_UI_URL: baseUrl().describe('URL of the Temporal UI. If set, every user sees links to it.'),
};

const models = {
  ...providers,
  PROVIDER_TIMEOUT_S: integer(120, { min: 1, max: 1_800 }).describe(
    'Time limit of one call to a language model, in seconds.',
  ),
  STT_TIMEOUT_S: integer(900, { min: 1, max: 7_200 }).describe(
    'Time limit of one transcription including its upload, in seconds.',
  ),
  PROVIDER_RETRY_WINDOW_S: integer(600, { min: 0, max: 86_400 }).describe(
    'How long a failing provider is retried, in seconds.',
  ),
  ALLOWED_MODELS: list()
    .pipe(z.array(z.string().refine(isModelRule, 'must be entries such as openai/gpt-6-luna or whisper/*')))
    .describe('Models that assistants may use, as `provider/model` or `provider/*`, comma-separated. Empty: all.'),
  PRICES_FILE: optional().describe('JSON file of prices that replaces the built-in overrides.'),
  SIMULATED_PROVIDERS: list()
    .pipe(z.array(z.enum(PROVIDERS).exclude(['local'])))
    .describe('Providers whose base URL is a stand-in. Their sessions have `simulated: true`. Refused in production.'),
};

const budgets = {
  DEFAULT_MONTHLY_BUDGET_USD: budget().describe('Monthly budget of a new workspace, in US dollars. Unset: no limit.'),
  MAX_MONTHLY_BUDGET_USD: budget().describe(
    'Maximum monthly budget of all workspaces of one owner, in US dollars. Unset: no limit.',
  ),
  INSTALLATION_MONTHLY_BUDGET_USD: budget().describe(
    'Monthly budget (UTC) of all workspaces together, in US dollars. Unset: no limit.',
  ),
};

const storage = {
  AUDIO_S3_ENDPOINT: baseUrl().describe("URL of an S3-compatible store. Unset: Amazon's own."),
  MAX_AUDIO_MIB: integer(500, { min: 1, max: 4_096 }).describe(
    'Maximum size of a recording, in MiB. An upload gets 503 if it would leave less than 1 GiB, or less than twice this size, on the disk.',
  ),
  MAX_STORED_AUDIO_MIB_PER_WORKSPACE: integer(102_400, { min: 0, max: 1_000_000_000 }).describe(
    'Maximum size of all recordings of one owner, in MiB; 0: no limit.',
  ),
  MAX_STORED_TEXT_MIB_PER_WORKSPACE: integer(10_240, { min: 0, max: 1_000_000_000 }).describe(
    'Maximum size of all conversations and reviews of one owner, in MiB; 0: no limit. Further ones get 409.',
  ),
  AUDIO_RETENTION_DAYS: integer(30, { min: 0, max: 36_500 }).describe(
    'Days that a recording is kept after the end of its session. 0: removed at the end, or a day later if a retry may transcribe it.',
  ),
  AUDIO_URL_ALLOW_HOSTS: privateHosts().describe(
    'Hosts, addresses or CIDRs of private networks that `audio_url` may lead to, comma-separated. Members who submit recordings can read all recordings on these hosts.',
  ),
  AUDIO_FETCH_WINDOW_S: integer(3_600, { min: 0, max: 86_400 }).describe(
    'How long a failing download of a recording is retried, in seconds.',
  ),
  SESSION_RETENTION_DAYS: integer(0, { min: 0, max: 36_500 }).describe(
    'Days that a session and its conversation are kept after its end; 0: forever. An assistant can have a shorter `retention_days`.',
  ),
};

const webhooks = {
  WEBHOOK_ALLOW_HOSTS: privateHosts().describe(
    'Hosts, addresses or CIDRs of private networks that webhooks may reach, comma-separated. With `NODE_ENV=production`, not loopback: give a receiver on the same machine a private address.',
  ),
  DNS_SERVERS: list()
    .pipe(z.array(z.string().regex(DNS_SERVER, 'must be addresses such as 10.0.0.2, 10.0.0.2:53 or [fd00::2]:53')))
    .describe(
      "Name servers for the hosts of webhooks and `audio_url`, comma-separated. Unset: the machine's name servers.",
    ),
};

const capacity = {
  WORKER_CALLS_PER_PROVIDER: integer(100, { min: 1, max: 10_000 }).describe(
    'Calls that one worker makes at once to one provider in one step, at most 4/5 of them for one owner. A worker has twice as many slots for analyses, for transcriptions and for webhook attempts.',
  ),
  MAX_OPEN_SESSIONS_PER_WORKSPACE: integer(10_000, { min: 1, max: 1_000_000 }).describe(
    'Maximum number of unfinished sessions of one owner. Further requests get 429.',
  ),
};

const monitoring = {
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Minimum severity of logged messages: `debug`, `info`, `warn`, `error`, `fatal` or `silent`.'),
  METRICS_PORT: whole(9464, { min: 0, max: 65535 })
    .optional()
    .describe('Port of `/metrics` for Prometheus, in each process; 0: any free port. Unset: no metrics.'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address that `/metrics` listens on.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl().describe(
    'Collector of OpenTelemetry traces over OTLP/HTTP. Other `OTEL_…` variables apply too. Unset: no traces.',
  ),
};

const releases = {
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'must be letters, digits and ._-')
    .optional()
    .describe('Release of a worker, such as its commit: [operations.md](operations.md#releases).'),
  INSTALLATION_MOVED: flag().describe(
    '`true` for one start: accept other `ENCRYPTION_KEYS`, or another database, `AUDIO_STORE` or Temporal namespace than before.',
  ),
  SHUTDOWN_GRACE_S: integer(10, { min: 0, max: 600 }).describe(
    'Seconds that running work has to end after SIGTERM. Then calls are canceled.',
  ),
};

/** The settings by task, in the order of docs/settings.md. */
export const SETTING_GROUPS = {
  'Set these first': first,
  Network: network,
  'Sign-in and email': signIn,
  PostgreSQL: database,
  Temporal: temporal,
  'Providers and models': models,
  'Your own models': local,
  Redaction: redaction,
  Budgets: budgets,
  'Recordings and retention': storage,
  Webhooks: webhooks,
  Capacity: capacity,
  'Logs, metrics and traces': monitoring,
  'Releases and restarts': releases,
};

/** All settings. `npm run docs` generates docs/settings.md from them. */
export const EnvironmentSchema = z.object({
  ...first,
  ...network,
  ...signIn,
  ...database,
  ...temporal,
  ...models,
  ...local,
  ...redaction,
  ...budgets,
  ...storage,
  ...webhooks,
  ...capacity,
  ...monitoring,
  ...releases,
});

export type Environment = Record<string, string | undefined>;

/** The variables as the schema reads them. */
export type Settings = z.output<typeof EnvironmentSchema>;
