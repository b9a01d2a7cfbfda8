import { IdentityModel } from '../../db/models/identity.ts';
import { OneTimeTokenModel } from '../../db/models/one-time-token.ts';
import { SecondFactorModel } from '../../db/models/second-factor.ts';
import { UserModel } from '../../db/models/user.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, useTab, expectUsable } from '../support/browser.ts';
import { createUser, PASSWORD } from '../support/factories.ts';
import { createPerson } from '../support/members.ts';
import { newPerson } from '../support/oidc.ts';
import { startSignInApi } from '../support/sign-in-api.ts';
import { tokenIn } from '../support/smtp.ts';
import { stopAfterTest } from '../support/stop-after-test.ts';
import { useStarted } from '../support/use-started.ts';

const NEW_PASSWORD = 'a new password';

describe('Sign-in in the console', () => {
  const api = useStarted(startSignInApi);
  const opened = useTab(() => api);

  const heading = (name: string) => opened.page.getByRole('heading', { name, level: 1 });
  const button = (name: string) => opened.page.getByRole('button', { name });
  const provider = () => opened.page.getByRole('link', { name: 'Sign in with Keycloak' });
  const alert = () => opened.page.getByRole('alert');

  async function fillIn(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields))
      await opened.page.getByLabel(label, { exact: true }).fill(value);
  }

  async function logIn(email: string, password: string): Promise<void> {
    await fillIn({ Email: email, Password: password });
    await button('Log in').click();
  }

  describe('with the provider', () => {
    it('opens the page that required the login', async () => {
      const { page } = opened;
      api.idp.expect(newPerson());
      await page.goto('/console/usage?range=7d');
      await expectLocator(provider()).toBeVisible();
      await expectLocator(page.getByLabel('Password')).toBeVisible();
      await expectUsable(page);
      await provider().click();
      await expectLocator(heading('Usage')).toBeVisible();
      expect(page.url()).to.equal(`${api.url}/console/usage?range=7d`);
    });

    it('must be started again if the page that completes it is opened without it', async () => {
      const { page } = opened;
      await page.goto('/console/link?next=/usage');
      await expectLocator(alert()).toContainText('The sign-in took longer than ten minutes');
      await expectLocator(page).toHaveURL(/\/login\?next=%2Fusage&error=sso_expired$/);
    });

    it('explains what to do after a failure, and then still opens that page', async () => {
      const { page } = opened;
      const person = newPerson({ email_verified: false });
      api.idp.expect(person);
      await page.goto('/console/usage');
      await provider().click();
      await expectLocator(alert()).toContainText('Your provider has not verified your email address. Verify it there');
      await expectAccessible(page);
      api.idp.expect({ ...person, email_verified: true });
      await page.context().clearCookies();
      await provider().click();
      await expectLocator(heading('Usage')).toBeVisible();
    });

    it('requests the password once if the address of the account is not verified', async () => {
      const { page } = opened;
      const { user } = await createUser();
      api.idp.expect(newPerson({ email: user.email }));
      await page.goto('/console/usage');
      await provider().click();
      await expectLocator(heading('Connect your account')).toBeVisible();
      await expectLocator(page.getByText(`${user.email} already has an account.`)).toBeVisible();
      await expectAccessible(page);
      await fillIn({ Password: 'not this one' });
      await button('Connect and log in').click();
      await expectLocator(alert()).toContainText('Invalid email or password.');
      await fillIn({ Password: PASSWORD });
      await button('Connect and log in').click();
      await expectLocator(heading('Usage')).toBeVisible();
      expect(await IdentityModel.findAllOwned(user.id)).to.have.length(1);

      await button('Log out').click();
      const end = page.getByRole('link', { name: 'Log out of Keycloak too' });
      await expectLocator(end).toHaveAttribute('href', '/api/v1/auth/oidc/end');
      await provider().click();
      await expectLocator(heading('Overview')).toBeVisible();
    });

    it('opens the workspace that invited a person whose account the password had to prove', async () => {
      const { page } = opened;
      const [owner, { user }] = [await createPerson(), await createUser()];
      await UserModel.setEmail(owner.user.id, owner.user.email, { isVerified: true });
      const invited = { email: user.email, role: 'analyst' };
      expect((await send(api, 'createInvitation', { token: owner.token, body: invited })).status).to.equal(201);
      api.idp.expect(newPerson({ email: user.email }));
      await page.goto('/console/login');
      await provider().click();
      await fillIn({ Password: PASSWORD });
      await button('Connect and log in').click();
      await expectLocator(heading('Overview')).toBeVisible();
      await expectLocator(page).toHaveURL(`${api.url}/console/w/${owner.workspaceId}/`);
    });

    it('asks for the code of an account with a second factor that the provider did not check', async () => {
      const { page } = opened;
      const { user } = await createUser();
      await UserModel.setEmail(user.id, user.email, { isVerified: true });
      await SecondFactorModel.begin(user.id, 'a secret that no code opens');
      await SecondFactorModel.setRecoveryCodes(user.id, ['recovery']);
      api.idp.expect(newPerson({ email: user.email }));
      await page.goto('/console/usage');
      await provider().click();
      await expectLocator(heading('Confirm your identity')).toBeVisible();
      await expectLocator(page.getByText(`${user.email} has a second factor.`)).toBeVisible();
      await expectLocator(page.getByLabel('Password')).toHaveCount(0);
      await expectAccessible(page);
      await page.getByLabel('Code').fill('not this');
      await button('Log in').click();
      await expectLocator(page.getByText('The code is wrong or was used before. Enter the next one.')).toBeVisible();
      await page.getByLabel('Code').fill('recovery');
      await button('Log in').click();
      await expectLocator(heading('Usage')).toBeVisible();
    });

    it('is the only login method with PASSWORD_LOGIN=off', async () => {
      const { url } = await stopAfterTest(startSignInApi({ PASSWORD_LOGIN: 'off' }));
      const { page } = opened;
      await page.goto(`${url}/console/login`);
      await expectLocator(provider()).toBeVisible();
      await expectLocator(page.getByLabel('Password')).toHaveCount(0);
      await expectLocator(page.getByRole('link', { name: 'Create one' })).toHaveCount(0);
    });
  });

  describe('after a forgotten password', () => {
    let user: UserModel;
    beforeEach(async () => {
      ({ user } = await createUser());
    });

    async function requestLink(): Promise<string> {
      await opened.page.goto('/console/login');
      await opened.page.getByRole('link', { name: 'Forgot your password?' }).click();
      await expectLocator(heading('Reset your password')).toBeVisible();
      await fillIn({ Email: user.email });
      await button('Send link').click();
      await expectLocator(opened.page.getByRole('status')).toContainText('a link is on its way');
      return tokenIn(await api.smtp.mailTo(user.email));
    }

    it('sets a new password with an emailed link whose token is not sent in a URL', async () => {
      const { page } = opened;
      const token = await requestLink();
      expect(await api.smtp.mailTo(user.email)).to.contain(`${api.url}/console/reset#${token}`);
      await expectAccessible(page);
      const received: string[] = [];
      page.on('request', (request) => received.push(request.url(), request.headers()['referer'] ?? ''));
      await page.goto(`/console/reset#${token}`);
      await expectLocator(heading('Set a new password')).toBeVisible();
      expect(page.url()).to.equal(`${api.url}/console/reset`);
      await page.reload();
      await expectLocator(heading('Set a new password')).toBeVisible();
      await expectUsable(page);
      await fillIn({ 'New password': NEW_PASSWORD });
      await button('Set password').click();
      await expectLocator(page.getByRole('status')).toContainText('Password changed.');
      expect(received.map((each) => each.replace(/#.*/, '')).filter((each) => each.includes(token))).to.deep.equal([]);
      expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.to.contain(token);

      await page.getByRole('link', { name: 'Log in' }).click();
      await logIn(user.email, PASSWORD);
      await expectLocator(alert()).toContainText('Invalid email or password.');
      await logIn(user.email, NEW_PASSWORD);
      await expectLocator(heading('Overview')).toBeVisible();
    });

    for (const [what, spoil] of [
      ['an expired', (token: string) => expire(token)],
      ['a used', (token: string) => use(token)],
    ] as const) {
      it(`offers a new link for ${what} one`, async () => {
        const { page } = opened;
        const token = await requestLink();
        await spoil(token);
        await page.goto(`/console/reset#${token}`);
        await fillIn({ 'New password': 'another password' });
        await button('Set password').click();
        await expectLocator(alert()).toContainText('This link was used or has expired. Request a new one.');
        await expectLocator(button('Send link')).toBeVisible();
        const body = { email: user.email, password: 'another password' };
        expect((await send(api, 'login', { body })).status).to.equal(401);
      });
    }

    const expire = (_token: string) =>
      OneTimeTokenModel.query()
        .where({ user_id: user.id })
        .patch({ expires_at: new Date(0) });
    async function use(token: string): Promise<void> {
      const body = { token, new_password: NEW_PASSWORD };
      expect((await send(api, 'confirmPasswordReset', { body })).status).to.equal(204);
    }
  });

  it('is required before an email address is confirmed with a link, and the token is in no URL', async () => {
    const { page } = opened;
    const { user } = await createUser();
    const token = await OneTimeTokenModel.issue('email', user, user.email);
    await page.goto(`/console/email#${token}`);
    await expectLocator(heading('Log in')).toBeVisible();
    expect(page.url()).to.equal(`${api.url}/console/login?next=%2Femail`);
    await logIn(user.email, PASSWORD);
    await expectLocator(heading('Verify your email address')).toBeVisible();
    await expectAccessible(page);
    await button('Verify address').click();
    await expectLocator(page.getByRole('status')).toContainText(`${user.email} is the verified address`);
    expect((await UserModel.query().findById(user.id))?.email_verified_at).not.to.equal(null);

    await page.goto('/console/');
    await page.goto(`/console/email#${token}`);
    await button('Verify address').click();
    await expectLocator(alert()).toContainText('This link was used, has expired, or belongs to another account.');
    await page.getByRole('link', { name: 'Open security settings' }).click();
    await expectLocator(page.getByText(`${user.email} (verified)`)).toBeVisible();
  });
});
