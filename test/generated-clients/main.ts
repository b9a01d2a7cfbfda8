/**
 * `npm run test:clients`: generates clients of other languages from the OpenAPI document of a running service, compiles them, and
 * calls the service and a simulated newer release with them. Needs Go, Java 17 or newer, Maven and Python 3.10 or newer.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failedSession } from '../../contract/openapi/session-example.ts';
import { API_BASE } from '../../contract/values/constants.ts';
import { startLocal } from '../../local/start.ts';
import { runMain, StartError } from '../../runtime/process/process.ts';
import { send } from '../support/api.ts';
import { GENERATORS, run } from './generators.ts';
import { checkReceiver } from './receivers.ts';
import { ADDED, startNewerRelease, toNewer } from './newer-release.ts';

const READ = 'completed 1 not_found failed unavailable';
const READ_FROM_NEWER = `${ADDED} 1 ${ADDED} ${ADDED} ${ADDED}`;

const { session_id, assistant_id, status, total_cost, created_at, error } = failedSession;
/** The body of a webhook. */
const FAILED = {
  event: 'session.failed',
  session_id,
  assistant_id,
  status,
  summary_text: null,
  raw_response: null,
  total_cost,
  created_at,
  error,
};

await runMain(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cas-clients-'));
  const { PATH, HOME } = process.env;
  const service = await startLocal({ PATH, HOME, DATA_DIR: directory, LOG_LEVEL: 'warn', PORT: '0' }, console.log);
  const url = service.endpoints.api_url;
  const text = await (await fetch(`${url}${API_BASE}/openapi.json`)).text();
  const document = join(directory, 'openapi.json');
  writeFileSync(document, text);
  const change = toNewer(JSON.parse(text));
  const newer = await startNewerRelease(url, change);
  const body = { email: 'ada@example.com', password: randomUUID(), name: 'Ada' };
  const { token } = (await send({ url }, 'register', { body })).body;

  /** Runs a program with a generated client, and returns the last line of its output. */
  async function call(
    { program, args, env }: Awaited<ReturnType<(typeof GENERATORS)[string]>>[number],
    isNewer: boolean,
  ) {
    const payload = isNewer ? change(FAILED) : FAILED;
    const given = { API_URL: isNewer ? newer.url : url, API_TOKEN: token, WEBHOOK: JSON.stringify(payload) };
    const output = await run(program, args, { env: { ...process.env, ...env, ...given } });
    return output.trim().split('\n').at(-1);
  }

  const failed: string[] = [];
  try {
    for (const [title, generate] of Object.entries(GENERATORS)) {
      const own = join(directory, `client-${Object.keys(GENERATORS).indexOf(title)}`);
      mkdirSync(own);
      try {
        const programs = await generate({ document, directory: own });
        for (const program of programs.slice(0, -1)) await call(program, false);
        for (const program of programs.slice(-1)) {
          const read = [await call(program, false), await call(program, true)];
          if (read[0] !== READ || read[1] !== READ_FROM_NEWER)
            throw new StartError(`The client read: ${read.join('; ')}`);
        }
        console.log(`${title}: passed`);
      } catch (error) {
        failed.push(title);
        console.error(`${title}: ${(error as Error).message}`);
      }
    }
    for (const language of ['Python', 'Go'] as const) {
      const own = mkdtempSync(join(directory, 'receiver-'));
      await checkReceiver(language, own).then(
        () => console.log(`Receiver in ${language}: passed`),
        (error: unknown) => {
          failed.push(`receiver in ${language}`);
          console.error(`Receiver in ${language}: ${(error as Error).message}`);
        },
      );
    }
  } finally {
    await newer.stop();
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  if (failed.length > 0) throw new StartError(`Failed: ${failed.join(', ')}`);
});
process.exit();
