import { randomInt, randomUUID } from 'node:crypto';
import type { ApiError } from '../../../api/errors.ts';
import { createMailLimits } from '../../../api/guard/mail-limits.ts';
import * as recovery from '../../../contract/account/recovery.ts';
import { IdentityModel } from '../../../db/models/identity.ts';
import { LoginModel } from '../../../db/models/login.ts';
import { OneTimeTokenModel } from '../../../db/models/one-time-token.ts';
import { UserModel } from '../../../db/models/user.ts';
import { send, startTestApi } from '../../support/api.ts';
import { findTables, testDatabase } from '../../support/database.ts';
import { createUser, PASSWORD } from '../../support/factories.ts';
import { createMember, createPerson, logInAs } from '../../support/members.ts';
import { operate } from '../../support/operate.ts';
import { startSmtp, tokenIn } from '../../support/smtp.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { useStarted } from '../../support/use-started.ts';

const NEW_PASSWORD = 'a new password';

const codeOf = (taken: Promise<void>) =>
  taken.then(
    () => 'sent',
    (error: unknown) => (error as ApiError).code,
  );

describe('Recovery', () => {
  const smtp = useStarted(startSmtp);
  const api = useStarted(() => startTestApi({ env: smtp.env }));
  let user: UserModel;
  let apiToken: string;
  beforeEach(async () => {
    ({ user, token: apiToken } = await createUser());
  });

  const logIn = (password = PASSWORD, email = user.email) => send(api, 'login', { body: { email, password } });
  const statusOf = async (token: string) => (await send(api, 'getCurrentUser', { token })).status;
  const askReset = (email = user.email) => send(api, recovery.requestPasswordReset, { body: { email } });
  const reset = (token: string) =>
    send(api, recovery.confirmPasswordReset, { body: { token, new_password: NEW_PASSWORD } });
  const askEmail = (email: string, token: string) => send(api, recovery.requestEmailLink, { token, body: { email } });
  const confirm = (link: string, token: string) => send(api, recovery.confirmEmail, { token, body: { token: link } });
  const verify = () => UserModel.setEmail(user.id, user.email, { isVerified: true });
  const linkFor = async (email: string, count = 1) => tokenIn(await smtp.mailTo(email, count));
  const resetLink = async () => {
    await askReset();
    return linkFor(user.email);
  };
  const operateWith = (...args: string[]) => operate(args, { env: smtp.env });

  describe('of a password', () => {
    it('sets a new one, ends all logins, does not log in, and works once', async () => {
      await verify();
      const { token: session } = (await logIn()).body;
      const link = await resetLink();
      expect((await reset(link)).status).to.equal(204);
      expect([await statusOf(session), await statusOf(apiToken)]).to.deep.equal([401, 200]);
      expect([(await logIn()).status, (await logIn(NEW_PASSWORD)).status]).to.deep.equal([401, 200]);
      expect((await reset(link)).paths).to.deep.equal(['token']);
      expect(await smtp.mailTo(user.email, 2)).to.contain('was reset');
      const { data } = (await send(api, 'listAuditEvents', { token: apiToken })).body;
      const actions = data.map(({ action }) => action).filter((action) => action.startsWith('password'));
      expect(actions).to.deep.equal(['password_reset_done', 'password_reset_asked']);
    });

    it('links to PUBLIC_URL regardless of the Host header, with the token behind #', async () => {
      await send(api, recovery.requestPasswordReset, {
        body: { email: user.email },
        headers: { 'X-Forwarded-Host': 'evil.example' },
      });
      const mail = await smtp.mailTo(user.email);
      expect(mail).to.contain('https://calls.example.com/console/reset#').and.not.to.contain('evil.example');
      expect(await findTables(tokenIn(mail)), 'only a hash is stored').to.deep.equal([]);
    });

    it('Guessed, leaked, reused links: one of two concurrent uses succeeds, and a password change invalidates the link', async () => {
      const link = await resetLink();
      const statuses = (await Promise.all([reset(link), reset(link)])).map(({ status }) => status);
      expect(statuses).to.have.members([204, 422]);
      const late = await OneTimeTokenModel.issue(
        'reset',
        await UserModel.query().findById(user.id).throwIfNotFound(),
        null,
      );
      const { token } = (await logIn(NEW_PASSWORD)).body;
      const body = { current_password: NEW_PASSWORD, new_password: PASSWORD };
      await send(api, 'changePassword', { token, body });
      expect((await reset(late)).paths).to.deep.equal(['token']);
      const expired = await OneTimeTokenModel.issue(
        'reset',
        await UserModel.query().findById(user.id).throwIfNotFound(),
        null,
      );
      await OneTimeTokenModel.query()
        .where({ user_id: user.id })
        .patch({ expires_at: new Date(0) });
      for (const bad of [expired, 'guess']) expect((await reset(bad)).paths, bad).to.deep.equal(['token']);
      expect((await logIn()).status).to.equal(200);
    });

    it('Enumeration: a reset responds alike for known, unknown and disabled accounts, and after too many links', async () => {
      const unknown = `${randomUUID()}@example.com`;
      const { user: disabled } = await createUser();
      await UserModel.setDisabled(disabled, true);
      const answers = [];
      for (const email of [unknown, disabled.email, ...Array<string>(4).fill(user.email)])
        answers.push(await askReset(email));
      expect(answers.map(({ status, body }) => [status, body])).to.deep.equal(Array(6).fill([202, undefined]));
      await smtp.mailTo(user.email, 3);
      const other = (await createUser()).user.email;
      await askReset(other);
      await smtp.mailTo(other);
      const received = smtp.mails.flatMap(({ to }) => to);
      expect(received).not.to.include(unknown).and.not.to.include(disabled.email);
      expect(received.filter((to) => to === user.email)).to.have.length(3);
    });

    it('Address registered ahead of its owner: verifying the address revokes its API tokens and single sign-ons', async () => {
      await IdentityModel.link(user.id, { issuer: 'https://id.example.com', subject: user.id, email: null });
      await reset(await resetLink());
      expect(await statusOf(apiToken)).to.equal(401);
      expect(await IdentityModel.findAllOwned(user.id)).to.deep.equal([]);
      const { token } = (await logIn(NEW_PASSWORD)).body;
      expect((await send(api, 'getCurrentUser', { token })).body.email_verified).to.equal(true);
    });

    it('Address registered ahead of its owner: the first proof starts with a new workspace, and members of the former one read nothing', async () => {
      const stranger = await createMember(user.default_workspace_id, 'owner');
      await reset(await resetLink());
      const { token } = (await logIn(NEW_PASSWORD)).body;
      const { workspace_id, members } = (await send(api, 'getWorkspace', { token })).body;
      expect([workspace_id === user.default_workspace_id, members]).to.deep.equal([false, 1]);
      const asStranger = { token: stranger.token, workspace: workspace_id };
      expect((await send(api, 'getWorkspace', asStranger)).status).to.equal(404);
    });

    it('does not wait for the mail server', async () => {
      const gone = await startSmtp();
      const waiting = await stopAfterTest(startTestApi({ env: gone.env }));
      await gone.stop();
      expect((await send(waiting, recovery.requestPasswordReset, { body: { email: user.email } })).status).to.equal(
        202,
      );
    });

    it('is refused without SMTP_URL; a link from the operator resets the password but does not verify the address', async () => {
      const without = await stopAfterTest(startTestApi());
      const { problem } = await send(without, recovery.requestPasswordReset, { body: { email: user.email } });
      expect(problem).to.include({ status: 503, code: 'mail_unavailable' });
      const { output, errors } = await operateWith('reset', user.email);
      expect(errors).to.equal('');
      expect(output).to.contain('https://calls.example.com/console/reset#');
      expect((await reset(tokenIn(output))).status).to.equal(204);
      const { token } = (await logIn(NEW_PASSWORD)).body;
      expect((await send(api, 'getCurrentUser', { token })).body.email_verified).to.equal(false);
      expect(await statusOf(apiToken)).to.equal(200);
    });
  });

  describe('of an email address', () => {
    let session: string;
    beforeEach(async () => {
      session = (await logIn()).body.token;
    });
    const newAddress = () => `${randomUUID()}@example.com`;
    const stale = () =>
      LoginModel.query()
        .where({ user_id: user.id })
        .patch({ proved_at: new Date(0) });

    it('verifies the current address with a link that works once, for its user only', async () => {
      await stale();
      expect((await askEmail(user.email, session)).status).to.equal(202);
      const link = await linkFor(user.email);
      const stranger = await createUser();
      expect((await confirm(link, stranger.token)).paths).to.deep.equal(['token']);
      expect((await confirm(link, session)).body).to.include({ email: user.email, email_verified: true });
      expect((await confirm(link, session)).paths).to.deep.equal(['token']);
      expect(await statusOf(apiToken)).to.equal(200);
    });

    it('changes the address when the new one is verified, notifies the old one, and invalidates links to the old one', async () => {
      await verify();
      const email = newAddress();
      const former = await resetLink();
      expect((await askEmail(email, session)).status).to.equal(202);
      expect((await send(api, 'getCurrentUser', { token: session })).body.email).to.equal(user.email);
      expect((await confirm(await linkFor(email), session)).body).to.include({ email, email_verified: true });
      expect(await smtp.mailTo(user.email, 2)).to.contain('address of your account was changed');
      expect((await reset(former)).status).to.equal(422);
      expect([(await logIn()).status, (await logIn(PASSWORD, email)).status]).to.deep.equal([401, 200]);
    });

    it('requires a person with a fresh proof of identity for a change', async () => {
      expect((await askEmail(newAddress(), apiToken)).problem.code).to.equal('not_a_person');
      await stale();
      expect((await askEmail(newAddress(), session)).problem.code).to.equal('proof_required');
    });

    it('Abused emails: nobody blocks the reset of others, and counters of links reveal no account', async () => {
      await verify();
      const { user: victim, token: theirs } = await createUser();
      await askReset(victim.email);
      await smtp.mailTo(victim.email);
      const statuses = [];
      for (const email of [victim.email, victim.email, newAddress(), newAddress(), newAddress()])
        statuses.push((await askEmail(email, session)).status);
      expect(statuses, 'accounts and strangers').to.deep.equal(Array(5).fill(202));
      expect((await askEmail(newAddress(), session)).status, 'the limit of an hour').to.equal(429);
      const another = await createPerson();
      await UserModel.setEmail(another.user.id, another.user.email, { isVerified: true });
      const repeated = [
        (await askEmail(victim.email, another.token)).status,
        (await askEmail(victim.email, another.token)).status,
      ];
      expect(repeated, 'three an hour to one address of others').to.deep.equal([202, 429]);
      await askReset(victim.email);
      expect(await smtp.mailTo(victim.email, 5), 'a reset is sent still').to.contain('/console/reset#');
      expect((await askEmail(victim.email, await logInAs(victim))).status, 'so is a link to the own address').to.equal(
        202,
      );
      expect(await statusOf(theirs)).to.equal(200);
    });

    it('Abused emails: a new address needs the present one verified, so strangers get no mail of new accounts', async () => {
      const email = newAddress();
      expect((await askEmail(email, session)).problem.code).to.equal('conflict');
      expect((await askEmail(user.email, session)).status).to.equal(202);
      await smtp.mailTo(user.email);
      expect(smtp.mails.flatMap(({ to }) => to)).not.to.include(email);
    });

    it('Abused emails: a network sends 50 links and invitations an hour, however many accounts it has', async () => {
      const limits = createMailLimits(testDatabase().db);
      const site = `2001:db8:${randomInt(1, 0xffff).toString(16)}`;
      const send = (n: number) => {
        const sender = { userId: randomUUID(), address: `${site}:${n}::1` };
        return n % 2 ? limits.takeLink(sender, randomUUID()) : limits.takeInvitation(sender, randomUUID());
      };
      for (let n = 0; n < 50; n++) await send(n);
      for (const n of [50, 51]) expect(await codeOf(send(n))).to.equal('rate_limited');
      const sender = { userId: randomUUID(), address: '2001:db8::1' };
      for (let n = 0; n < 5; n++) await limits.takeLink(sender, undefined);
      expect(await codeOf(limits.takeLink(sender, undefined)), 'five of a user').to.equal('rate_limited');
      for (let n = 0; n < 3; n++) await limits.takeReset(`${sender.userId}@example.com`);
      expect(await codeOf(limits.takeReset(`${sender.userId}@example.com`))).to.equal('rate_limited');
    });

    it('is refused if another account has the address meanwhile', async () => {
      await verify();
      const email = newAddress();
      await askEmail(email, session);
      const link = await linkFor(email);
      await UserModel.setEmail((await createUser()).user.id, email.toUpperCase(), { isVerified: false });
      expect((await confirm(link, session)).problem.code).to.equal('email_taken');
    });

    it('is verified and changed by the operator', async () => {
      await operateWith('verify', user.email);
      expect((await send(api, 'getCurrentUser', { token: session })).body.email_verified).to.equal(true);
      const email = newAddress();
      expect((await operateWith('email', user.email, email)).errors).to.equal('');
      expect((await send(api, 'getCurrentUser', { token: session })).body).to.include({ email, email_verified: false });
      expect(await smtp.mailTo(user.email)).to.contain('operator');
      const { user: other } = await createUser();
      expect((await operateWith('email', email, other.email)).errors).to.contain('Another account');
    });
  });
});
