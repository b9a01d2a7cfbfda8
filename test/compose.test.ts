import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
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
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** What the owner of an installation writes into `.env`. */
const OWN_SETTINGS: Record<string, string> = {
  POSTGRES_PASSWORD: 'a-password',
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
    expect(ours.map(([name]) => name).sort()).to.deep.equal(['api', 'migrate', 'worker']);
  });

  for (const [name, { healthcheck, restart }] of services) {
    if (restart === 'no') continue; // runs once and ends
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
        expect(new URL(config.database.url)).to.include({ hostname: 'postgres', password: 'a-password' });
      });

      it("gets the owner's own settings, such as the vendors' keys", () => {
        expect(service.env_file?.map(({ path }) => path)).to.include('.env');
      });

      it('is given no variable that the service does not know', () => {
        expect(Object.keys(EnvironmentSchema.shape)).to.include.members(Object.keys(service.environment ?? {}));
      });

      it('refuses to start before its secrets are set', () => {
        const values = Object.values(service.environment ?? {}).join('\n');
        for (const secret of Object.keys(OWN_SETTINGS)) expect(values).to.contain(`\${${secret}:?`);
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
    it(`starts ${name} when the schema is migrated and Temporal is there`, () => {
      expect(compose.services[name]?.depends_on).to.deep.include({
        migrate: { condition: 'service_completed_successfully' },
        temporal: { condition: 'service_healthy' },
      });
    });
  }

  it('lets the API listen on its own network, at the port that is published', () => {
    const api = compose.services['api']!;
    const { http } = readConfig(environmentOf(api));
    expect(http.host).to.equal('0.0.0.0');
    expect(api.ports?.map((port) => Number(port.split(':').at(-1)))).to.deep.equal([http.port]);
  });

  it('publishes nothing beyond this machine', () => {
    for (const port of services.flatMap(([, service]) => service.ports ?? [])) expect(port).to.match(/^127\.0\.0\.1:/);
  });
});
