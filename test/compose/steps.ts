/** The steps of the test, in their order. Each returns its result in a few words, or throws. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { submit } from './load.ts';
import { expectLocator, openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { underLoad, whileClientsWatch } from './clients.ts';
import { readSetting, setSettings, untilHealthy, type Engine } from './engine.ts';
import { addressOf, call, goTo, trustCaddy, type Installation } from './installation.ts';
import { readCommands } from './page.ts';
import { runPods } from './pods.ts';

export interface Step {
  title: string;
  run(installation: Installation): Promise<string>;
}

/** Recordings that are downloaded and transcribed at once. */
const RECORDINGS = 60;
const MINUTES_MS = 60_000;

/** The programs that `kill -9` ends in each service, as the user that they run as. */
const KILLED = { api: 'node', worker: 'node', temporal: 'temporal', postgres: 'postgres', caddy: 'root' };

/** Scripts that cause a fault and end it. */
const FAULTS = {
  'a worker frozen for 10 s':
    'ONE=$(docker compose ps -q worker | head -n 1)\ndocker pause $ONE\nsleep 10\ndocker unpause $ONE',
  'stop and start': 'docker compose stop\ndocker compose start',
  'PostgreSQL restarted': 'docker compose restart postgres',
  'power cut: everything killed, back after 10 s': 'docker compose kill\nsleep 10\ndocker compose start',
};

export const STEPS: Step[] = [
  { title: 'text, voice, voice by link; signed webhooks', run: submitEach },
  { title: 'console through Caddy, run in the Temporal UI', run: lookAtPages },
  { title: 'metrics of all parts', run: readMetrics },
  { title: 'pods of Kubernetes as containers', run: async ({ engine }) => (await runPods(engine)).join(', ') },
  { title: 'port of the Temporal UI taken', run: takePort },
  { title: `${RECORDINGS} recordings of 18 MiB at once`, run: transcribeMany },
  ...Object.entries(KILLED).map(([service, user]) => ({
    title: `kill -9 of ${service} under load`,
    run: (installation: Installation) => killUnderLoad(installation, service, user),
  })),
  ...Object.entries(FAULTS).map(([title, script]) => ({
    title: `${title}, under load`,
    run: (installation: Installation) => causeUnderLoad(installation, script),
  })),
  { title: 'upgrade under load', run: (installation) => changeRelease(installation, '2') },
  { title: 'return to the former release under load', run: (installation) => changeRelease(installation, '1') },
  { title: 'secrets rotated under load', run: rotateSecrets },
  { title: 'down and up', run: downAndUp },
  { title: 'backup, everything deleted, restore', run: restore },
];

async function submitEach({ url, user, outside, done }: Installation): Promise<string> {
  const text = await submit(url, user, { kind: 'text', waits: true });
  const voice = await submit(url, user, { kind: 'voice', waits: false });
  const link = await submitLink(url, user, outside.recordingUrl);
  const ids = [text.sessionId, voice.sessionId, link].flatMap((id) => id ?? []);
  expect(ids).to.have.length(3);
  await outside.untilDelivered(ids);
  done.push(...ids);
  return '3 of 3 completed and delivered';
}

async function submitLink(url: string, user: Installation['user'], audio_url: string): Promise<string> {
  const body = { assistant_id: user.voiceAssistant, audio_url };
  return String((await call(url, user.authorization, 'POST', '/v1/requests/voice', body))['session_id']);
}

async function lookAtPages({ engine, tab, done }: Installation): Promise<string> {
  const id = done[0] ?? '';
  await goTo(tab.page, `/console/sessions/${id}`);
  await expectLocator(tab.page.getByText('completed').first()).toBeVisible();
  expect(tab.faults).to.deep.equal([]);
  const ui = await openPage(addressOf(engine).temporalUi);
  // The UI finds a run by its list, which can be minutes old after a start, and does not look again by itself.
  const look = async () => {
    await goTo(ui.page, `/namespaces/default/workflows/${id}`);
    const shown = ui.page.getByText('Completed').filter({ visible: true }).first();
    return shown.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
  };
  await eventually(look, true, 3 * MINUTES_MS, 5_000);
  await expectLocator(ui.page.getByText(id).first()).toBeVisible();
  await ui.close();
  return 'both show the session';
}

