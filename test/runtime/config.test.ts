import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from 'pg';
import { PROVIDERS } from '../../contract/constants.ts';
import { keyVariable } from '../../contract/providers.ts';
import { ConfigError, readConfig } from '../../runtime/config.ts';
import { EnvironmentSchema } from '../../runtime/environment.ts';
import type { Environment } from '../../runtime/environment.ts';

const VALUE = 'hunter2-is-my-value';

/** Whatever is required; where the audio goes may be. */
const VALID: Environment = {
  DATABASE_URL: 'postgresql://u:p@localhost/db',
  TEMPORAL_ADDRESS: 'localhost:7233',
  JWT_SECRET: 'a secret of at least thirty-two characters',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  AUDIO_STORE: '/tmp/audio',
};

function problemOf(env: Environment): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('The configuration', () => {
  it('that is valid is read', () => {
    expect(problemOf(VALID)).to.equal('');
    const { http, isProduction, vendors } = readConfig({ ...VALID, PORT: '8080', PROVIDER_RETRY_WINDOW_S: '5' });
    expect(isProduction).to.equal(false);
    expect(http).to.include({ port: 8080, host: '127.0.0.1' });
    expect(vendors.retryWindowMs).to.equal(5_000);
  });

  it('names everything that is missing, at once', () => {
    const problem = problemOf({});
    for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'JWT_SECRETS', 'ENCRYPTION_KEYS']) {
      expect(problem).to.contain(`${name} is required`);
    }
  });

  const picky = Object.keys(EnvironmentSchema.shape).filter((name) => problemOf({ ...VALID, [name]: VALUE }) !== '');

  it('is checked in most of its variables', () => {
    expect(picky).to.include.members(['PORT', 'DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'OPENAI_BASE_URL']);
    expect(picky.length).to.be.greaterThan(20);
  });

  for (const name of picky) {
    it(`with a wrong ${name} is refused by name, and the value is not shown`, () => {
      const problem = problemOf({ ...VALID, [name]: VALUE });
      expect(problem).to.contain(name).and.not.to.contain('hunter2');
    });
  }

  it('takes several encryption keys, the newest first, and one more under the old name', () => {
    const [newest, older, oldest] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const ringOf = (env: Environment) => readConfig({ ...VALID, ...env }).encryptionKeys.map((key) => key[0]);
    expect(ringOf({ ENCRYPTION_KEYS: `${newest}, ${older}`, ENCRYPTION_KEY: oldest })).to.deep.equal([1, 2, 3]);
    expect(ringOf({ ENCRYPTION_KEYS: newest, ENCRYPTION_KEY: newest })).to.deep.equal([1]);
    expect(ringOf({ ENCRYPTION_KEYS: newest, ENCRYPTION_KEY: '' })).to.deep.equal([1]);
    expect(problemOf({ ...VALID, ENCRYPTION_KEYS: `${newest},c2hvcnQ=` })).to.contain('ENCRYPTION_KEYS');
  });

  it('takes several secrets of login tokens in the same way', () => {
    const [newest = '', older = ''] = ['n', 'o'].map((letter) => letter.repeat(32));
    const ringOf = (env: Environment) => readConfig({ ...VALID, ...env }).jwtSecrets;
    expect(ringOf({ JWT_SECRETS: `${newest},${older}` })).to.deep.equal([newest, older, VALID['JWT_SECRET']]);
    expect(problemOf({ ...VALID, JWT_SECRETS: `${newest},short` })).to.contain('JWT_SECRETS');
  });

  it('takes only http and https as base URLs', () => {
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'localhost', '//host']) {
      expect(problemOf({ ...VALID, OPENAI_BASE_URL: url }), url).to.contain('OPENAI_BASE_URL');
    }
    expect(readConfig({ ...VALID, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }).providers.openai.baseUrl).to.equal(
      'http://127.0.0.1:1/v1',
    );
  });

  it('gives each provider the key of the variable that is named for it', () => {
    for (const name of PROVIDERS) {
      const { providers } = readConfig({ ...VALID, [keyVariable(name)]: 'its-key' });
      expect(providers[name].apiKey, name).to.equal('its-key');
    }
    expect(readConfig(VALID).providers.openai.apiKey).to.equal(undefined);
  });

  it("uses OpenAI's key for Whisper, unless it has its own", () => {
    const env = { ...VALID, OPENAI_API_KEY: 'openai' };
    expect(readConfig(env).providers.whisper.apiKey).to.equal('openai');
    expect(readConfig({ ...env, WHISPER_API_KEY: 'own' }).providers.whisper.apiKey).to.equal('own');
  });

  it("never sends OpenAI's key to a server of one's own", () => {
    const env = { ...VALID, OPENAI_API_KEY: 'openai', WHISPER_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect(readConfig(env).providers.whisper.apiKey).to.equal('none');
  });

  it('takes an empty variable for one that is not set', () => {
    const { http } = readConfig({ ...VALID, HOST: '', PORT: '', REQUEST_WAIT_S: '' });
    expect(http).to.include({ host: '127.0.0.1', port: 3000, waitMs: 60_000 });
  });

  it('takes a password of any characters apart from the address', () => {
    const password = 'a/b#c?d&e f"g$h%i\'ü';
    const { database } = readConfig({ ...VALID, DATABASE_URL: 'postgresql://u@h/db', DATABASE_PASSWORD: password });
    expect(new Client(database.url)).to.include({ user: 'u', host: 'h', database: 'db', password });
  });

  it('takes secrets from files, and names what is wrong with them', () => {
    const directory = mkdtempSync(join(tmpdir(), 'cas-config-'));
    const file = join(directory, 'secret');
    writeFileSync(file, `${VALID['JWT_SECRET']}\n`);
    const { JWT_SECRET: _, ...rest } = VALID;
    expect(readConfig({ ...rest, JWT_SECRET_FILE: file }).jwtSecrets).to.deep.equal([VALID['JWT_SECRET']]);
    expect(problemOf({ ...VALID, JWT_SECRET_FILE: file })).to.contain('JWT_SECRET and JWT_SECRET_FILE');
    expect(problemOf({ ...VALID, OPENAI_API_KEY_FILE: join(directory, 'none') })).to.contain('OPENAI_API_KEY_FILE');
    rmSync(directory, { recursive: true });
  });

  it('takes lists with blanks and empty places', () => {
    const { webhooks } = readConfig({ ...VALID, WEBHOOK_ALLOW_HOSTS: ' 10.0.0.0/8, ,host ,' });
    expect(webhooks.allowHosts).to.deep.equal(['10.0.0.0/8', 'host']);
  });

  describe('in production', () => {
    const production = { ...VALID, NODE_ENV: 'production' };

    it('refuses stand-in vendors', () => {
      expect(problemOf({ ...production, SIMULATED_PROVIDERS: 'openai' })).to.contain('SIMULATED_PROVIDERS');
      expect(readConfig({ ...VALID, SIMULATED_PROVIDERS: 'openai' }).providers.openai.isSimulated).to.equal(true);
    });

    it('refuses vendors and webhooks on this machine, however they are written, and takes others', () => {
      for (const url of ['http://localhost:1', 'http://127.0.0.1', 'http://[::1]', 'http://0.0.0.0', 'http://127.1']) {
        expect(problemOf({ ...production, WHISPER_BASE_URL: url }), url).to.contain('WHISPER_BASE_URL');
      }
      for (const hosts of [
        'localhost',
        '127.0.0.0/8',
        '::1',
        '0.0.0.0/0',
        '::/0',
        '126.0.0.0/7',
        'a.example,127.0.0.1',
      ]) {
        expect(problemOf({ ...production, WEBHOOK_ALLOW_HOSTS: hosts }), hosts).to.contain('WEBHOOK_ALLOW_HOSTS');
      }
      const fit = { WHISPER_BASE_URL: 'http://10.0.0.9:9000', WEBHOOK_ALLOW_HOSTS: '10.0.0.0/8,fd00::/8,inside' };
      expect(problemOf({ ...production, ...fit })).to.equal('');
    });

    it('lets webhooks reach no private network by itself', () => {
      const { isProduction, webhooks } = readConfig(production);
      expect([isProduction, webhooks.allowHosts]).to.deep.equal([true, []]);
    });
  });
});
