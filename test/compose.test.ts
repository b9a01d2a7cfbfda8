import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { Client } from 'pg';
import { parse } from 'yaml';
import { readConfig } from '../runtime/config.ts';
import { EnvironmentSchema } from '../runtime/environment.ts';
import type { Environment } from '../runtime/environment.ts';

interface Service {
  command?: string[];
  build?: unknown;
  environment?: Record<string, string>;
  env_file?: { path: string }[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  restart?: string;
  ports?: string[];
  image?: string;
  read_only?: boolean;
  init?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  logging?: { options: Record<string, string> };
  container_name?: string;
  volumes?: (string | object)[];
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** What the owner of an installation writes into `.env`. */
const OWN_SETTINGS: Record<string, string> = {
  RELEASE: '1.2.3',
  POSTGRES_PASSWORD: 'of the superuser',
  TEMPORAL_DATABASE_PASSWORD: 'of-temporal',
  DATABASE_PASSWORD: 'a/b#c?d&e f"g$h%i',
  JWT_SECRET: 'a secret of at least thirty-two characters',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
};

/** https://github.com/compose-spec/compose-spec/blob/main/12-interpolation.md */
function interpolate(value: string): string {
  return value.replaceAll(/\$\{(\w+)(?::?([-?])([^}]*))?\}/g, (_, name: string, operator?: string, word = '') => {
    return OWN_SETTINGS[name] ?? (operator === '-' ? String(word) : '');
  });
}

describe('docker-compose.yml', () => {
  const compose = parse(read('../docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
  const services = Object.entries(compose.services);
  /** The ones that run this project's image. */
  const ours = services.filter(([, service]) => service.build !== undefined);
  const environmentOf = (service: Service): Environment =>
    Object.fromEntries(Object.entries(service.environment ?? {}).map(([name, value]) => [name, interpolate(value)]));

  it('is valid against the Compose specification', () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(JSON.parse(read('./support/compose-spec.json')) as object);
    validate(compose);
    expect(validate.errors ?? []).to.deep.equal([]);
  });

  it('runs PostgreSQL, Temporal, its UI, the API and the worker', () => {
    expect(services.map(([name]) => name)).to.include.members(['postgres', 'temporal', 'temporal-ui', 'api', 'worker']);
    expect(ours.map(([name]) => name).sort()).to.deep.equal(['api', 'migrate', 'release', 'worker']);
  });

  for (const [name, service] of services) {
    it(`gives ${name} no more than it needs: powers, memory, disk for its log`, () => {
      expect(service).to.include({ read_only: true, init: true });
      expect(service.cap_drop).to.deep.equal(['ALL']);
      expect(service.security_opt).to.deep.equal(['no-new-privileges:true']);
      expect(service.mem_limit).to.match(/^\d+[mg]$/);
      expect(service.logging?.options).to.have.all.keys('max-size', 'max-file');
    });

    it(`pins the version of ${name}, and lets there be many of it`, () => {
      expect(interpolate(service.image ?? '')).to.match(/:\d+\.\d+(\.\d+)?$/);
      expect(service.container_name).to.equal(undefined);
      const files = (service.volumes ?? [])
        .filter((volume) => typeof volume === 'string')
        .filter((it) => it.startsWith('.'));
      for (const file of files) expect(existsSync(new URL(`../${file.split(':')[0]}`, import.meta.url))).to.be.true;
    });
  }

  for (const [name, { healthcheck, restart }] of services) {
    if (restart?.startsWith('on-failure')) continue; // runs once and ends
    it(`checks the health of ${name}, and starts it again`, () => {
      expect(healthcheck?.test).to.be.an('array').that.is.not.empty;
      expect(healthcheck?.test[0]).to.be.oneOf(['CMD', 'CMD-SHELL']);
      expect(restart).to.be.oneOf(['always', 'unless-stopped']);
    });
  }

  for (const [name, service] of ours) {
    describe(name, () => {
      it('has all the settings that it cannot start without, for production', () => {
        const config = readConfig(environmentOf(service));
        expect(config.isProduction).to.equal(true);
        expect(config.temporal.address).to.equal('temporal:7233');
        expect(new Client(config.database.url)).to.include({
          host: 'postgres',
          password: OWN_SETTINGS['DATABASE_PASSWORD'],
        });
      });

      it("gets the owner's own settings, such as the vendors' keys", () => {
        expect(service.env_file?.map(({ path }) => path)).to.include('.env');
      });

      it('is given no variable that the service does not know', () => {
        expect(Object.keys(EnvironmentSchema.shape)).to.include.members(Object.keys(service.environment ?? {}));
      });

      it('refuses to start before its secrets are set', () => {
        const values = Object.values(service.environment ?? {}).join('\n');
        for (const secret of ['DATABASE_PASSWORD', 'JWT_SECRET', 'ENCRYPTION_KEY'])
          expect(values).to.contain(`\${${secret}:?`);
      });

      it('runs files that exist', () => {
        const scripts = [...(service.command ?? []), ...(service.healthcheck?.test ?? [])].filter((word) =>
          /^[\w/-]+\.ts$/.test(word),
        );
        expect(scripts).not.to.be.empty;
        for (const script of scripts) expect(existsSync(new URL(`../${script}`, import.meta.url)), script).to.be.true;
      });
    });
  }

  for (const name of ['api', 'worker']) {
    it(`starts ${name} when the schema is migrated`, () => {
      const completed = { condition: 'service_completed_successfully' };
      expect(compose.services[name]?.depends_on).to.deep.include({ migrate: completed });
    });
  }

  it('lets the API be reached by the proxy alone, which it trusts', () => {
    const api = compose.services['api']!;
    const { http } = readConfig(environmentOf(api));
    expect(http).to.deep.include({ host: '0.0.0.0', trustedProxies: 1 });
    expect(api.ports).to.equal(undefined);
    expect(read('../deploy/Caddyfile')).to.contain(`api ${http.port}`);
  });

  it('publishes nothing but the proxy beyond this machine', () => {
    for (const [name, { ports = [] }] of services) {
      if (name !== 'caddy') for (const port of ports) expect(port, name).to.match(/^127\.0\.0\.1:/);
    }
  });

  it('leaves enough connections of PostgreSQL for two APIs, four workers and Temporal', () => {
    const bound = (name: string) => Number(compose.services['temporal']!.environment?.[name]);
    const temporal = 4 * (bound('SQL_MAX_CONNS') + bound('SQL_VIS_MAX_CONNS'));
    const pool = readConfig(environmentOf(compose.services['worker']!)).database.poolMax;
    const most = /max_connections=(\d+)/.exec(compose.services['postgres']!.command?.join(' ') ?? '')?.[1];
    expect(2 * (pool + 1) + 4 * pool + 2 + temporal).to.be.lessThan(0.8 * Number(most));
  });
});
