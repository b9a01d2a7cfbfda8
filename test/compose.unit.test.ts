import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { parse } from 'yaml';
import { readConfig } from '../runtime/settings/config.ts';
import { EnvironmentSchema, type Environment } from '../runtime/settings/environment.ts';

interface Service {
  command?: string[];
  environment?: Record<string, string>;
  env_file?: { path: string }[];
  ports?: string[];
  networks?: string[] | Record<string, unknown>;
  depends_on?: Record<string, { condition: string }>;
}

const networksOf = ({ networks = [] }: Service) => (Array.isArray(networks) ? networks : Object.keys(networks));

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The settings in an installation's `.env`. */
const OWN_SETTINGS: Record<string, string> = {
  DATABASE_PASSWORD: 'a/b#c?d&e f"g$h%i',
  JWT_SECRETS: 'a secret of at least thirty-two characters',
  ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
  POSTGRES_PASSWORD: 'of the superuser',
  TEMPORAL_DATABASE_PASSWORD: "of Temporal's role",
  OPENAI_API_KEY: 'of the provider',
  SMTP_URL: 'smtp://u:p@mail.example.com',
  OIDC_CLIENT_SECRET: 'of the client',
};

/** Secrets that an installation may lack. */
const OPTIONAL = ['OPENAI_API_KEY', 'SMTP_URL', 'OIDC_CLIENT_SECRET'];

/** The long-running processes of the service, with the keys that they need. */
const SERVERS = { api: ['JWT_SECRETS', 'ENCRYPTION_KEYS'], worker: ['ENCRYPTION_KEYS'] } as const;

/** Settings that only Compose uses. The processes do not receive them. */
const OTHERS = ['POSTGRES_PASSWORD', 'TEMPORAL_DATABASE_PASSWORD'];

/** The secrets of each container. Containers that are not listed have none. */
const SECRETS_OF: Record<string, string[]> = {
  postgres: ['POSTGRES_PASSWORD', 'DATABASE_PASSWORD', 'TEMPORAL_DATABASE_PASSWORD'],
  'temporal-schema': ['TEMPORAL_DATABASE_PASSWORD'],
  temporal: ['TEMPORAL_DATABASE_PASSWORD'],
  migrate: ['DATABASE_PASSWORD'],
  api: ['DATABASE_PASSWORD', 'JWT_SECRETS', 'ENCRYPTION_KEYS', 'OPENAI_API_KEY', 'SMTP_URL', 'OIDC_CLIENT_SECRET'],
  worker: ['DATABASE_PASSWORD', 'ENCRYPTION_KEYS', 'OPENAI_API_KEY'],
};

/** https://github.com/compose-spec/compose-spec/blob/main/12-interpolation.md */
function interpolate(value: string): string {
  return value.replaceAll(/\$\{(\w+)(?::?([-?])([^}]*))?\}/g, (_, name: string, operator?: string, word = '') => {
    return OWN_SETTINGS[name] ?? (operator === '-' ? String(word) : '');
  });
}

/** Guarantees that Compose itself cannot check. `npm run validate:deploy` validates the file with Compose. */
describe('docker-compose.yml', () => {
  const compose = parse(read('../docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
  const services = Object.entries(compose.services);
  const environmentOf = (service: Service): Environment =>
    Object.fromEntries(Object.entries(service.environment ?? {}).map(([name, value]) => [name, interpolate(value)]));

  for (const [name, service] of services) {
    it(`gives ${name} no more privileges, memory and log space than it needs`, () => {
      expect(service).to.include({ read_only: true, init: true });
      expect(service).to.deep.include({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      expect(service).to.have.property('mem_limit');
      expect(service).to.have.nested.property('logging.options.max-size');
    });
  }

  for (const [name, rings] of Object.entries(SERVERS)) {
    it(`gives ${name} all required production settings, and none that the service does not know`, () => {
      const service = compose.services[name]!;
      const { isProduction, temporal, database } = readConfig(environmentOf(service), rings);
      expect([isProduction, temporal.address]).to.deep.equal([true, 'temporal:7233']);
      const password = OWN_SETTINGS['DATABASE_PASSWORD'];
      expect(new Client(database.url)).to.include({ host: 'postgres', password });
      expect([...Object.keys(EnvironmentSchema.shape), ...OTHERS]).to.include.members(
        Object.keys(service.environment ?? {}),
      );
      expect(service.env_file?.map(({ path }) => path)).to.include('.env');
    });
  }

  for (const [name, service] of services) {
    it(`gives ${name} its own secrets only, and does not start it without them`, () => {
      const given = { ...(service.env_file ? OWN_SETTINGS : {}), ...environmentOf(service) };
      const held = Object.entries(OWN_SETTINGS).filter(([, value]) => Object.values(given).includes(value));
      expect(held.map(([secret]) => secret)).to.have.members(SECRETS_OF[name] ?? []);
      const values = Object.values(service.environment ?? {}).join('\n');
      const required = (SECRETS_OF[name] ?? []).filter((secret) => !OPTIONAL.includes(secret));
      for (const secret of required) expect(values).to.contain(`\${${secret}:?`);
    });
  }

  it('separates the proxy from PostgreSQL and Temporal', () => {
    const reachable = services.filter(([, service]) => networksOf(service).includes('edge')).map(([name]) => name);
    expect(reachable).to.have.members(['caddy', 'api']);
    expect(compose.services['caddy']?.networks).to.deep.equal(['edge']);
    for (const [name, service] of services) expect(networksOf(service), name).not.to.deep.equal([]);
  });

  it('starts the services with published ports last, because a taken port ends `up`', () => {
    const needed = services.flatMap(([, service]) => Object.keys(service.depends_on ?? {}));
    for (const [name, { ports, depends_on: before }] of services) {
      if (!ports) continue;
      expect(before, name).to.deep.include({ release: { condition: 'service_completed_successfully' } });
      expect(needed).not.to.include(name);
      for (const port of ports) expect(port, name).to.match(/\$\{[A-Z_]+PORT:-\d+\}:/);
    }
  });

  it('publishes only the proxy to other machines, and the API trusts this proxy', () => {
    for (const [name, { ports = [] }] of services)
      if (name !== 'caddy') for (const port of ports) expect(port, name).to.match(/^127\.0\.0\.1:/);
    const api = compose.services['api']!;
    expect(api.ports).to.equal(undefined);
    expect(readConfig(environmentOf(api)).http).to.deep.include({ host: '0.0.0.0', trustedProxies: 1 });
  });

  it('has enough PostgreSQL connections for two APIs, four workers and Temporal', () => {
    const bound = (name: string) => Number(compose.services['temporal']!.environment?.[name]);
    const temporal = 4 * (bound('SQL_MAX_CONNS') + bound('SQL_VIS_MAX_CONNS'));
    const pool = readConfig(environmentOf(compose.services['worker']!), SERVERS.worker).database.poolMax;
    const most = /max_connections=(\d+)/.exec(compose.services['postgres']!.command?.join(' ') ?? '')?.[1];
    expect(2 * (pool + 1) + 4 * pool + 2 + temporal).to.be.lessThan(0.8 * Number(most));
  });
});
