import { send } from '../support/api.ts';
import { expectLocator, expectUsable } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { PASSWORD } from '../support/factories.ts';

describe('Export and deletion of the account in the console', () => {
  const { service, visitor } = visitEachTest();
  beforeEach(() => visitor.page.goto('/console/settings/account'));

  it('downloads all data of the account as a file', async () => {
    const download = visitor.page.waitForEvent('download');
    await visitor.page.getByRole('link', { name: 'Export data' }).click();
    const file = await download;
    expect(file.suggestedFilename()).to.match(/^conversations-[\d-]+\.zip$/);
    expect(await file.failure()).to.equal(null);
  });

  it('lists deleted and kept data, requires the password, and opens the login page', async () => {
    const { page, user } = visitor;
    const canLogIn = async () =>
      (await send(service.api, 'login', { body: { email: user.email, password: PASSWORD } })).status === 200;
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await expectLocator(dialog).toContainText('Kept: the audit trail');
    await expectUsable(page);

    await dialog.getByLabel('Current password').fill('not this one');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expectLocator(dialog.getByLabel('Current password')).toHaveAccessibleDescription(/The password is wrong/);
    expect(await canLogIn()).to.equal(true);

    await dialog.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expectLocator(page.getByText('Account deleted.')).toBeVisible();
    await expectLocator(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
    await expectLocator(page.getByText('Your login has ended.')).not.toBeVisible();
    expect(await canLogIn()).to.equal(false);
  });
});
