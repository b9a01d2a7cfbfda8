/** Reads the environment, once per process. */
import { toAsciiDomain } from '../../contract/values/domain.ts';
import { z } from 'zod';
import {
  API_BASE,
  type LlmProviderName,
  type MemberRole,
  type SttProviderName,
} from '../../contract/values/constants.ts';
import {
  keyVariable,
  STEP_PROVIDERS,
  stepProvider,
  urlVariable,
  type StepProvider,
} from '../../contract/values/providers.ts';
import { EnvironmentSchema, type Environment, type Settings } from './environment.ts';
import { isLoopback } from '../network/loopback.ts';
import { MAX_HEAP_BYTES, OPEN_FILES_LIMIT } from '../process/process-limits.ts';
import { readProxies, withProxyNames } from './proxy-settings.ts';
import { findNearNames } from './near-names.ts';
import { findProductionProblems } from './production.ts';
import { checkSettings } from './setting-rules.ts';
import { findLoginProblems, JOIN_RULE } from './sign-in-settings.ts';
import { readSecretFiles } from './secret-files.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Settings with keys, which not every process needs. */
const KEY_LISTS = ['JWT_SECRETS', 'ENCRYPTION_KEYS'] as const;

type KeyListName = (typeof KEY_LISTS)[number];

export interface ProviderAccess {
  /** Undefined if the provider can't be used. */
  apiKey: string | undefined;
  /** Undefined: the provider's own. */
  baseUrl: string | undefined;
  isSimulated: boolean;
  /** Model of an assistant without a model; null: none. */
  defaultModel: string | null;
  /** The only models of `local`; empty: any. */
  models: readonly string[];
}

export type Config = ReturnType<typeof readConfig>;

/** The environment is invalid. The message names variables and rules, never values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Returns the schema for a process that reads only these keys. The others are empty. */
function schemaFor(keyLists: readonly KeyListName[]): z.ZodType<Settings> {
  const read = (name: KeyListName) => (keyLists.includes(name) ? EnvironmentSchema.shape[name] : NO_KEYS);
  return EnvironmentSchema.extend({ JWT_SECRETS: read('JWT_SECRETS'), ENCRYPTION_KEYS: read('ENCRYPTION_KEYS') });
}

const NO_KEYS = z
  .string()
  .optional()
  .transform((): string[] => []);

/** Checks the environment and returns its settings. Throws one `ConfigError` that lists every problem. */
function readSettings(env: Environment, keyLists: readonly KeyListName[]): Settings {
  const { env: given, problems } = readSecretFiles(env);
  const settings = checkSettings(schemaFor(keyLists), given, problems);
  if (settings) problems.push(...findConflicts(settings));
  if (problems.length > 0 || !settings) throw new ConfigError(problems.join('; '));
  return settings;
}

/** Returns a sentence for each setting that does not fit the others. */
function findConflicts(settings: Settings): string[] {
  const { DEFAULT_MONTHLY_BUDGET_USD: initial = 0, MAX_MONTHLY_BUDGET_USD: max = Infinity } = settings;
  return [
    ...(settings.NODE_ENV === 'production' ? findProductionProblems(settings) : []),
    ...(initial > max ? ['DEFAULT_MONTHLY_BUDGET_USD must not be above MAX_MONTHLY_BUDGET_USD'] : []),
    ...findLoginProblems(settings),
    ...NEEDS.filter(([name, other]) => settings[name] !== undefined && settings[other] === undefined).map(
      ([name, other]) => `${other} is required with ${name}`,
    ),
  ];
}

