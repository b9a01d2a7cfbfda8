import { send } from '../support/api.ts';
import { expectAccessible, expectFitsPhone, expectLocator, expectUsable } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { addAssistant } from '../support/started-service.ts';

const DAY_MS = 24 * 3_600_000;

describe("The console's settings", () => {
  const { service, visitor } = visitEachTest();

  const readTokens = async () => (await send(service.api, 'listKeys', { token: visitor.token })).body.data;

  it('create a token with selected scopes and any expiry, which the audit trail records', async () => {
    const { page } = visitor;
    await page.goto('/console/settings/tokens');
    await page.getByRole('button', { name: 'Create token' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Call center');
    await dialog.getByLabel('Expires').selectOption('Custom');
    await dialog.getByLabel('Days until it expires').fill('14');
    await dialog.getByLabel('Access').selectOption('Selected scopes');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expectLocator(dialog.getByLabel('Access')).toHaveAccessibleDescription(/at least|too small/i);
    await dialog.getByLabel('requests:write').check();
    await dialog.getByLabel('sessions:read').check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expectLocator(page.locator('pre').first()).toHaveText(/^cas_/);
    await expectFitsPhone(page);
    await expectLocator(page.getByRole('button', { name: 'Copy Your new token' })).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Done' }).click();
    await expectLocator(page.getByRole('row', { name: /Call center/ })).toContainText('2 scopes');
    const [token] = await readTokens();
    expect(token?.scopes).to.have.members(['requests:write', 'sessions:read']);
    expect(Date.parse(token?.expires_at ?? '') - Date.parse(token?.created_at ?? '')).to.be.closeTo(
      14 * DAY_MS,
      60_000,
    );

    const { name } = await addAssistant(service.api, visitor.token, { webhook_url: 'http://127.0.0.1:65001/hook' });
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await expectLocator(page.getByRole('row', { name: /Assistant created/ })).toContainText(name);
    const event = page.getByRole('row', { name: /Token created/ });
    await expectLocator(event.getByRole('cell', { name: visitor.user.name, exact: true })).toBeVisible();
    await expectUsable(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Event').selectOption('Token revoked');
    await expectLocator(page.getByText('No matches')).toBeVisible();
    await page.getByLabel('Event').selectOption('Token created');
    await event.getByRole('link').click();
    await expectLocator(page.getByRole('row', { name: /Call center/ })).toBeVisible();
  });

  it('create a token that can only read', async () => {
    const { page } = visitor;
    await page.goto('/console/settings/tokens');
    await page.getByRole('button', { name: 'Create token' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Dashboard');
    await dialog.getByLabel('Access').selectOption('Read only');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expectLocator(page.getByRole('row', { name: /Dashboard/ })).toContainText('Read only');
    const scopes = (await readTokens())[0]?.scopes ?? [];
    expect(scopes).to.include('sessions:read');
    expect(scopes.filter((scope) => !/:read$|^sessions:export$/.test(scope))).to.deep.equal([]);
  });

  it('connect a tool, whose configuration works and whose token can only read', async () => {
    const { page } = visitor;
    await page.goto('/console/settings/tokens');
    await page.getByRole('button', { name: 'Create token' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Editor');
    await dialog.getByLabel('Access').selectOption('Read only');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Connect a tool (MCP)').click();
    const configuration = JSON.parse((await dialog.getByLabel('Connect a tool (MCP)').first().textContent()) ?? '') as {
      mcpServers: { conversations: { url: string; headers: Record<string, string> } };
    };
    const { url, headers } = configuration.mcpServers.conversations;
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(await response.text())
      .to.contain('get_transcript')
      .and.not.to.contain('submit_text');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expectLocator(page.getByRole('row', { name: /Editor/ })).toContainText('Read only');
  });
});