async function readMetrics({ engine }: Installation): Promise<string> {
  const read = (url: string) =>
    engine.exec('api', 'node', '-e', `fetch('${url}').then((r) => r.text()).then(console.log)`);
  expect(await read('http://api:9464/metrics')).to.include('cas_http_requests_total');
  expect(await read('http://worker:9464/metrics')).to.include('cas_provider_calls_total');
  expect(await read('http://temporal:8000/metrics')).to.include('service_requests');
  expect(await engine.exec('caddy', 'wget', '-q', '-O', '-', 'http://127.0.0.1:2019/metrics')).to.include('caddy_');
  return 'API, worker, Temporal, Caddy';
}

/** The workers, which are created at the same time, run although the Temporal UI can't be started. */
async function takePort({ engine, url, user, outside, done }: Installation): Promise<string> {
  const [, up = ''] = readCommands(engine.folder, 'Install');
  await engine.sh('docker compose rm --stop --force worker temporal-ui');
  const port = createServer().listen(Number(readSetting(engine, 'TEMPORAL_UI_PORT')), '127.0.0.1');
  await once(port, 'listening');
  const refusal = await engine.sh(up).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
  expect(refusal).to.include('address already in use');
  const { sessionId = '' } = await submit(url, user, { kind: 'text', waits: false });
  await outside.untilDelivered([sessionId]);
  done.push(sessionId);
  await once(port.close(), 'close');
  await engine.sh(up);
  return 'everything else runs';
}

async function transcribeMany(installation: Installation): Promise<string> {
  const { engine, url, user, outside, done } = installation;
  let peak = 0;
  const ended = new AbortController();
  const watch = (async () => {
    while (!ended.signal.aborted) {
      const stats = await engine.sh(`docker stats --no-stream --format '{{.MemUsage}}' $(docker compose ps -q worker)`);
      for (const [, size] of stats.matchAll(/^([\d.]+)MiB/gm)) peak = Math.max(peak, Number(size));
    }
  })();
  const ids = await Promise.all(
    Array.from({ length: RECORDINGS }, (_, index) => submitLink(url, user, `${outside.largeRecordingUrl}?${index}`)),
  );
  await outside.untilDelivered(ids, 8 * MINUTES_MS);
  ended.abort();
  await watch;
  done.push(...ids);
  expect(await countRestarts(engine, 'worker')).to.equal(0);
  return `${RECORDINGS} of ${RECORDINGS} completed and delivered; a worker used up to ${Math.round(peak)} of 1,024 MiB`;
}

async function countRestarts({ sh }: Engine, service: string): Promise<number> {
  const counts = await sh(`docker inspect --format '{{.RestartCount}}' $(docker compose ps -q ${service})`);
  return counts.split('\n').reduce((sum, count) => sum + Number(count), 0);
}

/** Ends the main process. `docker kill` would count as a stop by a person, after which the engine starts nothing again. */
async function killUnderLoad(installation: Installation, service: string, user: string): Promise<string> {
  const { engine } = installation;
  const before = await countRestarts(engine, service);
  const options = user === 'node' ? '' : `-u ${user}`;
  return underLoad(installation, async () => {
    await sleep(3_000);
    await engine.sh(`docker compose exec -T ${options} ${service} sh -c 'kill -9 -1' || true`);
    await eventually(() => countRestarts(engine, service), before + 1, MINUTES_MS);
    await untilHealthy(engine);
    await sleep(3_000);
  });
}

async function causeUnderLoad(installation: Installation, script: string): Promise<string> {
  return underLoad(installation, async () => {
    await sleep(3_000);
    await installation.engine.sh(script);
    await untilHealthy(installation.engine);
    await sleep(3_000);
  });
}

