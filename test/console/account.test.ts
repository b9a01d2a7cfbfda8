import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import { login } from '../../contract/account.ts';
import { send, startTestApi } from '../support/api.ts';
import { expectAccessible, expectLocator, expectNoSidewaysScroll } from '../support/browser.ts';
import { visit } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';

describe('The way out of the console', () => {
  let api: RunningApi;
  let visitor: Visitor;
  before(async function () {
    this.timeout(0);
    api = await startTestApi();
  });
  after(() => api.stop());
  beforeEach(async () => {
    visitor = await visit(api);
    await visitor.page.goto('/console/settings/account');
  });
  afterEach(() => visitor.close());

  it('gives everything of the account as a file', async () => {
    const download = visitor.page.waitForEvent('download');
    await visitor.page.getByRole('link', { name: 'Export everything' }).click();
    const file = await download;
    expect(file.suggestedFilename()).to.match(/^conversations-[\d-]+\.zip$/);
    expect(await file.failure()).to.equal(null);
    expect(visitor.faults).to.deep.equal([]);
  });

  it('says what goes and what stays, takes the right password only, and ends at the login', async () => {
    const { page, email, password } = visitor;
    const canLogIn = async () => (await send(api, login, { body: { email, password } })).status === 200;
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await expectLocator(dialog).toContainText('Kept: the audit trail');
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);

    await dialog.getByLabel('Current password').fill('not this one');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expectLocator(dialog.getByLabel('Current password')).toHaveAccessibleDescription(/not the current password/);
    expect(await canLogIn()).to.equal(true);

    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expectLocator(page.getByText('Your account is deleted.')).toBeVisible();
    await expectLocator(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
    await expectLocator(page.getByText('Your login has ended.')).not.toBeVisible();
    expect(await canLogIn()).to.equal(false);
    expect(visitor.faults).to.deep.equal([]);
  });
});
