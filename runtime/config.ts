/** Reads the environment, once per process, into what is handed down. */
import { PROVIDERS } from '../contract/constants.ts';
import type { ProviderName } from '../contract/constants.ts';
import { keyVariable, PROVIDER_FACTS, urlVariable } from '../contract/providers.ts';
import { readDatabaseUrl } from './database-url.ts';
import { EnvironmentSchema } from './environment.ts';
import type { Environment, Settings } from './environment.ts';
import { findProductionProblems } from './production.ts';
import { readSecretFiles } from './secret-files.ts';

const MIB = 1024 * 1024;

/** Keys that can be replaced while the service runs: a list `…S`, and one more under the singular name. */
const RINGS = ['JWT_SECRET', 'ENCRYPTION_KEY'] as const;

/** Access to one vendor. */
export interface ProviderAccess {
  /** Undefined where the provider can't be used. */
  apiKey: string | undefined;
  /** Undefined for the vendor's own. */
  baseUrl: string | undefined;
  isSimulated: boolean;
}

export type Config = ReturnType<typeof readConfig>;

/** Says that the environment does not fit. The message names variables and rules, never values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Checks the environment and returns what it holds; throws one `ConfigError` that lists everything that is wrong. */
function readSettings(env: Environment): Settings {
  // Compose files and `.env` pass what is left empty as the empty string.
  const { env: read, problems: unreadable } = readSecretFiles(env);
  const given = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== ''));
  const parsed = EnvironmentSchema.safeParse(given);
  const problems = [
    ...unreadable,
    ...(parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? []),
    ...RINGS.filter((name) => !given[name] && !given[`${name}S`]).map((name) => `${name}S is required`),
  ];
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems.join('; '));
  const unfit = parsed.data.NODE_ENV === 'production' ? findProductionProblems(parsed.data) : [];
  if (unfit.length > 0) throw new ConfigError(unfit.join('; '));
  if ((parsed.data.DEFAULT_MONTHLY_BUDGET_USD ?? 0) > (parsed.data.MAX_MONTHLY_BUDGET_USD ?? Infinity)) {
    throw new ConfigError('DEFAULT_MONTHLY_BUDGET_USD must not be above MAX_MONTHLY_BUDGET_USD');
  }
  return parsed.data;
}

/** Reads the environment; throws one `ConfigError` that lists everything that is wrong with it. */
export function readConfig(env: Environment) {
  const e = readSettings(env);
  return {
    isProduction: e.NODE_ENV === 'production',
    commit: e.GIT_COMMIT,
    logLevel: e.LOG_LEVEL,
    http: {
      host: e.HOST,
      port: e.PORT,
      trustedProxies: e.TRUSTED_PROXIES,
      corsOrigins: e.CORS_ORIGINS,
      waitMs: e.REQUEST_WAIT_S * 1_000,
      maxConnections: e.MAX_CONNECTIONS,
      eventStreamsPerUser: e.EVENT_STREAMS_PER_USER,
      bodyBytesInFlight: e.MAX_BODY_MIB_IN_FLIGHT * MIB,
      maxQueuedSessions: e.MAX_QUEUED_SESSIONS_PER_USER,
      requestsPerMinute: e.RATE_LIMIT_PER_MINUTE,
      requestsPerMinuteAndAddress: e.RATE_LIMIT_PER_MINUTE_PER_ADDRESS,
    },
    metrics: { port: e.METRICS_PORT, host: e.METRICS_HOST },
    tracing: { endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: e.OTEL_SERVICE_NAME },
    database: { url: readDatabaseUrl(e), poolMax: e.DATABASE_POOL_MAX },
    temporal: {
      address: e.TEMPORAL_ADDRESS,
      namespace: e.TEMPORAL_NAMESPACE,
      tls: e.TEMPORAL_TLS || e.TEMPORAL_API_KEY !== undefined,
      apiKey: e.TEMPORAL_API_KEY,
    },
    temporalUiUrl: e.TEMPORAL_UI_URL,
    jwtSecrets: readRing(e, 'JWT_SECRET'),
    encryptionKeys: readRing(e, 'ENCRYPTION_KEY').map((key) => Buffer.from(key, 'base64')),
    shutdownGraceMs: e.SHUTDOWN_GRACE_S * 1_000,
    worker: {
      buildId: e.WORKER_BUILD_ID,
      activitySlots: e.WORKER_ACTIVITY_SLOTS,
      webhookSlots: e.WORKER_WEBHOOK_SLOTS,
      conversationBytesInFlight: e.WORKER_CONVERSATION_MIB_IN_FLIGHT * MIB,
      maxSessionsInFlight: e.MAX_SESSIONS_IN_FLIGHT_PER_USER,
      maxBatchSessions: Math.min(
        e.MAX_BATCH_SESSIONS_IN_FLIGHT_PER_USER,
        Math.max(1, e.MAX_SESSIONS_IN_FLIGHT_PER_USER - 1),
      ),
      webhookSlotsPerHost: e.WORKER_WEBHOOK_SLOTS_PER_HOST,
      webhookSlotsPerUser: e.WORKER_WEBHOOK_SLOTS_PER_USER,
    },
    quotas: readQuotas(e),
    vendors: {
      timeoutMs: e.PROVIDER_TIMEOUT_S * 1_000,
      sttTimeoutMs: e.STT_TIMEOUT_S * 1_000,
      retryWindowMs: e.PROVIDER_RETRY_WINDOW_S * 1_000,
      pricesFile: e.PRICES_FILE,
      unknownPrices: { perMtokUsd: e.UNKNOWN_PRICE_PER_MTOK_USD, perAudioHourUsd: e.UNKNOWN_PRICE_PER_AUDIO_HOUR_USD },
    },
    budgets: readBudgets(e),
    allowedModels: e.ALLOWED_MODELS,
    webhooks: { allowHosts: e.WEBHOOK_ALLOW_HOSTS, dnsServers: e.DNS_SERVERS },
    registration: e.REGISTRATION,
    audio: {
      store: readAudioStore(e),
      maxBytes: e.MAX_AUDIO_MIB * MIB,
      minFreeBytes: e.MIN_FREE_DISK_MIB * MIB,
      uploadIdleMs: e.UPLOAD_IDLE_S * 1_000,
      retentionDays: e.AUDIO_RETENTION_DAYS,
    },
    sessionRetentionDays: e.SESSION_RETENTION_DAYS,
    providers: readProviders(e),
  };
}

