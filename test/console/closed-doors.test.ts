/** Browsers that deny what most allow: cookies, storage. */
import type { Page } from '@playwright/test';
import { openConsoleSession } from '../../contract/account/logins.ts';
import { expectLocator, openPage } from '../support/browser.ts';
import { logInTo, visitEachTest } from '../support/console.ts';
import { createAssistant, createSession } from '../support/factories.ts';
import { register } from '../support/started-service.ts';

const DENY_STORAGE = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });`;

describe('A browser that denies', () => {
  const { service, visitor } = visitEachTest();

  it('the cookie of the login is told so, and not that a session has expired', async () => {
    const { email, password } = await register(service.api);
    const { page, close } = await openPage(service.api.url);
    const drop = (page_: Page) =>
      page_.route(`**/api${openConsoleSession.path}`, async (route) => {
        const response = await route.fetch();
        const { 'set-cookie': _, ...headers } = response.headers();
        // A browser without cookies sends none either.
        await page_.context().clearCookies();
        await route.fulfill({ response, headers });
      });
    await drop(page);
    await page.goto('/console/login');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(page.getByRole('alert')).toContainText('Your browser refused the cookie of the login');
    await expectLocator(page.getByText('expired')).toHaveCount(0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
    await close();
  });

  it('storage sees every page, and keeps its place in a list', async () => {
    const { page, faults, close } = await openPage(service.api.url);
    await page.addInitScript(DENY_STORAGE);
    await logInTo(page, service.api, visitor.user);
    const assistant = await createAssistant(visitor.user.default_workspace_id);
    for (const status of ['completed', 'failed'] as const) await createSession(assistant, { status });
    await page.goto('/console/sessions');
    await page.locator('tbody tr').first().getByRole('link').first().click();
    await expectLocator(page.getByText('1 of 2')).toBeVisible();
    const paths = ['', 'deliveries', 'assistants', 'usage', 'review', 'batches', 'start', 'system', 'settings/account'];
    for (const path of [...paths, `assistants/${assistant.id}`, `assistants/${assistant.id}/results`, 'reset']) {
      await page.goto(`/console/${path}`);
      await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    await page.goto('/console/reset#some-token');
    await expectLocator(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
    expect(faults).to.deep.equal([]);
    await close();
  });
});
