import { expect } from 'chai';
import { expectAccessible, expectLocator, expectNoSidewaysScroll, openPage } from '../support/browser.ts';
import type { TestPage } from '../support/browser.ts';
import { useSharedService } from '../support/shared-service.ts';

describe('The door of the console', () => {
  const service = useSharedService();
  let opened: TestPage;
  afterEach(() => opened.close());

  const NARROW = { width: 390, height: 844 };

  async function fillIn(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      await opened.page.getByLabel(label, { exact: true }).fill(value);
    }
  }

  async function register(): Promise<{ email: string; password: string }> {
    const email = `${crypto.randomUUID()}@example.com`;
    const password = crypto.randomUUID();
    await opened.page.goto('/console/register');
    await fillIn({ Name: 'Ada', 'E-mail': email, Password: password });
    await opened.page.getByRole('button', { name: 'Create account' }).click();
    await expectLocator(opened.page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
    return { email, password };
  }

  it('leads from / to the login, and after it to where one wanted to go', async () => {
    opened = await openPage(service.api.url);
    const { page } = opened;
    const { email, password } = await register();
    await page.getByRole('button', { name: 'Log out' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Log in' })).toBeVisible();

    await page.goto('/');
    await expectLocator(page).toHaveURL(/\/console\/login$/);
    await page.goto('/console/usage');
    await fillIn({ 'E-mail': email, Password: password });
    await page.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).to.equal('/console/usage');
    expect(opened.faults).to.deep.equal([]);
  });

  it('shows every refusal at its field, or why nobody gets in', async () => {
    opened = await openPage(service.api.url);
    const { page } = opened;
    await page.goto('/console/register');
    await fillIn({ Name: 'Ada', 'E-mail': 'ada@example', Password: 'correct horse battery' });
    await page.getByRole('button', { name: 'Create account' }).click();
    await expectLocator(page.getByLabel('E-mail')).toHaveAccessibleDescription(/must be an e-mail address/);

    await page.getByRole('link', { name: 'Log in' }).click();
    await fillIn({ 'E-mail': 'nobody@example.com', Password: 'correct horse battery' });
    await page.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(page.getByRole('alert')).toContainText('Authentication is required');
    expect(opened.faults).to.deep.equal([]);
  });

  it('keeps no token where a script could read it', async () => {
    opened = await openPage(service.api.url);
    await register();
    const readable = await opened.page.evaluate('JSON.stringify([document.cookie, localStorage, sessionStorage])');
    expect(readable).not.to.match(/cas_|eyJ|[A-Za-z0-9_-]{40}/);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is open to everyone in the ${colorScheme} theme, wide and narrow`, async () => {
      opened = await openPage(service.api.url, { colorScheme });
      const { page } = opened;
      await page.goto('/console/login');
      await expectLocator(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
      await expectAccessible(page);
      await page.goto('/console/register');
      await expectLocator(page.getByRole('heading', { name: 'Create an account' })).toBeVisible();
      await expectAccessible(page);
      await register();
      await expectAccessible(page);
      await page.setViewportSize(NARROW);
      await expectNoSidewaysScroll(page);
      await page.getByRole('button', { name: 'Open the menu' }).click();
      await expectLocator(page.getByRole('link', { name: 'Sessions & Logs' })).toBeVisible();
      await expectAccessible(page);
      expect(opened.faults).to.deep.equal([]);
    });
  }

  it('asks for the login again when it has ended, says so, and goes on where one was', async () => {
    opened = await openPage(service.api.url);
    const { page } = opened;
    const { email, password } = await register();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Assistants' }).click();
    await expectLocator(page.getByText('Your login has ended.')).toBeVisible();
    await fillIn({ 'E-mail': email, Password: password });
    await page.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Assistants', level: 1 })).toBeVisible();
    expect(opened.faults).to.deep.equal([]);
  });

  it('says when the API is away, and goes on by itself when it is back', async () => {
    opened = await openPage(service.api.url);
    const { page } = opened;
    await register();
    for (const path of ['**/api/**', '**/healthz']) await page.route(path, (route) => route.abort());
    await page.getByRole('link', { name: 'Assistants' }).click();
    const banner = page.getByText('The API does not answer. This page shows');
    await expectLocator(banner).toBeVisible();
    await page.unrouteAll();
    await expectLocator(banner).not.toBeVisible();
    await expectLocator(page.getByText('No assistant yet')).toBeVisible();
  });
});
