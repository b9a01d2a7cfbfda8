/** A real Chromium (on Linux x64, the one that `npm ci` installs), and pages that record their errors. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { chromium, expect as expectOf, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect } from 'chai';
import { cacheDir, fetchOnce } from '../../local/fetch-once.ts';
import { eventually } from './eventually.ts';
import { followRequests } from './failed-pages.ts';
import { temporaryFolder } from './run.ts';

const NO_BROWSER =
  'No browser. `npm ci` brings one for Linux on x64; elsewhere install Chrome or Chromium, or set CHROMIUM_PATH.';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The path of Chrome on macOS. */
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

interface Program {
  executablePath: string;
  /** Additional environment variables. */
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

/** Unpacks npm's Chromium once per machine and version, into a folder of this user. */
async function unpackBrowser(): Promise<Program> {
  const packageDir = dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)));
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  const target = join(cacheDir(process.env), `chromium-${version}`);
  const directory = await fetchOnce(target, async (folder) => {
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

/** The package unpacks to fixed names in the system's temporary folder, so that folder is changed meanwhile. */
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

/** Chromium draws no text if it finds no font. */
function writeFontsConf(directory: string): string {
  const file = join(directory, 'fonts.conf');
  const cache = join(directory, 'font-cache');
  mkdirSync(cache, { recursive: true });
  const folders = ['/usr/share/fonts', '/usr/local/share/fonts', join(directory, 'fonts')];
  const lines = folders.map((folder) => `  <dir>${folder}</dir>`);
  // Pages look the same on every machine, whatever fonts are installed.
  lines.push('  <alias binding="strong"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>');
  writeFileSync(
    file,
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n${lines.join('\n')}\n` +
      `  <cachedir>${cache}</cachedir>\n</fontconfig>\n`,
  );
  return file;
}

let launching: Promise<Browser> | undefined;

/** The optimizing compilers, and a GPU that is emulated, cost more than they save in the short life of a test's page. */
const ARGS = ['--js-flags=--no-opt --no-maglev', '--disable-gpu'];

/**
 * Starts the browser for all tests of this process. Omits the package's flags, which turn off web security. The run's folder
 * may be in memory, where the browser's many temporary files cost less.
 */
async function launch(): Promise<Browser> {
  const { executablePath, env } = await findBrowser();
  const own = { ...(process.env as Record<string, string>), ...env, TMPDIR: temporaryFolder() };
  return chromium.launch({ executablePath, args: ARGS, env: own });
}

/** Long enough on a machine whose processor is nine tenths busy with other work. */
const BUSY_MS = 60_000;

/** Waits for an expectation of an element. */
export const expectLocator = expectOf.configure({ timeout: BUSY_MS });

export interface TestPage {
  page: Page;
  /** Violations of the content security policy, uncaught errors, and errors in the browser's console. */
  faults: string[];
  close(): Promise<void>;
}

/** Set on a page, so that the next one in its tab starts without what this one stored. */
const FORGET = 'forget';

/** Clears the storage before the scripts of the first page after a reset. */
const CLEAR_STORAGE = `if (name === '${FORGET}') {
  name = '';
  localStorage.clear();
  sessionStorage.clear();
}`;

const WIDE = { width: 1280, height: 720 };

/** The tab of this process, and the URL of the service that it shows. */
let shared: { tab: TestPage; url: string } | undefined;

/**
 * Gives the tests of a block a tab, and fails a test whose page has faults. Consecutive blocks of a process have the same tab
 * while they test the same service. Each test finds it like that of a new person, except that the console's files are in
 * the browser's cache, which halves the work of a short test. Tests that change a tab for good, for instance with an init
 * script or a clock, open one of their own. Destructure it only in tests and hooks.
 */
export function useTab(api: () => { url: string }): TestPage {
  const tab = {} as TestPage;
  before(async function () {
    this.timeout(0);
    const { url } = api();
    if (shared?.url !== url) {
      await shared?.tab.close();
      shared = { tab: await openPage(url), url };
      await shared.tab.page.addInitScript(CLEAR_STORAGE);
    }
    Object.assign(tab, shared.tab);
  });
  beforeEach(() => tab.page.context().clearCookies());
  afterEach(async () => {
    const found = tab.faults.splice(0);
    await reset(tab);
    expect(found).to.deep.equal([]);
  });
  return tab;
}

/** The page of the ended test stays open until the next one opens its own: an empty page would cost a new process. */
async function reset({ page, faults }: TestPage): Promise<void> {
  const context = page.context();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of ['dialog', 'request'] as const) page.removeAllListeners(event);
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.evaluate(`name = '${FORGET}'`);
  await context.clearPermissions();
  await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null });
  await page.setViewportSize(WIDE);
  page.on('request', function forgetFaults(request) {
    if (!request.isNavigationRequest()) return;
    page.off('request', forgetFaults);
    faults.length = 0;
  });
}

/** Opens a page of a new person: no cookie, no storage, English, UTC. */
export async function openPage(baseURL: string, options: BrowserContextOptions = {}): Promise<TestPage> {
  launching ??= launch();
  const context = await (
    await launching
  ).newContext({ baseURL, locale: 'en-US', timezoneId: 'UTC', colorScheme: 'light', ...options });
  followRequests(context);
  const page = await context.newPage();
  page.setDefaultTimeout(BUSY_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The browser logs every failed call. The tests decide which calls may fail.
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

/**
 * Opens a path of the console within the loaded page, as a link does: a tenth of the work of a page load. Resolves when the
 * page is rendered. Data that the console has read stays in its cache, so data that a test has changed needs a page load.
 */
export async function openWithin(page: Page, path: string): Promise<void> {
  // Not `waitForFunction`, whose second look the content security policy forbids.
  await eventually(() => page.evaluate<boolean>('Boolean(globalThis.__TSR_ROUTER__?.state.resolvedLocation)'), true);
  await page.evaluate(`new Promise((resolve) => {
    const from = __TSR_ROUTER__.state.resolvedLocation.state.__TSR_key;
    const stop = __TSR_ROUTER__.subscribe('onRendered', ({ toLocation }) => {
      if (toLocation.state.__TSR_key !== from) resolve(stop());
    });
    __TSR_ROUTER__.history.push(${JSON.stringify(path)});
  })`);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Axe disables the rule of WCAG 2.2 by default. Reading the stylesheets again serves only rules that are off. */
const AXE_OPTIONS = `{
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations'],
  preload: { assets: ['media'] },
}`;

/** Checks the current page against WCAG 2.2 AA, as far as axe can. */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that is checked again still has it.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  // What the bar at the top covers half would be too small a target.
  await page.evaluate('scrollTo(0, 0)');
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${AXE_OPTIONS})`);
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html}`),
  );
  expect(found).to.deep.equal([]);
}

/** Checks that only the frames of tables scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(excess).to.equal(0);
}

/** Sets the window to the size of a phone, and checks that only the frames of tables scroll sideways. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
}

/** Checks the page for accessibility, and on a phone. */
export async function expectUsable(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectFitsPhone(page);
}

/** Returns the process IDs of the running browser. */
export async function findBrowserPids(): Promise<number[]> {
  if (!launching) throw new Error('no browser was started');
  const devtools = await (await launching).newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  return processInfo.map(({ id }) => id);
}

/** Stops the browser if it runs. The next page starts another one. */
export async function closeBrowser(): Promise<void> {
  const started = launching;
  launching = undefined;
  if (started) await (await started).close();
}
