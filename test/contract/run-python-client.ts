/**
 * `npm run test:python`: generates the Python client from the OpenAPI document of a running service, as in docs/results.md, and runs
 * the example.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { register } from '../../contract/account/account.ts';
import { API_BASE } from '../../contract/values/constants.ts';
import { findPythonPackage } from '../../local/python-program.ts';
import { startLocal } from '../../local/start.ts';
import { runMain, StartError } from '../../runtime/process.ts';
import { send } from '../support/api.ts';

const GENERATOR = { name: 'openapi-python-client', version: '0.29.1' };
const EXAMPLES = fileURLToPath(new URL('../../examples/python', import.meta.url));

const run = promisify(execFile);

await runMain(async () => {
  const programs = join(await findPythonPackage(GENERATOR, process.env, console.log), 'bin');
  const directory = mkdtempSync(join(tmpdir(), 'cas-python-'));
  const { PATH, HOME } = process.env;
  const service = await startLocal({ PATH, HOME, DATA_DIR: directory, LOG_LEVEL: 'warn', PORT: '0' }, console.log);
  const url = service.endpoints.api_url;
  const client = join(directory, 'client');
  try {
    const source = ['--url', `${url}${API_BASE}/openapi.json`, '--config', join(EXAMPLES, 'client.yml')];
    const generating = run(join(programs, 'openapi-python-client'), ['generate', ...source, '--output-path', client]);
    const { stdout, stderr } = await generating;
    // The generator exits with 0 even if it skips endpoints, so its output is checked.
    if (/parsing|Unable|Cannot/.test(stdout + stderr)) throw new StartError(stdout + stderr);
    const body = { email: 'ada@example.com', password: randomUUID(), name: 'Ada' };
    const { token } = (await send({ url }, register, { body })).body;
    const env = { ...process.env, PYTHONPATH: client, API_URL: url, API_TOKEN: token };
    console.log((await run(join(programs, 'python'), [join(EXAMPLES, 'analyze_dialogue.py')], { env })).stdout);
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
process.exit();