/** Returns how much of what is stored one user may have. */
function readQuotas(e: Settings) {
  return {
    assistants: e.MAX_ASSISTANTS_PER_USER,
    apiKeys: e.MAX_API_KEYS_PER_USER,
    runningBatches: e.MAX_RUNNING_BATCHES_PER_USER,
    sessionsPerBatch: e.MAX_SESSIONS_PER_BATCH,
    storedAudioBytes: e.MAX_STORED_AUDIO_MIB_PER_USER * MIB || Infinity,
  };
}

function readProviders(e: Settings): Record<ProviderName, ProviderAccess> {
  const entries = PROVIDERS.map((name): [ProviderName, ProviderAccess] => {
    const baseUrl = e[urlVariable(name)];
    const sharedBy = PROVIDER_FACTS[name].key_shared_by;
    // A shared key is for the vendor that it is of: a server of one's own gets its own key, or none.
    const sharedKey = sharedBy && (baseUrl ? 'none' : e[keyVariable(sharedBy)]);
    const isSimulated = e.SIMULATED_PROVIDERS.includes(name);
    return [name, { apiKey: e[keyVariable(name)] ?? sharedKey, baseUrl, isSimulated }];
  });
  return Object.fromEntries(entries) as Record<ProviderName, ProviderAccess>;
}

/** Returns the keys of a ring, the newest first: those of the list, and then the one of the singular name. */
function readRing(e: Settings, name: (typeof RINGS)[number]): string[] {
  const single = e[name];
  return [...new Set([...e[`${name}S`], ...(single === undefined ? [] : [single])])];
}

/** Returns the budgets in US dollars; null for none. */
function readBudgets(e: Settings) {
  return {
    defaultUsd: e.DEFAULT_MONTHLY_BUDGET_USD ?? null,
    maxUsd: e.MAX_MONTHLY_BUDGET_USD ?? null,
    installationUsd: e.INSTALLATION_MONTHLY_BUDGET_USD ?? null,
  };
}

function readAudioStore(e: Settings) {
  const location = e.AUDIO_STORE;
  if (!location.startsWith('s3://')) return { kind: 'folder' as const, directory: location };
  const [, bucket = '', path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(location) ?? [];
  if (bucket === '') throw new ConfigError('AUDIO_STORE must be a folder or s3://bucket/prefix');
  if ((e.AWS_ACCESS_KEY_ID === undefined) !== (e.AWS_SECRET_ACCESS_KEY === undefined)) {
    throw new ConfigError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together');
  }
  return {
    kind: 's3' as const,
    bucket,
    prefix: path === '' || path.endsWith('/') ? path : `${path}/`,
    endpoint: e.AUDIO_S3_ENDPOINT,
    region: e.AWS_REGION,
    idleMs: e.AUDIO_S3_TIMEOUT_S * 1_000,
    credentials:
      e.AWS_ACCESS_KEY_ID !== undefined && e.AWS_SECRET_ACCESS_KEY !== undefined
        ? {
            accessKeyId: e.AWS_ACCESS_KEY_ID,
            secretAccessKey: e.AWS_SECRET_ACCESS_KEY,
            ...(e.AWS_SESSION_TOKEN !== undefined && { sessionToken: e.AWS_SESSION_TOKEN }),
          }
        : undefined,
  };
}