/** A setting, and another that it needs. */
const NEEDS = [
  ['SMTP_URL', 'PUBLIC_URL'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['OIDC_ISSUER', 'PUBLIC_URL'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  ['LOCAL_LLM_API_KEY', 'LOCAL_LLM_BASE_URL'],
  ['LOCAL_STT_API_KEY', 'LOCAL_STT_BASE_URL'],
] as const;

/**
 * Reads the environment. Throws one `ConfigError` that lists every problem.
 * @param keyLists the keys that the process needs. The others may be missing.
 */
export function readConfig(env: Environment, keyLists: readonly KeyListName[] = KEY_LISTS) {
  const e = readSettings(withProxyNames(env), keyLists);
  return {
    warnings: findNearNames(env),
    isProduction: e.NODE_ENV === 'production',
    commit: env['GIT_COMMIT'] || undefined,
    logLevel: e.LOG_LEVEL,
    http: {
      host: e.HOST,
      port: e.PORT,
      trustedProxies: e.TRUSTED_PROXIES,
      corsOrigins: e.CORS_ORIGINS,
      allowedHosts: readAllowedHosts(e),
      /** Longest wait of a request for its result. */
      waitMs: 60_000,
      maxConnections: Math.floor(OPEN_FILES_LIMIT / 2),
      /** Bytes of responses that clients have not read, in this process. A quarter of it for each person in the console, or the programs of one owner's workspaces. */
      unreadBytes: MAX_HEAP_BYTES / 8,
      /** A client that takes no byte of its response for this time is disconnected. */
      unreadMs: 30_000,
      /** Open streams of `GET /v1/events` in one API process, of one person in the console or the programs of one owner's workspaces. */
      eventStreams: 20,
      maxOpenSessions: e.MAX_OPEN_SESSIONS_PER_WORKSPACE,
      requestsPerMinute: e.RATE_LIMIT_PER_MINUTE,
      requestsPerMinuteAndAddress: Math.ceil(e.RATE_LIMIT_PER_MINUTE / 10),
    },
    metrics: { port: e.METRICS_PORT, host: e.METRICS_HOST },
    tracing: { endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT },
    database: { url: readDatabaseUrl(e), poolMax: e.DATABASE_POOL_MAX, disk: e.DATABASE_DISK },
    temporal: {
      address: e.TEMPORAL_ADDRESS,
      namespace: e.TEMPORAL_NAMESPACE,
      tls: e.TEMPORAL_TLS || e.TEMPORAL_API_KEY !== undefined,
      apiKey: e.TEMPORAL_API_KEY,
    },
    temporalUiUrl: e.TEMPORAL_UI_URL,
    jwtSecrets: e.JWT_SECRETS,
    encryptionKeys: e.ENCRYPTION_KEYS.map((key) => Buffer.from(key, 'base64')),
    hasMoved: e.INSTALLATION_MOVED,
    shutdownGraceMs: e.SHUTDOWN_GRACE_S * 1_000,
    worker: { buildId: e.WORKER_BUILD_ID, callsPerProvider: e.WORKER_CALLS_PER_PROVIDER },
    quotas: readQuotas(e),
    calls: {
      timeoutMs: e.PROVIDER_TIMEOUT_S * 1_000,
      sttTimeoutMs: e.STT_TIMEOUT_S * 1_000,
      retryWindowMs: e.PROVIDER_RETRY_WINDOW_S * 1_000,
      pricesFile: e.PRICES_FILE,
      /** US dollars that calls of unknown price count in budgets. */
      unknownPrices: { perMtokUsd: 20, perAudioHourUsd: 1 },
    },
    budgets: readBudgets(e),
    allowedModels: e.ALLOWED_MODELS,
    proxies: readProxies(e),
    webhooks: { allowHosts: e.WEBHOOK_ALLOW_HOSTS, dnsServers: e.DNS_SERVERS },
    registration: e.REGISTRATION,
    sharedLinks: e.SHARED_LINKS,
    /** Origin of links in emails. */
    publicUrl: e.PUBLIC_URL,
    passwordLogin: e.PASSWORD_LOGIN,
    sso: readSso(e),
    mail: e.SMTP_URL === undefined ? undefined : readMail(e.SMTP_URL, e.MAIL_FROM),
    audio: {
      store: readAudioStore(e),
      maxBytes: e.MAX_AUDIO_MIB * MIB,
      minFreeBytes: Math.max(GIB, 2 * e.MAX_AUDIO_MIB * MIB),
      /** Longest pause in an upload. */
      uploadIdleMs: 30_000,
      retentionDays: e.AUDIO_RETENTION_DAYS,
      urlAllowHosts: e.AUDIO_URL_ALLOW_HOSTS,
      fetchWindowMs: e.AUDIO_FETCH_WINDOW_S * 1_000,
    },
    sessionRetentionDays: e.SESSION_RETENTION_DAYS,
    redaction: { url: e.REDACTION_URL, languages: e.REDACTION_LANGUAGES, regions: e.REDACTION_REGIONS },
    providers: readProviders(e),
  };
}

/** Returns the OpenID Connect provider; undefined: none. */
function readSso(e: Settings) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId = '', PUBLIC_URL: publicUrl } = e;
  if (issuer === undefined) return undefined;
  return {
    issuer,
    proxies: readProxies(e),
    clientId,
    clientSecret: e.OIDC_CLIENT_SECRET,
    tokenAuth: e.OIDC_TOKEN_AUTH,
    redirectUri: `${publicUrl}${API_BASE}/v1/auth/oidc/callback`,
    loggedOutUri: `${publicUrl}/console/login`,
    name: e.OIDC_NAME,
    scopes: e.OIDC_SCOPES,
    emailClaim: e.OIDC_EMAIL_CLAIM,
    trustsEmail: e.OIDC_TRUST_EMAIL,
    autoCreates: e.OIDC_AUTO_CREATE,
    allowedDomains: e.OIDC_ALLOWED_DOMAINS.map((domain) => toAsciiDomain(domain).toLowerCase()),
    allowedGroups: e.OIDC_ALLOWED_GROUPS,
    groupsClaim: e.OIDC_GROUPS_CLAIM,
    groupWorkspaces: e.OIDC_GROUP_WORKSPACES,
    join: e.JOIN.map((rule) => {
      const [, domain = '', workspaceId = '', role] = JOIN_RULE.exec(rule) ?? [];
      return { domain: toAsciiDomain(domain).toLowerCase(), workspaceId, role: role as MemberRole };
    }),
    loginHours: e.OIDC_LOGIN_HOURS,
    strongAcr: e.OIDC_STRONG_ACR,
  };
}

