// cspell:ignore ajehof
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { keyVariable, STEP_PROVIDERS, urlVariable } from '../../../contract/values/providers.ts';
import { createPriceOf } from '../../../runtime/prices/prices.ts';
import { findNearNames } from '../../../runtime/settings/near-names.ts';
import { ConfigError, readConfig, type ProviderAccess } from '../../../runtime/settings/config.ts';
import { EnvironmentSchema, type Environment } from '../../../runtime/settings/environment.ts';
import { loadLibrarySecrets, readSecretFiles, SECRETS } from '../../../runtime/settings/secret-files.ts';
import { newFolder } from '../../support/new-folder.ts';

const VALUE = 'hunter2-is-my-value';

/** All required settings. */
const VALID: Environment = {
  DATABASE_URL: 'postgresql://u:p@localhost/db',
  TEMPORAL_ADDRESS: 'localhost:7233',
  JWT_SECRETS: 'a secret of at least thirty-two characters',
  ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
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
  it('is read if it is valid', () => {
    expect(problemOf(VALID)).to.equal('');
    const { http, isProduction, calls } = readConfig({ ...VALID, PORT: '8080', PROVIDER_RETRY_WINDOW_S: '5' });
    expect(isProduction).to.equal(false);
    expect(http).to.include({ port: 8080, host: '127.0.0.1' });
    expect(calls.retryWindowMs).to.equal(5_000);
  });

  it('names all missing settings at once', () => {
    const problem = problemOf({});
    for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'JWT_SECRETS', 'ENCRYPTION_KEYS']) {
      expect(problem).to.contain(`${name} is required`);
    }
  });

  const picky = Object.keys(EnvironmentSchema.shape).filter((name) => problemOf({ ...VALID, [name]: VALUE }) !== '');

  it('checks most variables', () => {
    expect(picky).to.include.members(['PORT', 'DATABASE_URL', 'JWT_SECRETS', 'ENCRYPTION_KEYS', 'OPENAI_BASE_URL']);
    expect(picky.length).to.be.greaterThan(20);
  });

  for (const name of picky) {
    it(`with an invalid ${name} is refused with the name and without the value`, () => {
      const problem = problemOf({ ...VALID, [name]: VALUE });
      expect(problem).to.contain(name).and.not.to.contain('hunter2');
    });
  }

  it('accepts several encryption keys and login secrets, newest first', () => {
    const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const secrets = ['n', 'o'].map((letter) => letter.repeat(32));
    const config = readConfig({ ...VALID, ENCRYPTION_KEYS: keys.join(', '), JWT_SECRETS: secrets.join() });
    expect(config.encryptionKeys.map((key) => key[0])).to.deep.equal([1, 2]);
    expect(config.jwtSecrets).to.deep.equal(secrets);
    expect(problemOf({ ...VALID, ENCRYPTION_KEYS: `${keys[0]},c2hvcnQ=` })).to.contain('ENCRYPTION_KEYS');
    expect(problemOf({ ...VALID, JWT_SECRETS: `${secrets[0]},short` })).to.contain('JWT_SECRETS');
  });

  it('accepts only http and https in base URLs', () => {
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'localhost', '//host']) {
      expect(problemOf({ ...VALID, OPENAI_BASE_URL: url }), url).to.contain('OPENAI_BASE_URL');
    }
    expect(
      readConfig({ ...VALID, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }).providers.analysis.openai.baseUrl,
    ).to.equal('http://127.0.0.1:1/v1');
  });

  it('reads the key of each provider from its variable', () => {
    for (const provider of STEP_PROVIDERS) {
      const url = provider.name === 'local' ? { [urlVariable(provider)]: 'http://127.0.0.1:1/v1' } : {};
      const { providers } = readConfig({ ...VALID, ...url, [keyVariable(provider)]: 'its-key' });
      const ofStep: Record<string, ProviderAccess> = providers[provider.step];
      expect(ofStep[provider.name]?.apiKey, keyVariable(provider)).to.equal('its-key');
    }
    expect(readConfig(VALID).providers.analysis.openai.apiKey).to.equal(undefined);
  });

  it("uses OpenAI's key for Whisper, unless it has its own key or server", () => {
    const keyOf = (env: Environment) =>
      readConfig({ ...VALID, OPENAI_API_KEY: 'openai', ...env }).providers.transcription.whisper.apiKey;
    expect(keyOf({})).to.equal('openai');
    expect(keyOf({ WHISPER_API_KEY: 'own' })).to.equal('own');
    expect(keyOf({ WHISPER_BASE_URL: 'http://127.0.0.1:1/v1' })).to.equal('none');
  });

  it('requires only the URL of a local server, and uses the first of its models as the default', () => {
    const env = { LOCAL_LLM_BASE_URL: 'http://127.0.0.1:1/v1', LOCAL_LLM_MODELS: 'qwen3:8b, gemma3' };
    const { analysis, transcription } = readConfig({ ...VALID, ...env }).providers;
    expect(analysis.local).to.deep.include({
      apiKey: 'none',
      models: ['qwen3:8b', 'gemma3'],
      defaultModel: 'qwen3:8b',
    });
    expect(transcription.local).to.deep.include({ apiKey: undefined, models: [], defaultModel: null });
    expect(problemOf({ ...VALID, LOCAL_STT_API_KEY: 'k' })).to.equal(
      'LOCAL_STT_BASE_URL is required with LOCAL_STT_API_KEY',
    );
    expect(problemOf({ ...VALID, SIMULATED_PROVIDERS: 'local' })).to.contain('SIMULATED_PROVIDERS');
  });

  it('names the settings that another one needs', () => {
    const problem = problemOf({ ...VALID, SMTP_URL: 'smtp://u:secret@mail.example.com' });
    expect(problem).to.equal('PUBLIC_URL is required with SMTP_URL; MAIL_FROM is required with SMTP_URL');
    expect(problemOf({ ...VALID, PASSWORD_LOGIN: 'off' })).to.contain(
      'OIDC_ISSUER is required with PASSWORD_LOGIN=off',
    );
    expect(problemOf({ ...VALID, PASSWORD_LOGIN: 'admins' })).to.equal('');
  });

  it('treats an empty variable as missing', () => {
    const { http } = readConfig({ ...VALID, HOST: '', PORT: '', RATE_LIMIT_PER_MINUTE: '' });
    expect(http).to.include({ host: '127.0.0.1', port: 3000, requestsPerMinute: 600 });
  });

  it('accepts any characters in a separate password setting', () => {
    const password = 'a/b#c?d&e f"g$h%i\'ü';
    const { database } = readConfig({ ...VALID, DATABASE_URL: 'postgresql://u@h/db', DATABASE_PASSWORD: password });
    expect(new Client(database.url)).to.include({ user: 'u', host: 'h', database: 'db', password });
    const socket = readConfig({
      ...VALID,
      DATABASE_URL: 'postgresql://u@/db?host=/cloudsql/p:r:i',
      DATABASE_PASSWORD: password,
    });
    expect(new Client(socket.database.url)).to.include({
      user: 'u',
      host: '/cloudsql/p:r:i',
      database: 'db',
      password,
    });
  });

  it('refuses an address of PostgreSQL or Temporal that can never work, and names the setting', () => {
    for (const url of [
      'postgresql://u:p@h:port/db',
      'postgresql://u@[::1/db',
      'postgresql://u@a,b/db',
      'mysql://h/db',
      'h/db',
    ]) {
      expect(problemOf({ ...VALID, DATABASE_URL: url }), url).to.match(
        /^DATABASE_URL must be .* or set DATABASE_PASSWORD$/,
      );
    }
    for (const address of [
      'http://temporal:7233',
      'temporal:7233/',
      'temporal:99999',
      'temporal:',
      'a b:1',
      '::1:7233',
      '',
    ]) {
      expect(problemOf({ ...VALID, TEMPORAL_ADDRESS: address }), address).to.match(
        /^TEMPORAL_ADDRESS (must be host:port|is required)/,
      );
    }
    for (const address of ['temporal:7233', 'temporal', '10.0.0.1:7233', '[::1]:7233']) {
      expect(problemOf({ ...VALID, TEMPORAL_ADDRESS: address }), address).to.equal('');
    }
  });

  it('reads secrets from files, and names invalid files', () => {
    const directory = newFolder();
    const file = join(directory, 'secret');
    writeFileSync(file, `${VALID['JWT_SECRETS']}\n`);
    const { JWT_SECRETS: _, ...rest } = VALID;
    expect(readConfig({ ...rest, JWT_SECRETS_FILE: file }).jwtSecrets).to.deep.equal([VALID['JWT_SECRETS']]);
    expect(problemOf({ ...VALID, JWT_SECRETS_FILE: file })).to.contain('JWT_SECRETS and JWT_SECRETS_FILE');
    expect(problemOf({ ...VALID, OPENAI_API_KEY_FILE: join(directory, 'none') })).to.contain('OPENAI_API_KEY_FILE');
  });
  it('reads every secret from a file as an editor or Kubernetes writes it: with a byte order mark, blanks and a line break', () => {
    const file = join(newFolder(), 'edited');
    writeFileSync(file, '\uFEFF  the secret\r\n');
    for (const name of SECRETS.filter(
      (secret) => !['DATABASE_URL', 'JWT_SECRETS', 'ENCRYPTION_KEYS', 'SMTP_URL'].includes(secret),
    )) {
      expect(readSecretFiles({ [`${name}_FILE`]: file })).to.deep.equal({
        env: { [`${name}_FILE`]: file, [name]: 'the secret' },
        problems: [],
      });
    }
    expect(SECRETS).to.include.members(['OIDC_CLIENT_SECRET', 'SMTP_URL', 'DATABASE_PASSWORD', 'LOCAL_STT_API_KEY']);
    const env: Record<string, string | undefined> = {
      AWS_SECRET_ACCESS_KEY_FILE: file,
      OTEL_EXPORTER_OTLP_HEADERS_FILE: file,
    };
    expect([loadLibrarySecrets(env), env['AWS_SECRET_ACCESS_KEY'], env['OTEL_EXPORTER_OTLP_HEADERS']]).to.deep.equal([
      [],
      'the secret',
      'the secret',
    ]);
    readConfig({ ...VALID, ...env });
    const inline: Record<string, string | undefined> = { AWS_SECRET_ACCESS_KEY: 'x\r', AWS_SESSION_TOKEN: 'a\rb' };
    expect(loadLibrarySecrets(inline)).to.deep.equal(['AWS_SESSION_TOKEN must not contain control characters']);
    expect(inline['AWS_SECRET_ACCESS_KEY']).to.equal('x');
  });

  it('refuses files of settings that are no secrets, and of unknown ones, but not those of other programs', () => {
    for (const name of ['OIDC_CLIENT_ID_FILE', 'OIDC_SECRET_FILE', 'DATABASE_PASS_FILE', 'HOST_FILE']) {
      expect(problemOf({ ...VALID, [name]: '/run/secrets/x' }), name).to.contain(name);
    }
    for (const name of ['SSL_CERT_FILE', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'HISTFILE'])
      readConfig({ ...VALID, [name]: '/x' });
  });

  it('trims values, and refuses what can never work by the name of the setting', () => {
    const { http, temporal, audio } = readConfig({
      ...VALID,
      HOST: ' 127.0.0.1\r',
      TEMPORAL_NAMESPACE: 'default\r\n',
      AUDIO_STORE: '\tdata/audio \r',
    });
    expect([http.host, temporal.namespace, audio.store]).to.deep.equal([
      '127.0.0.1',
      'default',
      { kind: 'folder', directory: 'data/audio' },
    ]);
    for (const [name, value] of [
      ['HOST', 'http://0.0.0.0'],
      ['HOST', '0.0.0.0:3000'],
      ['TEMPORAL_NAMESPACE', 'default/'],
      ['TEMPORAL_NAMESPACE', 'my namespace'],
      ['AUDIO_STORE', 's3://'],
      ['OIDC_CLIENT_ID', 'a\nb'],
      ['DATABASE_PASSWORD', 'a\u0000b'],
      ['HOST', '"127.0.0.1"'],
      ['AUDIO_STORE', "'data/audio'"],
      ['MAX_AUDIO_MIB', '"500"'],
      ['DATABASE_PASSWORD', '"secret" '],
    ] as const) {
      expect(problemOf({ ...VALID, [name]: value }), `${name}=${value}`).to.contain(name);
    }
    for (const host of ['::', '0.0.0.0', 'localhost', 'api.internal']) readConfig({ ...VALID, HOST: host });
  });

  it('says what a value must be, with an example', () => {
    for (const [name, value, rule] of [
      ['NODE_ENV', 'prod', 'must be production, development or unset'],
      ['PROVIDER_TIMEOUT_S', '2m', 'must be a whole number from 1 to 1800, such as 120, without a unit'],
      ['PORT', 'http', 'must be a whole number from 0 to 65535, such as 3000, without a unit'],
      ['METRICS_PORT', '-1', 'must be a whole number from 0 to 65535, such as 9464, without a unit'],
      ['DEFAULT_MONTHLY_BUDGET_USD', '$10', 'must be an amount in US dollars, such as 250'],
      ['TEMPORAL_TLS', 'yes', 'must be true or false'],
      ['REGISTRATION', 'none', 'must be open, first or closed'],
      ['LOG_LEVEL', 'verbose', 'must be fatal, error, warn, info, debug or silent'],
      ['AUDIO_STORE', 's3:/bucket', 'must be a folder or s3://bucket/prefix'],
      [
        'LOCAL_LLM_BASE_URL',
        '127.0.0.1:11434',
        'must be a URL that begins with http:// or https://, such as http://127.0.0.1:11434',
      ],
      [
        'DATABASE_URL',
        'postgresql://u:p@ss@localhost/db',
        'must be the postgresql:// URL of one server; encode special characters of the password, such as @ as %40, or set DATABASE_PASSWORD',
      ],
      [
        'AUDIO_URL_ALLOW_HOSTS',
        'http://10.0.0.1',
        'must be hosts, addresses or networks, such as crm.internal, 10.0.0.7 or 10.0.0.0/8, without http:// and port',
      ],
      [
        'WEBHOOK_ALLOW_HOSTS',
        '10.0.0.0/33',
        'must be hosts, addresses or networks, such as crm.internal, 10.0.0.7 or 10.0.0.0/8, without http:// and port',
      ],
    ] as const)
      expect(problemOf({ ...VALID, [name]: value }))
        .to.match(new RegExp(`^${name}(\\.0)? `))
        .and.contain(rule);
    const prefixes = ['', '33', 'x', '8/8', '1e0'].map((prefix) => `10.0.0.0/${prefix}`);
    for (const range of [...prefixes, 'fd00::/129', '::/'])
      expect(problemOf({ ...VALID, WEBHOOK_ALLOW_HOSTS: range }), range).to.contain('WEBHOOK_ALLOW_HOSTS');
    for (const value of ['production', 'development', ''])
      expect(problemOf({ ...VALID, NODE_ENV: value })).to.equal('');
    expect(() => createPriceOf('/no/file')).to.throw(ConfigError, 'PRICES_FILE');
  });

  it('notices names that are one letter away from a setting', () => {
    const env = {
      JWT_SECRET: 'a',
      OPENAI_API_KEYS: 'b',
      PORTS: '1',
      JWT_SECRETS_FILE: 'c',
      PORT: '1',
      PATH: '/bin',
      HOME: '/',
    };
    expect(findNearNames(env)).to.deep.equal([
      'JWT_SECRET is not a setting and has no effect: did you mean JWT_SECRETS?',
      'OPENAI_API_KEYS is not a setting and has no effect: did you mean OPENAI_API_KEY?',
      'PORTS is not a setting and has no effect: did you mean PORT?',
    ]);
  });

  it('reads national domains as browsers send them', () => {
    const [host, origin] = ['xn--b1ajehof.xn--p1ai', 'https://xn--b1ajehof.xn--p1ai'];
    const { ALLOWED_HOSTS, CORS_ORIGINS, PUBLIC_URL } = EnvironmentSchema.parse({
      ...VALID,
      ALLOWED_HOSTS: `звонки.рф, ${host}`,
      CORS_ORIGINS: 'https://звонки.рф:8443, *',
      PUBLIC_URL: 'https://звонки.рф',
    });
    expect([ALLOWED_HOSTS, CORS_ORIGINS, PUBLIC_URL]).to.deep.equal([[host, host], [`${origin}:8443`, '*'], origin]);
    for (const PUBLIC_URL of ['https://звонки.рф/', 'https://звонки.рф/путь', 'звонки.рф'])
      expect(problemOf({ ...VALID, PUBLIC_URL })).to.contain('PUBLIC_URL must be an origin');
  });

  it('accepts lists with spaces and empty items', () => {
    const { webhooks } = readConfig({ ...VALID, WEBHOOK_ALLOW_HOSTS: ' 10.0.0.0/8, ,host ,' });
    expect(webhooks.allowHosts).to.deep.equal(['10.0.0.0/8', 'host']);
  });

  describe('in production', () => {
    const production = { ...VALID, NODE_ENV: 'production' };

    it('refuses stand-in providers', () => {
      expect(problemOf({ ...production, SIMULATED_PROVIDERS: 'openai' })).to.contain('SIMULATED_PROVIDERS');
      expect(readConfig({ ...VALID, SIMULATED_PROVIDERS: 'openai' }).providers.analysis.openai.isSimulated).to.equal(
        true,
      );
    });

    it('refuses providers and webhooks on this machine in any notation, and accepts others', () => {
      for (const url of ['http://localhost:1', 'http://127.0.0.1', 'http://[::1]', 'http://0.0.0.0', 'http://127.1']) {
        expect(problemOf({ ...production, WHISPER_BASE_URL: url }), url).to.contain('WHISPER_BASE_URL');
      }
      const local = ['localhost', '127.0.0.0/8', '::1', '0.0.0.0/0', '::/0', '126.0.0.0/7', 'a.example,127.0.0.1'];
      for (const hosts of local) {
        for (const name of ['WEBHOOK_ALLOW_HOSTS', 'AUDIO_URL_ALLOW_HOSTS']) {
          expect(problemOf({ ...production, [name]: hosts }), hosts).to.contain(name);
        }
      }
      const own = { LOCAL_LLM_BASE_URL: 'http://127.0.0.1:1/v1', LOCAL_STT_BASE_URL: 'http://localhost:1/v1' };
      const fit = {
        ...own,
        WHISPER_BASE_URL: 'http://10.0.0.9:9000',
        WEBHOOK_ALLOW_HOSTS: '10.0.0.0/8,fd00::/8,inside',
      };
      expect(problemOf({ ...production, ...fit })).to.equal('');
    });

    it('allows webhooks to no private network by default', () => {
      const { isProduction, webhooks } = readConfig(production);
      expect([isProduction, webhooks.allowHosts]).to.deep.equal([true, []]);
    });
  });
});
