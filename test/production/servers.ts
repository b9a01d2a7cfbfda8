/** Runs PostgreSQL and the Temporal server, set up with the files in deploy/ as in docker-compose.yml. */
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from '../../local/postgres.ts';
import { supervise } from '../../local/supervise.ts';
import { findTemporalCli } from '../../local/temporal-cli.ts';
import type { Say } from '../../local/fetch-once.ts';
import { answers } from '../../local/temporal-server.ts';
import { StartError } from '../../runtime/process.ts';
import { runCommand } from '../support/run-command.ts';
import { silentLog } from '../support/log.ts';
import { createPart, type Part } from './part.ts';
import { nextPort } from './ports.ts';
import type { Release } from './service.ts';
import { findTemporalPrograms } from './temporal-program.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));

/** Contains special characters, because the service's password may: docs/operations.md, "Compose". */
export const DATABASE_PASSWORD = 'a/b#c?d&e f$g%h';
const TEMPORAL_PASSWORD = "t/#?&'x%y";

/** Ports of the Temporal server's internal services. */
const TEMPORAL_PORTS = [
  'FRONTEND_GRPC',
  'FRONTEND_MEMBERSHIP',
  'FRONTEND_HTTP',
  'MATCHING_GRPC',
  'MATCHING_MEMBERSHIP',
  'HISTORY_GRPC',
  'HISTORY_MEMBERSHIP',
  'WORKER_GRPC',
  'WORKER_MEMBERSHIP',
];

export interface Servers {
  postgres: Part;
  temporal: Part;
  /** URL of the service's database for the superuser. */
  adminUrl: string;
  /** URL of the service's database as an installation sets it, without the password. */
  databaseUrl: string;
  temporalAddress: string;
}

/**
 * Starts both servers. Resolves when they respond.
 * @param directory folder for data and logs.
 * @param release the release with Temporal's dynamic configuration.
 */
export async function startServers(directory: string, release: Release, say: Say): Promise<Servers> {
  const programs = await findTemporalPrograms(process.env, say);
  const cli = await findTemporalCli(process.env, say);
  say('PostgreSQL: starting …');
  const { postgres, url } = await startDatabase(directory);
  const database = { POSTGRES_SEEDS: '127.0.0.1', DB_PORT: url.port, POSTGRES_USER: 'temporal' };
  const path = [programs.directory, dirname(cli), process.env['PATH']].join(delimiter);
  say('Temporal: making its tables …');
  await runScript('temporal-schema.sh', {
    ...database,
    PATH: path,
    SQL_PASSWORD: TEMPORAL_PASSWORD,
    SCHEMAS: programs.schemas,
  });
  say('Temporal: starting …');
  const ports: Record<string, string> = {};
  for (const name of TEMPORAL_PORTS) ports[`${name}_PORT`] = String(await nextPort());
  const behaviorFile = join(release.directory, 'deploy', 'temporal-dynamic-config.yaml');
  const temporalAddress = `127.0.0.1:${ports['FRONTEND_GRPC_PORT']}`;
  const temporal = createPart(() =>
    supervise(
      {
        name: 'Temporal',
        command: join(programs.directory, 'temporal-server'),
        args: ['start'],
        env: { ...database, ...ports, ...TEMPORAL_SETTINGS, DYNAMIC_CONFIG_FILE_PATH: behaviorFile },
        pidFile: join(directory, 'run', 'temporal.pid'),
        logFile: join(directory, 'run', 'temporal.log'),
        stopSignal: 'SIGTERM',
        isReady: () => answers(temporalAddress),
        isKeptUp: false,
      },
      silentLog,
    ),
  );
  await temporal.start();
  await runScript('temporal-namespace.sh', { PATH: path, TEMPORAL_ADDRESS: temporalAddress });
  return {
    postgres,
    temporal,
    temporalAddress,
    adminUrl: url.href,
    databaseUrl: `postgresql://app@127.0.0.1:${url.port}/app`,
  };
}

/** Temporal's settings in docker-compose.yml. */
const TEMPORAL_SETTINGS = {
  POSTGRES_PWD: TEMPORAL_PASSWORD,
  DB: 'postgres12_pgx',
  NUM_HISTORY_SHARDS: '512',
  SQL_MAX_CONNS: '20',
  SQL_VIS_MAX_CONNS: '10',
  BIND_ON_IP: '127.0.0.1',
  LOG_LEVEL: 'warn',
};

/** PostgreSQL's settings in docker-compose.yml that affect the results. */
const POSTGRES_SETTINGS = { max_connections: '300', autovacuum_naptime: '10s' };

async function startDatabase(directory: string): Promise<{ postgres: Part; url: URL }> {
  const options = { directory, password: 'superuser', port: await nextPort(), log: silentLog, isKeptUp: false };
  let url = '';
  const postgres = createPart(async () => {
    const running = await startPostgres({ ...options, settings: POSTGRES_SETTINGS });
    url = running.databaseUrl;
    return running;
  });
  await postgres.start();
  await makeRoles(url);
  const admin = new URL(url);
  admin.pathname = '/app';
  return { postgres, url: admin };
}

/** Does the same as deploy/postgres-roles.sh, which needs psql. Not every machine has psql. */
async function makeRoles(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [name, password] of [
    ['app', DATABASE_PASSWORD],
    ['temporal', TEMPORAL_PASSWORD],
  ] as const) {
    await client.query(`create role ${name} login password ${client.escapeLiteral(password)}`);
  }
  for (const [name, owner] of [
    ['app', 'app'],
    ['temporal', 'temporal'],
    ['temporal_visibility', 'temporal'],
  ]) {
    await client.query(`create database ${name} owner ${owner}`);
    await client.query(`revoke all on database ${name} from public`);
  }
  await client.end();
}

async function runScript(name: string, env: Record<string, string>): Promise<void> {
  const { code, output, errors } = await runCommand('sh', [join(DEPLOY, name)], env);
  if (code !== 0) throw new StartError(`deploy/${name} ended with ${String(code)}:\n${output}${errors}`);
}