const readMail = (url: string, from = '') => ({ url, from, timeoutMs: 10_000, retryDelaysMs: [5_000, 20_000] });

/**
 * Returns the database's URL with the separate password, which may contain any character, and with the `sslmode` of libpq:
 * without `uselibpqcompat`, the driver would check the certificate with every mode. Text, because a URL with the folder of a
 * socket (`postgresql://user@/name?host=/cloudsql/…`) is not one of the URL standard.
 */
export function readDatabaseUrl({
  DATABASE_URL: url,
  DATABASE_PASSWORD: password,
}: Pick<Settings, 'DATABASE_URL' | 'DATABASE_PASSWORD'>): string {
  const [address = '', query = ''] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  if (password !== undefined) parameters.set('password', password);
  const mode = parameters.get('sslmode') ?? '';
  if (mode === 'verify-ca' && !parameters.has('sslrootcert')) parameters.set('sslmode', 'verify-full');
  else if (LIBPQ_MODES.includes(mode)) parameters.set('uselibpqcompat', 'true');
  return parameters.size === 0 ? url : `${address}?${parameters.toString()}`;
}

const LIBPQ_MODES = ['prefer', 'require', 'verify-ca'];

/** Returns the served host names besides loopback; undefined: all. */
function readAllowedHosts(e: Settings): string[] | undefined {
  const isLocal = isLoopback(e.HOST) && e.TRUSTED_PROXIES === 0;
  return e.ALLOWED_HOSTS.length > 0 || isLocal ? e.ALLOWED_HOSTS : undefined;
}

function readQuotas(e: Settings) {
  return {
    assistants: 1_000,
    /** Prompts and fields of all assistants. */
    assistantBytes: 10_000_000,
    apiKeys: 100,
    members: 500,
    /** Open ones. */
    invitations: 50,
    /** Workspaces that one user owns. */
    workspaces: 10,
    runningBatches: 10,
    sessionsPerBatch: 100_000,
    storedAudioBytes: e.MAX_STORED_AUDIO_MIB_PER_WORKSPACE * MIB || Infinity,
    storedTextBytes: e.MAX_STORED_TEXT_MIB_PER_WORKSPACE * MIB || Infinity,
  };
}

function readProviders(e: Settings) {
  const ofStep = (step: StepProvider['step']) =>
    Object.fromEntries(
      STEP_PROVIDERS.filter((each) => each.step === step).map((each) => [each.name, readAccess(e, each)]),
    );
  return {
    analysis: ofStep('analysis') as Record<LlmProviderName, ProviderAccess>,
    transcription: ofStep('transcription') as Record<SttProviderName, ProviderAccess>,
  };
}

function readAccess(e: Settings, provider: StepProvider): ProviderAccess {
  const { name, step, key_shared_by: sharedBy, default_model } = provider;
  const baseUrl = e[urlVariable(provider)];
  const needsKey = name !== 'local' && sharedBy === undefined;
  // A shared key is sent only to its provider. A self-hosted server gets its own key, or none.
  const otherKey = sharedBy && e[keyVariable(stepProvider('analysis', sharedBy))];
  const apiKey = e[keyVariable(provider)] ?? (baseUrl && !needsKey ? 'none' : otherKey);
  const localModels = { analysis: e.LOCAL_LLM_MODELS, transcription: e.LOCAL_STT_MODELS }[step];
  const models = name === 'local' ? localModels : [];
  const isSimulated = e.SIMULATED_PROVIDERS.some((each) => each === name);
  return { apiKey, baseUrl, isSimulated, models, defaultModel: default_model ?? models[0] ?? null };
}

/** Returns the budgets in US dollars; null: no limit. */
function readBudgets(e: Settings) {
  return {
    defaultUsd: e.DEFAULT_MONTHLY_BUDGET_USD ?? null,
    maxUsd: e.MAX_MONTHLY_BUDGET_USD ?? null,
    installationUsd: e.INSTALLATION_MONTHLY_BUDGET_USD ?? null,
  };
}

function readAudioStore({ AUDIO_STORE: location, AUDIO_S3_ENDPOINT: endpoint }: Settings) {
  if (!/^\w\w+:/.test(location)) return { kind: 'folder' as const, directory: location };
  const [, bucket = '', path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(location) ?? [];
  if (bucket === '') throw new ConfigError('AUDIO_STORE must be a folder or s3://bucket/prefix');
  return {
    kind: 's3' as const,
    bucket,
    prefix: path === '' || path.endsWith('/') ? path : `${path}/`,
    endpoint,
    /** Longest time without any data from the store. */
    idleMs: 10_000,
  };
}
