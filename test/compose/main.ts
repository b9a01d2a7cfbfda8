/**
 * `npm run test:compose`: builds the image from a clean clone, runs docker-compose.yml in the Docker engine of this machine with
 * the commands of docs/compose.md and docs/runbook.md, and prints what happened. docs/production.md describes it.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { expect } from 'chai';
import { runBackwards, runMain, StartError, type Stop } from '../../runtime/process/process.ts';
import { freePort } from '../../local/ports.ts';
import { closeBrowser } from '../support/browser.ts';
import { openEngine, setSettings, untilHealthy, type Engine } from './engine.ts';
import { addressOf, openFirstAccount, trustCaddy, type Installation } from './installation.ts';
import { startOutside } from './outside.ts';
import { readCommands } from './page.ts';
import { STEPS } from './steps.ts';

const rows: string[] = ['| step | seconds | result |', '|---|---|---|'];

/** Runs a step and adds a row with its result to the table. */
async function run<T>(title: string, step: () => Promise<T>, resultOf: (value: T) => string = String): Promise<T> {
  const started = Date.now();
  const add = (result: string) => {
    rows.push(`| ${title} | ${Math.round((Date.now() - started) / 1_000)} | ${result} |`);
    console.log(`${rows.at(-1)}`);
  };
  try {
    const value = await step();
    add(resultOf(value));
    return value;
  } catch (error) {
    add('failed');
    throw error;
  }
}

/** Returns the running installation, which follows "Install" of docs/compose.md. */
async function install(
  engine: Engine,
  stops: Stop[],
  { cached: isCached, former }: { cached: boolean; former?: string | undefined },
): Promise<Installation> {
  const outside = await startOutside(engine.hostAddress, stops);
  const [init = '', up = ''] = readCommands(engine.folder, 'Install', { 'calls.example.com': 'localhost' });
  const printed = await run(
    'deploy/init.sh',
    () => engine.sh(init),
    () => 'wrote .env',
  );
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const [HTTP_PORT, HTTPS_PORT, TEMPORAL_UI_PORT] = ports.map(String);
  // A release that no real installation on this engine has.
  const RELEASE = `${engine.project}-1`;
  setSettings(engine, {
    ...outside.settings,
    RELEASE,
    HTTP_PORT: HTTP_PORT!,
    HTTPS_PORT: HTTPS_PORT!,
    TEMPORAL_UI_PORT: TEMPORAL_UI_PORT!,
  });
  if (!isCached) {
    await run(
      'image built without cache',
      () => engine.sh('docker compose build --no-cache migrate'),
      () => 'built',
    );
  }
  if (former !== undefined) {
    const build = `git checkout --quiet ${former}\ndocker compose build migrate\ngit checkout --quiet -`;
    await run(
      `image of ${former}`,
      () => engine.sh(build),
      () => 'built',
    );
  }
  await run(
    'docker compose up -d',
    () => engine.sh(up),
    () => 'everything runs',
  );
  const { url } = addressOf(engine);
  await untilHealthy(engine);
  await trustCaddy(engine);
  const link = /^First account: (\S+)/m.exec(printed)?.[1] ?? '';
  expect(link).to.equal('https://localhost/console/register');
  const { user, tab } = await run(
    'first account in the browser, token, assistants',
    () => openFirstAccount(`${url}${new URL(link).pathname}`, url, outside),
    () => 'created',
  );
  return { engine, outside, url, user, tab, done: [] };
}

await runMain(async () => {
  // For work on this test: `--cached` uses the engine's cache of the build, `--keep` leaves everything
  // running, and `--only upgrade` selects steps. `--former v0.2.0` upgrades from the image of this tag or commit, and back.
  const isOn = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: { cached: isOn, keep: isOn, only: { type: 'string' }, former: { type: 'string' } },
  });
  const engine = openEngine(`cas-test-${randomBytes(3).toString('hex')}`);
  const stops: Stop[] = [() => (values.keep ? undefined : rmSync(engine.directory, { recursive: true, force: true }))];
  stops.push(async () => {
    if (values.keep) return;
    await engine.sh('docker compose down --volumes --timeout 0');
    await engine.sh(
      `docker image rm $(docker image ls --format '{{.Repository}}:{{.Tag}}' --filter 'reference=*:${engine.project}-*')`,
    );
  });
  stops.push(closeBrowser);
  try {
    const installation = await install(engine, stops, values);
    const selected = STEPS.filter(({ title }) => title.includes(values.only ?? ''));
    for (const { title, run: step } of selected) await run(title, () => step(installation));
  } catch (error) {
    await engine.sh('docker compose ps --all; docker compose logs --timestamps --tail 2000').catch(() => '');
    stops.shift(); // keeps the logs
    throw new StartError(`${(error as Error).message}\nThe log of all commands and containers: ${engine.log}`);
  } finally {
    console.log(`\n${rows.join('\n')}`);
    await runBackwards(stops);
  }
  process.exit(0);
});
