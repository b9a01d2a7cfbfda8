import { expect } from 'chai';
import { CONSOLE_LANGUAGES } from '../../contract/constants.ts';
import { createInvitation } from '../../contract/invitations.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { send } from '../support/api.ts';
import { expectLocator } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { createAnswered, createAssistant, createBatch } from '../support/factories.ts';
import { logInAs } from '../support/members.ts';
import { startClosedReceiver } from '../support/receiver.ts';
import type { ClosableReceiver } from '../support/receiver.ts';
import { addAssistant } from '../support/started-service.ts';

/** The limit of a good score in Core Web Vitals: https://web.dev/articles/cls */
const MAX_SHIFT = 0.1;

const FIELDS = [{ name: 'solved', type: 'boolean' as const, description: 'Is it solved?', evidence: true }];

const RECORD = `window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true })`;

/** Pages without a frame. */
const OUTSIDE = ['login', 'register', 'reset', 'reset#token', 'email#token', `link#${'a'.repeat(40)}@example.com`];

/** A word that is longer than a line. */
const LONG = 'x'.repeat(64);

const WIDTHS = [390, 1280];

/** Returns what overflows: the page, or the text of a button. */
const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('button, a[class*="_button"]')]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.localName + ': ' + each.textContent.slice(0, 80))`;

describe('The layout of the console', () => {
  const { service, visitor } = visitEachTest();
  let receiver: ClosableReceiver;
  beforeEach(async () => {
    receiver = await startClosedReceiver('closed');
  });
  afterEach(() => receiver.stop());

  /** Adds rows of every kind, and a pending delivery. Returns the paths of all pages. */
  async function fill(): Promise<string[]> {
    const { page, token, user } = visitor;
    const { id } = await addAssistant(service.api, token, { webhook_url: receiver.url });
    const body = { assistant_id: id, conversation: [{ role: 'client', text: 'Hello.' }] };
    const sessionId = (await send(service.api, submitTextRequest, { token, body })).body.session_id;
    const answered = await createAssistant(user.default_workspace_id, { fields: FIELDS });
    const { id: filled } = await createAnswered(answered, { solved: true }, { metadata: { [LONG]: LONG } });
    const batch = await createBatch(user.default_workspace_id);
    const invited = { email: 'grace.hopper@example.com', role: 'analyst' };
    const invitation = (await send(service.api, createInvitation, { token: await logInAs(user), body: invited })).body
      .token;
    await page.goto('/console/deliveries');
    const delivery = await page.getByRole('link', { name: 'session.completed' }).getAttribute('href');
    return [
      ...['', '/start', '/sessions', '/deliveries', '/batches', '/batches/new', '/assistants', '/assistants/new'],
      ...['workspace', 'members', 'tokens', 'account', 'security', 'audit'].map((page) => `/settings/${page}`),
      ...['/usage', '/system', `/assistants/${id}`, `/invitation#${invitation}`, '/w/unknown/sessions'],
      ...['results', 'versions'].map((page) => `/assistants/${answered.id}/${page}`),
      ...[
        `/sessions/${filled}?tab=metadata`,
        `/sessions/${sessionId}`,
        `/sessions/${sessionId}/compare`,
        `/batches/${batch.id}`,
      ],
    ]
      .map((path) => `/console${path}`)
      .concat(delivery ?? '');
  }

  /** Opens a page and waits for its data. */
  async function open(path: string): Promise<void> {
    const { page } = visitor;
    await page.goto(path);
    await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectLocator(page.locator('main [role="status"][aria-label]')).toHaveCount(0);
  }

  for (const language of CONSOLE_LANGUAGES) {
    it(`does not shift while a page loads, and fits a phone and a desktop (${language})`, async function () {
      this.timeout(180_000);
      const { page } = visitor;
      const paths = await fill();
      await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['${language}'] })`);
      await page.addInitScript(RECORD);
      const shifts: Record<string, number> = {};
      for (const path of [...paths, ...OUTSIDE.map((page) => `/console/${page}`)]) {
        await open(path);
        await expectLocator(page.locator('html')).toHaveAttribute('lang', language);
        shifts[path] = await page.evaluate<number>('window.shift');
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 844 });
          const fits = eventually(() => page.evaluate<string[]>(TOO_WIDE), []);
          await fits.catch((error: unknown) => expect.fail(`${path} at ${width}: ${String(error)}`));
        }
      }
      const poor = Object.entries(shifts).filter(([, shift]) => shift > MAX_SHIFT);
      expect(poor).to.deep.equal([]);
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
