import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { readConfig } from '../runtime/settings/config.ts';
import { newFolder } from './support/new-folder.ts';
import { runCommand } from './support/run-command.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SECRETS = [
  'POSTGRES_PASSWORD',
  'TEMPORAL_DATABASE_PASSWORD',
  'DATABASE_PASSWORD',
  'JWT_SECRETS',
  'ENCRYPTION_KEYS',
];

describe('deploy/init.sh', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
    for (const path of ['deploy/init.sh', '.env.example', 'package.json']) cpSync(join(ROOT, path), join(folder, path));
  });

  const file = () => join(folder, '.env');
  const run = (...args: string[]) => runCommand('sh', [join(folder, 'deploy/init.sh'), ...args], {}, { cwd: '/' });
  const readSettings = () => parseEnv(readFileSync(file(), 'utf8'));

  it('writes all required settings with new secrets, which only the owner can read', async () => {
    const { output, errors, code } = await run('calls.example.com');
    expect(code, errors).to.equal(0);
    expect(output).to.include('https://calls.example.com/console/register');
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    const settings = readSettings();
    expect(settings).to.include({ DOMAIN: 'calls.example.com', RELEASE: '0.1.0', REGISTRATION: 'first' });
    expect(new Set(SECRETS.map((name) => settings[name])).size).to.equal(SECRETS.length);
    for (const name of SECRETS) expect(settings[name]).to.match(/^([0-9a-f]{64}|[\w+/]{43}=)$/);
    // docker-compose.yml sets these.
    const set = {
      DATABASE_URL: 'postgres://app@postgres/app',
      TEMPORAL_ADDRESS: 'temporal:7233',
      AUDIO_STORE: '/audio',
    };
    readConfig({ ...settings, ...set, NODE_ENV: 'production' });
  });

  it('never changes a file, and names everything that is missing in it', async () => {
    await run();
    const before = readFileSync(file(), 'utf8')
      .replace(/^JWT_SECRETS=.*/m, 'JWT_SECRETS=')
      .replace(/^RELEASE=.*\n/m, '');
    writeFileSync(file(), before);
    const { output, code } = await run('other.example.com');
    expect([code, readFileSync(file(), 'utf8')]).to.deep.equal([1, before]);
    expect(output).to.include('Set these in .env: RELEASE JWT_SECRETS\n');
  });

  it('refuses a domain that is no host name', async () => {
    const { output, code } = await run('https://calls.example.com');
    expect([output, code]).to.deep.equal(['DOMAIN must be a host name, such as calls.example.com\n', 1]);
  });
});
