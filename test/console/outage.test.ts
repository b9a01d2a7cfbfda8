import type { Page } from '@playwright/test';
import { send } from '../support/api.ts';
import { expectLocator } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { visitEachTest } from '../support/console.ts';
import { createAnswered, createAssistant, createSession } from '../support/factories.ts';

const EVERYTHING = /\/(api|console|healthz|readyz)/;

const REFUSED = { status: 503, code: 'unavailable', title: 't', detail: 'd', request_id: 'r' };

describe('The console during an outage', () => {
  const { service, visitor } = visitEachTest();
  const banner = (page: Page) => page.getByText('Can’t reach the server since');

  it("stays open when a new page can't be loaded, and shows that page when the server returns", async () => {
    const { page } = visitor;
    await page.goto('/console/assistants');
    await expectLocator(page.getByRole('heading', { name: 'Assistants', level: 1 })).toBeVisible();
    let navigations = 0;
    page.on('request', (request) => request.isNavigationRequest() && navigations++);
    await page.route(EVERYTHING, (route) => route.abort());
    await page.getByRole('link', { name: 'Usage' }).click();
    await expectLocator(banner(page)).toBeVisible();
    await expectLocator(page.getByRole('link', { name: 'Assistants', exact: true })).toBeVisible();
    await page.unrouteAll();
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    await expectLocator(banner(page)).toHaveCount(0);
    // Chromium does not retry a failed module, so the page reloads once when the server responds.
    expect(navigations).to.equal(1);
    // The router logs the file that it could not preload.
    expect(visitor.faults.splice(0).join()).to.match(/^(TypeError: Failed to fetch dynamically imported module[^]*)?$/);
  });

  it('responds to a click within 12 frames while the server hangs, and reports the outage after 5 s', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions');
    await expectLocator(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
    // Requests without a response.
    await page.route(EVERYTHING, () => undefined);
    const started = `document.querySelector('a[href="/console/usage"]').addEventListener('click', () => {
      let frames = 0;
      const look = () => document.querySelector('main [role=status][aria-label]')
        ? (window.framesToResponse = frames) : (frames++, requestAnimationFrame(look));
      look();
    })`;
    await page.evaluate(started);
    await page.getByRole('link', { name: 'Usage' }).click();
    await expectLocator(page.locator('main').getByRole('status', { name: 'Loading' })).toBeVisible();
    // In frames: an idle machine draws 12 in 200 ms, a busy one fewer.
    await eventually(() => page.evaluate<boolean>('window.framesToResponse >= 0'), true);
    expect(await page.evaluate('window.framesToResponse')).to.be.at.most(12);
    await expectLocator(banner(page)).toBeVisible({ timeout: 20_000 });
  });

  it("keeps the data on screen, in the same place, when it can't be refreshed", async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const session = await createSession(assistant, { status: 'completed', completed_at: new Date() });
    await page.goto(`/console/sessions/${session.id}`);
    await expectLocator(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
    await expectLocator(page.getByRole('heading', { name: 'Loading' })).toHaveCount(0);
    const top = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.y;
    const before = await top();
    await page.route(/\/api|\/healthz/, (route) => route.abort());
    await expectLocator(async () => {
      // The page refreshes its data when its tab is shown, unless the data is fresh.
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
      await expectLocator(banner(page)).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    await expectLocator(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
    expect(await top()).to.equal(before);
    await expectLocator(page.getByRole('main').getByRole('alert')).toHaveCount(0);
  });

  it('keeps the navigation while requests are refused, and continues when they are accepted', async () => {
    const { page } = visitor;
    for (const status of [429, 503]) {
      const json = {
        status,
        code: status === 429 ? 'rate_limited' : 'unavailable',
        title: 't',
        detail: 'd',
        request_id: 'r',
      };
      await page.route(/\/api\//, (route) => route.fulfill({ status, json }));
      await page.goto('/console/sessions');
      const retry = page.getByRole('main').getByRole('button', { name: 'Try again' });
      await expectLocator(retry).toBeVisible();
      await expectLocator(page.getByRole('link', { name: 'Assistants', exact: true })).toBeVisible();
      await page.unrouteAll();
      await retry.click();
      await expectLocator(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
    }
  });

  it('shows a page while another call of it is refused, without repeating that call at once', async () => {
    const { page, user } = visitor;
    const session = await createSession(await createAssistant(user.default_workspace_id), { status: 'completed' });
    for (const [path, refused] of [
      [`/sessions/${session.id}`, 'info'],
      ['/', 'counts/sessions'],
      ['/', 'assistants'],
    ]) {
      let requests = 0;
      await page.route(`**/api/v1/${refused}*`, (route) => {
        requests++;
        return route.fulfill({ status: 503, json: REFUSED });
      });
      await page.goto(`/console${path}`);
      await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectLocator(page.locator('main [role="status"][aria-label]')).toHaveCount(0);
      expect(requests, refused).to.be.below(5);
      await page.unrouteAll();
    }
  });

  it('says which facts of assistants are refused, instead of showing none', async () => {
    const { page, user } = visitor;
    const fields = [{ name: 'solved', type: 'boolean' as const, description: 'Is it solved?', evidence: false }];
    await createAnswered(await createAssistant(user.default_workspace_id, { fields }), { solved: true });
    await page.route(/v1\/assistants\/.*\/(results|accuracy)/, (route) =>
      route.fulfill({ status: 503, json: { ...REFUSED, title: 'Temporarily unavailable' } }),
    );
    await page.goto('/console/assistants');
    await expectLocator(page.getByRole('main').getByRole('alert')).toContainText('Temporarily unavailable');
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await page.goto('/console/');
    const retry = page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Try again' });
    await expectLocator(retry).toBeVisible();
    // With text of 200 % on a phone, the button is below the text.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    const text = (await page.getByRole('main').getByRole('alert').locator('strong').boundingBox())?.width;
    expect(text).to.be.above(150);
    await page.unrouteAll();
    await expectLocator(async () => {
      if (await retry.isVisible()) await retry.click();
      await expectLocator(page.getByRole('columnheader', { name: 'Right answers' })).toBeVisible({
        timeout: 1_000,
      });
    }).toPass({ timeout: 60_000 });
  });

  it('says that the next page of a list is refused, and loads it on request', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    for (let count = 0; count < 51; count++) await createSession(assistant, { status: 'completed' });
    await page.route(/sessions\?.*cursor=/, (route) => route.fulfill({ status: 503, json: REFUSED }));
    await page.goto('/console/sessions');
    await page.getByRole('button', { name: 'Load more' }).click();
    const retry = page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Try again' });
    await expectLocator(retry).toBeVisible();
    await page.unrouteAll();
    await retry.click();
    await expectLocator(page.getByRole('row')).toHaveCount(52);
  });

  it('repeats a refused call that a page needs', async () => {
    const { page } = visitor;
    await page.clock.install();
    await page.route(/\/api\/v1\/sessions/, (route) => route.fulfill({ status: 503, json: REFUSED }));
    await page.goto('/console/sessions');
    await expectLocator(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible();
    await page.unrouteAll();
    await page.clock.fastForward(20_000);
    await expectLocator(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
  });

  it('shows a frame before its scripts have loaded', async () => {
    const { page } = visitor;
    await page.route('**/assets/*.js', () => undefined);
    await page.goto('/console/sessions', { waitUntil: 'commit' });
    await expectLocator(page.getByText('Conversation Analysis')).toBeVisible();
    await expectLocator(page.getByRole('progressbar')).toBeVisible();
  });

  it('reports on every page and on a waiting session that no worker is running', async () => {
    const { page, user, token } = visitor;
    const info = (await send(service.api, 'getInfo', { token })).body;
    const workers = { running: 0, last_seen_at: '2026-11-22T03:40:00.000Z' };
    await page.route('**/api/v1/info', (route) => route.fulfill({ json: { ...info, workers } }));
    const assistant = await createAssistant(user.default_workspace_id);
    const session = await createSession(assistant, { status: 'queued' });
    await page.goto(`/console/sessions/${session.id}`);
    await expectLocator(page.getByText(/No worker has been running since .*03:40/)).toBeVisible();
    await expectLocator(page.getByRole('main').getByText('No worker is running')).toBeVisible();
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('link', { name: 'System' }).click();
    await expectLocator(page.getByRole('main').getByText('No worker is running')).toBeVisible();
  });
});
