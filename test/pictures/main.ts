/** `npm run pictures`: runs the demo at a service of its own, and takes the pictures of the documents in the light and the dark theme. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { startLocal } from '../../local/start.ts';
import { runMain, StartError } from '../../runtime/process/process.ts';
import { findBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';

const TARGET = new URL('../../docs/pictures/', import.meta.url);

await runMain(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cas-pictures-'));
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATA_DIR: directory, LOG_LEVEL: 'warn' };
  const service = await startLocal({ ...env, PORT: '0' }, console.log);
  const { executablePath, env: browserEnv } = await findBrowser();
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...browserEnv },
    args: ['--no-sandbox'],
  });
  try {
    const printed = await runDemo(env);
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, locale: 'en-US', viewport: { width: 1280, height: 800 } });
      await takeAll(page, printed, `${service.endpoints.api_url}/console`, colorScheme);
    }
  } finally {
    await browser.close();
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});

/** Returns what the demo prints. It uses the service of its data directory. */
async function runDemo(env: NodeJS.ProcessEnv): Promise<string> {
  const demo = spawn(process.execPath, ['local/demo.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of demo.stdout) printed += String(chunk);
  return printed;
}

/** Returns the first group of a pattern in what the demo printed. */
function find(printed: string, pattern: RegExp): string {
  const found = pattern.exec(printed)?.[1];
  if (found === undefined) throw new StartError(`The demo printed no ${pattern.source}:\n${printed}`);
  return found;
}

async function takeAll(page: Page, printed: string, url: string, theme: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Email').fill(find(printed, /Log in as (\S+)/));
  await page.getByLabel('Password', { exact: true }).fill(find(printed, /with the password (\S+)/));
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const assistant = find(printed, /assistants\/(\w+)\/results/);
  for (const [name, path] of [
    ['experiment', `/batches/${find(printed, /batches\/(\w+)/)}`],
    ['review', `/review?assistant_id=${assistant}`],
    ['session', `/sessions/${find(printed, /sessions\/(\w+)\n/)}`],
    ['results', `/assistants/${assistant}/results`],
  ] as const) {
    await page.goto(url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await eventually(() => page.locator('main [role="status"][aria-label]').count(), 0);
    // Quotes load last, and have no placeholder.
    await page.waitForTimeout(2_000);
    await page.screenshot({ path: new URL(`${name}-${theme}.png`, TARGET).pathname });
  }
}
