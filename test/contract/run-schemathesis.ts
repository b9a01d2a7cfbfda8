/**
 * `npm run test:contract -- [seconds] [seed]`: Schemathesis tests a running service against its OpenAPI document with generated,
 * invalid and chained requests. Exits with the exit code of Schemathesis.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_BASE } from '../../contract/values/constants.ts';
import { startLocal } from '../../local/start.ts';
import { runMain, StartError } from '../../runtime/process/process.ts';
import { send } from '../support/api.ts';
import { findSchemathesis } from './schemathesis-program.ts';

const DEFAULT_SECONDS = 60;
const config = fileURLToPath(new URL('schemathesis.toml', import.meta.url));

const NO_LIMITS = { RATE_LIMIT_PER_MINUTE: '0' };

await runMain(async () => {
  const [seconds = DEFAULT_SECONDS, seed = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2).map(Number);
  if (!(seconds >= 1) || !Number.isInteger(seed)) throw new StartError('npm run test:contract -- [seconds] [seed]');
  const program = await findSchemathesis(process.env, console.log);
  const directory = mkdtempSync(join(tmpdir(), 'cas-contract-'));
  const service = await startLocal(
    {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: directory,
      LOG_LEVEL: 'warn',
      PORT: '0',
      ...NO_LIMITS,
    },
    console.log,
  );
  try {
    process.exitCode = await test({ program, directory, apiUrl: service.endpoints.api_url, seconds, seed });
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
process.exit();

interface Run {
  program: string;
  /** Working directory for files that it creates. */
  directory: string;
  apiUrl: string;
  seconds: number;
  seed: number;
}

async function test({ program, directory, apiUrl, seconds, seed }: Run): Promise<number> {
  console.log(`Schemathesis: ${seconds} s with seed ${seed} …`);
  const child = spawn(
    program,
    [
      '--config-file',
      config,
      'run',
      `${apiUrl}${API_BASE}/openapi.json`,
      '--url',
      apiUrl + API_BASE,
      '--max-time',
      String(seconds),
      '--seed',
      String(seed),
      '--checks',
      'all',
      '--generation-database',
      'none',
    ],
    {
      cwd: directory,
      stdio: 'inherit',
      env: {
        ...process.env,
        CONTRACT_TEST_TOKEN: await obtainToken(apiUrl),
        CONTRACT_TEST_OTHER_TOKEN: await obtainToken(apiUrl),
      },
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Returns a login token, because the test would revoke an API token. The password is random, so the test can't guess it. */
async function obtainToken(apiUrl: string): Promise<string> {
  const body = { email: `${randomUUID()}@example.com`, password: randomUUID(), name: 'Schemathesis' };
  return (await send({ url: apiUrl }, 'register', { body })).body.token;
}
