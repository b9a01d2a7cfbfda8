import type { Page } from '@playwright/test';
import { CONSOLE_LANGUAGES } from '../../contract/values/constants.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, openWithin } from '../support/browser.ts';
import { openPageOf, visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { createAnswered, createAssistant, createBatch, createSession } from '../support/factories.ts';
import { logInAs } from '../support/members.ts';
import { createExperiment } from '../support/experiments.ts';
import { startClosedReceiver } from '../support/receiver.ts';
import { addAssistant } from '../support/started-service.ts';
import { useStarted } from '../support/use-started.ts';

/** The limit of a good score in Core Web Vitals: https://web.dev/articles/cls */
const MAX_SHIFT = 0.1;

const RECORD = `window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true })`;

/** Pages without a frame, and the page of an unknown workspace. */
const OUTSIDE = [
  '/login',
  '/register',
  '/reset',
  '/reset#token',
  '/email#token',
  `/link#${'a'.repeat(40)}@example.com`,
  '/w/unknown/sessions',
];

/** A word that is longer than a line. */
const LONG = 'x'.repeat(64);

const FIELDS = [{ name: 'solved', title: LONG, type: 'boolean' as const, description: LONG, evidence: true }];

/** Every second page is checked in reverse order, because each change of the width costs a new layout. */
const WIDTHS = [390, 1280];

/** Returns what overflows: the page, the text of a button, on a desktop a table, and cut text that no title shows whole. */
const TOO_WIDE = `[
    document.documentElement,
    ...document.querySelectorAll('button, a[class*="_button"]'),
    ...(innerWidth > 1000 ? document.querySelectorAll('.scroll') : []),
    ...[...document.querySelectorAll('.cut')].filter((each) => !each.closest('[title]')),
  ]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.localName + ': ' + each.textContent.slice(0, 80))`;

describe('The layout of the console', () => {
  const { service, visitor } = visitEachTest();
  const receiver = useStarted(() => startClosedReceiver('closed'));

  /** Adds rows of every kind, and a pending delivery. Returns the paths of all pages. */
  async function fill(): Promise<string[]> {
    const { token, user } = visitor;
    const { id } = await addAssistant(service.api, token, { webhook_url: receiver.url });
    const body = { assistant_id: id, conversation: [{ role: 'client', text: 'Hello.' }] };
    const sessionId = (await send(service.api, 'submitTextRequest', { token, body })).body.session_id;
    const answered = await createAssistant(user.default_workspace_id, { fields: FIELDS, name: LONG.repeat(3) });
    const spoken = { metadata: { [LONG]: LONG }, conversation: [{ role: LONG, text: LONG }] };
    const { id: filled } = await createAnswered(answered, { solved: true }, spoken);
    const batch = await createBatch(user.default_workspace_id);
    const right = { solved: true };
    const pairs = [{ before: { solved: false }, after: right, right }];
    const ended = { name: LONG, status: 'completed', ended_at: new Date() } as const;
    const experiment = await createExperiment(service.api, { token, assistant: answered }, pairs, ended);
    await user.$query().patch({ name: LONG });
    await send(service.api, 'createKey', {
      token: await logInAs(user),
      body: { name: LONG, scopes: ['sessions:read'] },
    });
    const invited = { email: 'grace.hopper@example.com', role: 'analyst' };
    const invitation = (await send(service.api, 'createInvitation', { token: await logInAs(user), body: invited })).body
      .token;
    const [delivery] = await eventually(
      async () => DeliveryModel.query().where({ session_id: sessionId }),
      ({ length }) => length === 1,
    );
    return [
      '',
      '/start',
      '/sessions',
      '/deliveries',
      '/batches',
      '/batches/new',
      '/assistants',
      '/assistants/new',
      ...['workspace', 'members', 'tokens', 'account', 'security', 'audit', 'system'].map(
        (page) => `/settings/${page}`,
      ),
      '/usage',
      `/assistants/${id}`,
      `/invitation#${invitation}`,
      ...['results', 'versions'].map((page) => `/assistants/${answered.id}/${page}`),
      `/review?assistant_id=${answered.id}`,
      `/sessions/${filled}`,
      `/sessions/${sessionId}`,
      ...['settings', 'timeline'].map((tab) => `/sessions/${sessionId}?tab=${tab}`),
      `/sessions/${sessionId}/compare`,
      `/batches/${batch.id}`,
      `/batches/${experiment}`,
      '/experiments',
      `/experiments?assistant_id=${answered.id}`,
      `/batches/new?action=reanalyze&assistant_id=${answered.id}&review=sampled`,
      '/batches/new?action=redeliver&delivery_status=failed&reanalysis=any',
      `/deliveries/${delivery?.id}`,
      ...OUTSIDE,
    ].map((path) => `/console${path}`);
  }

  /** Waits for the data of the current page. */
  async function ready(page: Page): Promise<void> {
    await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectLocator(page.locator('main [role="status"][aria-label]')).toHaveCount(0);
  }

  async function expectFits(page: Page, path: string): Promise<void> {
    const widths = page.viewportSize()?.width === WIDTHS[0] ? WIDTHS : WIDTHS.toReversed();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      const fits = eventually(() => page.evaluate<string[]>(TOO_WIDE), []);
      await fits.catch((error: unknown) => expect.fail(`${path} at ${width}: ${String(error)}`));
    }
  }

  it('does not shift while a page loads, fits a phone and a desktop, and is accessible in both themes', async () => {
    const { page, close } = await openPageOf(service.api, visitor.user);
    await page.addInitScript(RECORD);
    const shifts: Record<string, number> = {};
    for (const path of await fill()) {
      await page.goto(path);
      await ready(page);
      shifts[path] = await page.evaluate<number>('window.shift');
      await expectFits(page, path);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
      }
    }
    await close();
    const poor = Object.entries(shifts).filter(([, shift]) => shift > MAX_SHIFT);
    expect(poor).to.deep.equal([]);
  });

  it('does not shift when the link to Temporal arrives after the session', async () => {
    const { user } = visitor;
    const { page, close } = await openPageOf(service.api, user);
    const assistant = await createAssistant(user.default_workspace_id, { name: 'Redacted' });
    const { id } = await createSession(assistant, {
      status: 'completed',
      completed_at: new Date(),
      simulated: true,
      summary_text: 'A call.',
      redaction: {
        entities: ['card', 'email', 'phone'],
        counts: { card: 1, email: 1, phone: 1 },
        originals: 'sealed',
        sealed_in: null,
        recognizer: false,
      },
    });
    await page.addInitScript(RECORD);
    const session = page.waitForResponse(`**/v1/sessions/${id}`);
    await page.route('**/v1/info', async (route) => {
      const response = await route.fetch();
      await session;
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await route.fulfill({
        json: { ...((await response.json()) as object), temporal_run_url: 'http://127.0.0.1/{workflow_id}' },
      });
    });
    await page.goto(`/console/sessions/${id}`);
    await expectLocator(page.getByText('A call.')).toBeVisible();
    await page.getByRole('button', { name: 'Actions' }).click();
    await expectLocator(page.getByRole('link', { name: 'Temporal' })).toBeVisible();
    expect(await page.evaluate<number>('window.shift')).to.be.at.most(MAX_SHIFT);
    await close();
  });

  for (const language of CONSOLE_LANGUAGES.filter((each) => each !== 'en')) {
    it(`fits a phone and a desktop in each language (${language})`, async () => {
      const { page, close } = await openPageOf(service.api, visitor.user);
      await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['${language}'] })`);
      const [first = '', ...others] = await fill();
      await page.goto(first);
      await expectLocator(page.locator('html')).toHaveAttribute('lang', language);
      for (const path of [first, ...others]) {
        if (path !== first) await openWithin(page, path);
        await ready(page);
        await expectFits(page, path);
      }
      await close();
    });
  }

  it('uses the width of a wide screen, at a base font size of 14 px', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.goto('/console/sessions');
    await expectLocator(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
    const width = await page.evaluate<number>("document.querySelector('main search').getBoundingClientRect().width");
    expect(width).to.be.above(1_500);
    expect(await page.evaluate('getComputedStyle(document.body).fontSize')).to.equal('14px');
  });
});