async function changeRelease(installation: Installation, release: string): Promise<string> {
  const { engine } = installation;
  const next = `${engine.project}-${release}`;
  const [command = ''] = readCommands(engine.folder, 'Upgrade', { '1.1.0': next });
  let watched = '';
  const load = await underLoad(installation, async () => {
    // Ends when the processes are replaced. The command is repeated, as the page says, until the former workers are stopped.
    watched = await whileClientsWatch(installation, () => engine.sh(`DRAIN_S=1 ${command.trim()} || true`));
  });
  await engine.sh(command);
  expect(readSetting(engine, 'RELEASE')).to.equal(next);
  const images = await engine.sh(`docker compose ps --format '{{.Image}}' api worker`);
  expect(new Set(images.trim().split('\n'))).to.deep.equal(new Set([`conversation-analysis-service:${next}`]));
  return `${watched}; ${load}`;
}

/** Follows "Rotate encryption keys" and "Rotate JWT secrets" of docs/runbook.md. */
async function rotateSecrets(installation: Installation): Promise<string> {
  const { engine, outside, url, user, done } = installation;
  const [apply = ''] = readCommands(engine.folder, 'Run');
  const make = { ENCRYPTION_KEYS: randomBytes(32).toString('base64'), JWT_SECRETS: randomBytes(32).toString('hex') };
  const names = Object.keys(make) as (keyof typeof make)[];
  const set = async (choose: (old: string, fresh: string) => string) => {
    setSettings(engine, Object.fromEntries(names.map((name) => [name, choose(old[name], make[name])])));
    await engine.sh(apply);
  };
  const old = {
    ENCRYPTION_KEYS: readSetting(engine, 'ENCRYPTION_KEYS'),
    JWT_SECRETS: readSetting(engine, 'JWT_SECRETS'),
  };
  const load = await underLoad(installation, async () => {
    await set((former, fresh) => `${former},${fresh}`);
    await set((former, fresh) => `${fresh},${former}`);
    await engine.exec('api', 'node', 'worker/run-reseal.ts');
    expect(await engine.exec('api', 'node', 'worker/run-reseal.ts')).to.match(/^0 secrets encrypted/);
    await set((_, fresh) => fresh);
  });
  const { sessionId = '' } = await submit(url, user, { kind: 'text', waits: false });
  await outside.untilDelivered([sessionId]);
  done.push(sessionId);
  return load;
}

async function downAndUp(installation: Installation): Promise<string> {
  const [, command = ''] = readCommands(installation.engine.folder, 'Run');
  return underLoad(installation, async () => {
    await installation.engine.sh(command);
  });
}

/** The installation is deleted while sessions that the backup contains are open. */
async function restore(installation: Installation): Promise<string> {
  const { engine, url, user, outside } = installation;
  const folder = join(engine.directory, 'backup');
  mkdirSync(folder);
  const values = { '/backups/2026-11-23': folder };
  const [backUp = ''] = readCommands(engine.folder, 'Back up an installation with Compose', values);
  const [bringBack = ''] = readCommands(engine.folder, 'Restore an installation with Compose', values);
  const open = await Promise.all(Array.from({ length: 10 }, () => submit(url, user, { kind: 'voice', waits: false })));
  await engine.sh(backUp);
  await engine.sh('docker compose down --volumes\nrm .env');
  await engine.sh(bringBack);
  await trustCaddy(engine);
  const ids = open.flatMap(({ sessionId }) => sessionId ?? []);
  await outside.untilDelivered(ids);
  const { data } = (await call(url, user.authorization, 'GET', '/v1/assistants')) as {
    data: { has_webhook_secret: boolean }[];
  };
  expect(data.map(({ has_webhook_secret: has }) => has)).to.deep.equal([true, true]);
  const audio = await fetch(`${url}/api/v1/sessions/${ids[0]}/audio`, {
    headers: { Authorization: user.authorization },
  });
  expect(audio.status).to.equal(200);
  await audio.arrayBuffer();
  const { sessionId = '' } = await submit(url, user, { kind: 'text', waits: false });
  await outside.untilDelivered([sessionId]);
  return `${ids.length} of ${ids.length} open sessions completed and delivered; recordings and secrets are readable`;
}
