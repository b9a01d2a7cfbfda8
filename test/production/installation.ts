/** Runs an installation in its production shape as processes on this machine, with providers, webhook receiver and store. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PROVIDERS } from '../../contract/values/providers.ts';
import type { Say } from '../../local/fetch-once.ts';
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';
import type { Stop } from '../../runtime/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startTestS3 } from '../support/s3.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { startHttpProxy, type HttpProxy } from './http-proxy.ts';
import type { Part } from './part.ts';
import { DATABASE_PASSWORD, startServers } from './servers.ts';
import { createApi, createWorker, runOnce, type Api, type Release, type ServiceSettings } from './service.ts';

/** Number of APIs and of workers, as in docker-compose.yml. */
const REPLICAS = 2;

export interface Releases {
  /** The current checkout. */
  current: Release;
  /** The release before it. */
  former: Release;
}

export interface Installation {
  /** The public entry point. */
  proxy: HttpProxy;
  postgres: Part;
  temporal: Part;
  /** Replaced when the release changes. */
  apis: Api[];
  workers: Part[];
  release: Release;
  releases: Releases;
  settings: ServiceSettings;
  /** The service's proxy to the providers. */
  providers: HttpProxy;
  /** The service's proxy to the store of recordings. */
  s3: TcpProxy;
  /** Responds to every webhook with 200. */
  receiver: Receiver;
  /** The service's database, connected as superuser. */
  database: pg.Pool;
}

export interface Start {
  releases: Releases;
  /** The release to start with. */
  release: Release;
  say: Say;
  /** Receives a stop function for each started part. Run them in reverse order. */
  stops: Stop[];
}

/** Starts everything with `release` as the current release. Temporal is configured as in this checkout. */
export async function startInstallation({ releases, release, say, stops }: Start): Promise<Installation> {
  const directory = mkdtempSync(join(tmpdir(), 'cas-production-'));
  mkdirSync(join(directory, 'run'));
  stops.push(() => rmSync(directory, { recursive: true, force: true }));
  const outside = await startOutside(stops);
  const servers = await startServers(directory, releases.current, say);
  stops.push(() => servers.postgres.stop());
  stops.push(() => servers.temporal.stop());
  const database = new pg.Pool({ connectionString: servers.adminUrl, max: 2 });
  database.on('error', () => undefined); // the next query reports the error
  stops.push(() => database.end());

  const env = {
    ...standInEnvironment(PROVIDERS, outside.providers.url),
    DATABASE_URL: servers.databaseUrl,
    DATABASE_PASSWORD,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    JWT_SECRETS: randomBytes(32).toString('hex'),
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    AUDIO_STORE: 's3://recordings/calls',
    AUDIO_S3_ENDPOINT: `http://127.0.0.1:${outside.s3.port}`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    // NODE_ENV=production would refuse loopback addresses, which this test uses for everything.
    WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
  };
  const settings = { env, directory };
  say('The service: migrating, and starting two APIs and two workers …');
  await runOnce(release, settings, ['db/run-migrations.ts']);
  const installation: Installation = {
    ...outside,
    ...servers,
    settings,
    database,
    release,
    releases,
    apis: [],
    workers: [],
    proxy: await startHttpProxy([]),
  };
  stops.push(() => installation.proxy.stop());
  stops.push(async () => {
    await Promise.all([...installation.apis, ...installation.workers].map((part) => part.stop()));
  });
  installation.workers = await startWorkers(installation, release);
  await runOnce(release, settings, ['worker/run-release.ts']);
  for (let n = 0; n < REPLICAS; n++) await addApi(installation, release);
  return installation;
}

/** Starts the services that others operate: providers, store and webhook receiver. */
async function startOutside(stops: Stop[]) {
  const keep = async <T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    stops.push(() => started.stop().then(() => undefined));
    return started;
  };
  const standIns = await keep(startStandIns());
  const providers = await keep(startHttpProxy([standIns.url]));
  const store = await keep(startTestS3());
  const s3 = await keep(startTcpProxy({ port: Number(new URL(store.url).port) }));
  const receiver = await keep(startReceiver());
  return { providers, s3, receiver };
}

/** Starts workers of the release, beside the running ones. */
export async function startWorkers({ settings }: Installation, release: Release): Promise<Part[]> {
  const workers = await Promise.all(Array.from({ length: REPLICAS }, () => createWorker(release, settings)));
  await Promise.all(workers.map((worker) => worker.start()));
  return workers;
}

/** Starts an API of the release and adds it to the proxy. */
export async function addApi(installation: Installation, release: Release): Promise<void> {
  const api = await createApi(release, installation.settings);
  await api.start();
  installation.apis.push(api);
  installation.proxy.targets.push(api.url);
}

/** Removes the oldest API from the proxy and stops it. */
export async function removeApi(installation: Installation): Promise<void> {
  installation.proxy.targets.shift();
  await installation.apis.shift()?.stop();
}
