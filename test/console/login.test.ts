import { expectAccessible, expectFitsPhone, expectLocator, useTab } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { useSharedService } from '../support/shared-service.ts';

describe('Registration and login in the console', () => {
  const service = useSharedService();
  const opened = useTab(() => service.api);

  async function fillIn(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      await opened.page.getByLabel(label, { exact: true }).fill(value);
    }
  }

  async function register(): Promise<{ email: string; password: string }> {
    const email = `${crypto.randomUUID()}@example.com`;
    const password = crypto.randomUUID();
    await opened.page.goto('/console/register');
    await fillIn({ Name: 'Ada', Email: email, Password: password });
    await opened.page.getByRole('button', { name: 'Create account' }).click();
    await expectLocator(opened.page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
    return { email, password };
  }

  it('redirects from / to the login, and then opens the requested page', async () => {
    const { page } = opened;
    const { email, password } = await register();
    await page.getByRole('button', { name: 'Log out' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Log in' })).toBeVisible();

    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto('/');
    await expectLocator(page).toHaveURL(/\/console\/login$/);
    // The shell asks for the workspaces together with the login.
    const refused = requested.filter((path) => /^\/api\/v1\/(?!auth\/)/.test(path));
    expect(new Set(refused)).to.deep.equal(new Set(['/api/v1/workspaces']));
    await page.goto('/console/usage');
    await fillIn({ Email: email, Password: password });
    await page.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).to.equal('/console/usage');
  });

  it('leads from the registration to a result with own questions in seven clicks and one submission', async () => {
    const { page } = opened;
    const email = `${crypto.randomUUID()}@example.com`;
    await page.goto('/console/register');
    await fillIn({ Name: 'Ada', Email: email, Password: crypto.randomUUID() });
    await page.getByRole('button', { name: 'Create account' }).click();
    await expectLocator(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'New conversation' }).click();
    await page.getByLabel('Template').selectOption('Empty');
    await page.getByRole('textbox', { name: 'Name' }).fill('Parcels');
    await page.getByLabel('System prompt').fill('Summarize the call.');
    await page.getByRole('button', { name: 'Add question' }).click();
    await page.getByRole('textbox', { name: 'Name' }).nth(1).fill('Complaint');
    await page.getByRole('textbox', { name: 'Question' }).fill('What does the client complain about?');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create assistant' }).click();
    await expectLocator(page.getByText('Complaint', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Use sample' }).click();
    await page.getByRole('button', { name: 'Analyze' }).click();
    await expectLocator(page.getByRole('rowheader', { name: 'Complaint' })).toBeVisible();
    await expectFitsPhone(page);
  });

  it('shows the login page after a logout, even if it makes other calls fail first', async () => {
    const { page } = opened;
    await register();
    // Empties the cache, which may contain the login methods since the registration.
    await page.reload();
    await expectLocator(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    let hasAsked = false;
    await page.route('**/v1/auth/methods', async (route) => {
      if (hasAsked) await route.continue();
      hasAsked = true;
    });
    await page.route('**/v1/auth/console-session', async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      // Created before the call, because the end of the event stream may also open the login page.
      const opening = page.waitForRequest('**/v1/auth/methods');
      const response = await route.fetch();
      await page.evaluate("__TSR_ROUTER__.history.push('/console/usage')");
      await opening;
      return route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Log out' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
    await expectLocator(page).toHaveURL(/\/console\/login\?ended=out$/);
  });

  it('leads to the registration on an installation without accounts', async () => {
    const { page } = opened;
    await page.route('**/v1/auth/methods', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...((await response.json()) as object), has_accounts: false } });
    });
    await page.goto('/console/');
    await expectLocator(page.getByRole('heading', { name: 'Create an account' })).toBeVisible();
  });

  it('shows an error at its field, and a failed login as an alert', async () => {
    const { page } = opened;
    // Earlier files have counted failed logins from this address.
    await testDatabase().db('rate_limits').delete().whereLike('key', 'login-address%');
    await page.goto('/console/register');
    await fillIn({ Name: 'Ada', Email: 'ada@example', Password: 'correct horse battery' });
    await page.getByRole('button', { name: 'Create account' }).click();
    await expectLocator(page.getByLabel('Email')).toHaveAccessibleDescription(/Must be an email address\./);

    await page.getByRole('link', { name: 'Log in' }).click();
    // Until the page has loaded, the fields are those of the registration.
    await expectLocator(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
    await fillIn({ Email: `${crypto.randomUUID()}@example.com`, Password: 'correct horse battery' });
    await page.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(page.getByRole('alert')).toContainText('Login failed');
  });

  it('stores no token where a script could read it', async () => {
    await register();
    const readable = await opened.page.evaluate('JSON.stringify([document.cookie, localStorage, sessionStorage])');
    expect(readable).not.to.match(/cas_|eyJ|[A-Za-z0-9_-]{40}/);
  });

  it('asks for a new login after the old one expired, and returns to the page', async () => {
    const { page } = opened;
    const { email, password } = await register();
    // All requests of the page have a response.
    await expectLocator(page.getByText('First steps')).toBeVisible();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Assistants' }).click();
    await expectLocator(page.getByText('Your login has ended.')).toBeVisible();
    await fillIn({ Email: email, Password: password });
    await page.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Assistants', level: 1 })).toBeVisible();
  });

  it('reports that the API is unavailable, and continues when it is back', async () => {
    const { page } = opened;
    await register();
    for (const path of ['**/api/**', '**/healthz']) await page.route(path, (route) => route.abort());
    await page.getByRole('link', { name: 'Assistants' }).click();
    const banner = page.getByText('Can’t reach the server since');
    await expectLocator(banner).toBeVisible();
    await page.unrouteAll();
    await expectLocator(banner).not.toBeVisible();
    await expectLocator(page.getByText('No assistants yet')).toBeVisible();
  });
});
