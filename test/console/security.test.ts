import { readFileSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import type { SignInPolicy } from '../../contract/values/constants.ts';
import { IdentityModel } from '../../db/models/identity.ts';
import { LoginModel } from '../../db/models/login.ts';
import { SecondFactorModel } from '../../db/models/second-factor.ts';
import { UserModel } from '../../db/models/user.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { expectAccessible, expectLocator, expectUsable } from '../support/browser.ts';
import { visitInTab } from '../support/console.ts';
import { PASSWORD } from '../support/factories.ts';
import { newPerson } from '../support/oidc.ts';
import { startSignInApi } from '../support/sign-in-api.ts';
import { tokenIn } from '../support/smtp.ts';
import { useStarted } from '../support/use-started.ts';

const PAGE = '/console/settings/security';

describe("The console's security settings", () => {
  const api = useStarted(startSignInApi);
  const visitor = visitInTab(() => api);

  const button = (name: string) => visitor.page.getByRole('button', { name, exact: true });
  const dialog = () => visitor.page.getByRole('dialog', { name: 'Confirm your identity' });
  const verify = () => UserModel.setEmail(visitor.user.id, visitor.user.email, { isVerified: true });
  /** Expires the proof of identity, as after ten minutes. */
  const forgetProof = () =>
    LoginModel.query()
      .where({ user_id: visitor.user.id })
      .patch({ proved_at: new Date(0) });
  /** Makes used codes valid again, as after 30 seconds. */
  const forgetSteps = () => SecondFactorModel.query().findById(visitor.user.id).patch({ last_step: 0 });
  const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

  async function logIn(code: string): Promise<void> {
    const { page, user } = visitor;
    await expectLocator(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await button('Log in').click();
    await page.getByLabel('Code', { exact: true }).fill(code);
    await button('Log in').click();
  }

  /** Sets up a second factor. Returns the secret and the recovery codes. */
  async function setUp(): Promise<{ secret: string; codes: string[] }> {
    const { page } = visitor;
    await button('Set up').click();
    await expectLocator(page.getByRole('img', { name: 'QR code of the secret' })).toBeVisible();
    const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await button('Turn on').click();
    const shown = page.getByLabel('Recovery codes', { exact: true });
    await expectLocator(shown).toBeVisible();
    return { secret, codes: ((await shown.textContent()) ?? '').split('\n') };
  }

  it('can set up a second factor; logins then require a code of the app or a recovery code', async () => {
    const { page, user } = visitor;
    await verify();
    await page.goto(PAGE);
    await expectLocator(button('Set up')).toBeVisible();
    await expectUsable(page);
    await button('Set up').click();
    await expectLocator(page.getByLabel('Code', { exact: true })).toBeFocused();
    await expectAccessible(page);
    await button('Cancel').click();
    const { secret, codes } = await setUp();
    expect(codes).to.have.length(10);
    await expectAccessible(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const file = await (await downloading).path();
    expect(readFileSync(file, 'utf8').trim().split('\n')).to.deep.equal(codes);
    await expectLocator(button('Done')).toBeDisabled();
    await page.getByLabel('I have saved the codes').check();
    await button('Done').click();
    await expectLocator(page.getByText('You have 10 unused recovery codes.')).toBeVisible();

    await page.setViewportSize({ width: 1280, height: 800 });
    await button('Log out').first().click();
    await forgetSteps();
    await logIn('not-a-recovery-code');
    await expectLocator(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(
      /wrong or was used before/,
    );
    await expectAccessible(page);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await button('Log in').click();
    await expectLocator(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();

    await button('Log out').click();
    await logIn(codes[0] ?? '');
    await expectLocator(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
    await page.goto(PAGE);
    await expectLocator(page.getByText('You have 9 unused recovery codes.')).toBeVisible();
    await button('Turn off').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
    await expectLocator(button('Set up')).toBeVisible();
    expect(await SecondFactorModel.query().findById(user.id)).to.equal(undefined);
  });

  it('can change the email address with a link, after a confirmation of the identity', async () => {
    const { page, user } = visitor;
    await verify();
    await forgetProof();
    const email = `new-${user.email}`;
    await page.goto(PAGE);
    await button('Change address').click();
    await page.getByLabel('New email address').fill(email);
    await button('Send link').click();
    await expectLocator(dialog()).toBeVisible();
    await expectAccessible(page);
    await dialog().getByLabel('Current password').fill('not this one');
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await expectLocator(dialog().getByLabel('Current password')).toHaveAccessibleDescription(/The password is wrong/);
    await dialog().getByLabel('Current password').fill(PASSWORD);
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await expectLocator(page.getByText(`Link sent to ${email}.`)).toBeVisible();
    expect((await UserModel.query().findById(user.id))?.email, 'not yet').to.equal(user.email);

    await page.goto(`/console/email#${tokenIn(await api.smtp.mailTo(email))}`);
    await button('Verify address').click();
    await expectLocator(page.getByRole('status').getByText(email)).toBeVisible();
    expect((await UserModel.query().findById(user.id))?.email).to.equal(email);
  });

  it('change nothing if the identity is not confirmed', async () => {
    const { page, user } = visitor;
    await verify();
    await forgetProof();
    await page.goto(PAGE);
    await button('Set up').click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await expectLocator(page.getByRole('alert')).toContainText('Your identity is not confirmed');
    expect(await SecondFactorModel.query().findById(user.id)).to.equal(undefined);
  });

  it('can connect and disconnect the single sign-on of the same person', async () => {
    const { page, user } = visitor;
    await verify();
    await page.goto(PAGE);
    api.idp.expect(newPerson());
    await button('Connect Keycloak').click();
    await expectLocator(page.getByText('This sign-in has a different email address')).toBeVisible();
    await page.context().clearCookies({ name: /^_(session|interaction)/ });
    api.idp.expect(newPerson({ email: user.email }));
    await button('Connect Keycloak').click();
    await expectLocator(page.getByText(api.idp.issuer)).toBeVisible();
    expect(await IdentityModel.findAllOwned(user.id)).to.have.length(1);
    await button('Disconnect').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
    await expectLocator(button('Connect Keycloak')).toBeVisible();
  });

  it('confirm the identity of people without a password at the provider', async () => {
    const { page } = visitor;
    await page.context().clearCookies();
    api.idp.expect(newPerson());
    await page.goto(PAGE);
    await page.getByRole('link', { name: 'Sign in with Keycloak' }).click();
    await button('Disconnect').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
    await expectLocator(dialog()).toBeVisible();
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Sign in with Keycloak' }).click();
    await expectLocator(page).toHaveURL(`${api.url}${PAGE}`);
    await expectLocator(dialog()).toHaveCount(0);
    await button('Disconnect').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
    await expectLocator(page.getByRole('alert')).toContainText('This is your only way to log in.');

    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('New password').fill(PASSWORD);
    await button('Set password').click();
    await expectLocator(button('Change password')).toBeVisible();
  });

  describe('explain what to do if the workspace requires', () => {
    const require = (sign_in: SignInPolicy) =>
      WorkspaceModel.query().findById(visitor.user.default_workspace_id).patch({ sign_in });
    /** Text that is visible only with access to the workspace. */
    const usage = () => visitor.page.getByText('No usage in this period');

    it('a second factor', async () => {
      const { page, user } = visitor;
      await verify();
      await require('second_factor');
      await page.goto('/console/usage');
      const banner = page.getByRole('status').filter({ hasText: 'This workspace requires a second factor.' });
      await expectLocator(banner).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Set up a second factor' }).click();
      const { secret } = await setUp();
      await page.goto('/console/usage');
      await expectLocator(usage()).toBeVisible();
      await expectLocator(banner).toHaveCount(0);

      await forgetSteps();
      await LoginModel.query().where({ user_id: user.id }).patch({ is_strong: false });
      await page.goto('/console/usage');
      await button('Enter a code').click();
      await dialog().getByLabel('Code').fill(codeOf(secret));
      await dialog().getByRole('button', { name: 'Confirm' }).click();
      await expectLocator(usage()).toBeVisible();
      await expectLocator(banner).toHaveCount(0);
    });

    it('single sign-on', async () => {
      const { page, user } = visitor;
      await verify();
      await require('sso');
      api.idp.expect(newPerson({ email: user.email }));
      await page.goto('/console/usage');
      const banner = page.getByRole('status').filter({ hasText: 'This workspace requires single sign-on.' });
      await expectLocator(banner).toBeVisible();
      await page.getByRole('link', { name: 'Sign in with Keycloak' }).click();
      await expectLocator(usage()).toBeVisible();
      expect(page.url()).to.equal(`${api.url}/console/usage`);
      await expectLocator(banner).toHaveCount(0);
    });
  });
});
