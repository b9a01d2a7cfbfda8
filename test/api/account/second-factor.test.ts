import { Secret, TOTP } from 'otpauth';
import { login } from '../../../contract/account/account.ts';
import { openConsoleSession } from '../../../contract/account/logins.ts';
import * as contract from '../../../contract/account/second-factor.ts';
import { LoginModel } from '../../../db/models/login.ts';
import { OneTimeTokenModel } from '../../../db/models/one-time-token.ts';
import { SecondFactorModel } from '../../../db/models/second-factor.ts';
import { UserModel } from '../../../db/models/user.ts';
import { createSecretBox } from '../../../runtime/secrets/secrets.ts';
import { resealSecrets } from '../../../worker/reseal-secrets.ts';
import { send, startTestApi, testConfig } from '../../support/api.ts';
import { findTables } from '../../support/database.ts';
import { createUser, PASSWORD } from '../../support/factories.ts';
import { operate } from '../../support/operate.ts';
import { startSmtp } from '../../support/smtp.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { useStarted } from '../../support/use-started.ts';

const STEP_MS = 30_000;

describe('A second factor', () => {
  const smtp = useStarted(startSmtp);
  const api = useStarted(() => startTestApi({ env: smtp.env }));
  let user: UserModel;
  let apiToken: string;
  let session: string;
  beforeEach(async () => {
    ({ user, token: apiToken } = await createUser());
    await UserModel.setEmail(user.id, user.email, { isVerified: true });
    session = (await logIn()).body.token;
  });

  const logIn = (code?: string, password = PASSWORD) =>
    send(api, 'login', { body: { email: user.email, password, ...(code !== undefined && { code }) } });
  const prove = (body: object, token = session) => send(api, contract.proveIdentity, { token, body });
  const start = (token = session) => send(api, contract.startSecondFactor, { token });
  const confirm = (code: string, token = session) => send(api, contract.confirmSecondFactor, { token, body: { code } });
  const stale = () =>
    LoginModel.query()
      .where({ user_id: user.id })
      .patch({ proved_at: new Date(0) });
  /** Makes used codes valid again, as after 30 seconds. */
  const forgetSteps = () => SecondFactorModel.query().findById(user.id).patch({ last_step: 0 });
  const codeOf = (secret: string, timestamp = Date.now()) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  const wrongCodeOf = (secret: string) => {
    const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, Date.now() + steps * STEP_MS));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) as string;
  };

  async function turnOn() {
    const { secret } = (await start()).body;
    const { recovery_codes } = (await confirm(codeOf(secret))).body;
    await forgetSteps();
    return { secret, recovery_codes };
  }

  it('is set up with a secret that is stored encrypted, confirmed with a code, and reported to the user', async () => {
    const { secret, uri } = (await start()).body;
    expect(uri).to.contain(`secret=${secret}`).and.contain(encodeURIComponent(user.email));
    expect((await logIn()).status, 'not needed before it is confirmed').to.equal(200);
    expect((await confirm(wrongCodeOf(secret))).paths).to.deep.equal(['code']);
    const { recovery_codes } = (await confirm(codeOf(secret))).body;
    expect(new Set(recovery_codes).size).to.equal(10);
    for (const code of recovery_codes) expect(code).to.match(/^[0-9a-z]{6}(-[0-9a-z]{6}){3}$/);
    expect(await smtp.mailTo(user.email)).to.contain('was turned on');
    expect(await findTables(secret)).to.deep.equal([]);
    expect(await findTables(recovery_codes[0]!.replaceAll('-', ''))).to.deep.equal([]);
    expect((await send(api, 'getCurrentUser', { token: session })).body.second_factor).to.equal(true);
    expect((await send(api, contract.getSecondFactor, { token: session })).body).to.deep.equal({
      enabled: true,
      recovery_codes: 10,
    });
    expect([(await start()).problem.code, (await confirm(codeOf(secret))).problem.code]).to.deep.equal([
      'conflict',
      'conflict',
    ]);
  });

  it('is requested at each login with the right password, and only then', async () => {
    const { secret } = await turnOn();
    for (const endpoint of [login, openConsoleSession]) {
      const body = { email: user.email, password: PASSWORD };
      const without = await send(api, endpoint, { body });
      expect(without.problem).to.include({ status: 401, code: 'second_factor_required' });
      expect(without.headers.get('set-cookie')).to.equal(null);
      expect((await send(api, endpoint, { body: { ...body, password: 'wrong one' } })).problem.code).to.equal(
        'unauthorized',
      );
      expect((await send(api, endpoint, { body: { ...body, code: codeOf(secret) } })).status).to.equal(200);
      await forgetSteps();
    }
    const strong = await LoginModel.query().where({ user_id: user.id, is_strong: true });
    expect(strong, 'the one that turned it on, and the two with a code').to.have.length(3);
  });

  it('accepts the current code and the next one, but not codes of minutes before or after', async () => {
    const { secret } = await turnOn();
    const statuses = [];
    for (const steps of [0, 1, -5, 5]) {
      statuses.push((await logIn(codeOf(secret, Date.now() + steps * STEP_MS))).status);
      await forgetSteps();
    }
    expect(statuses).to.deep.equal([200, 200, 422, 422]);
  });

  it('Stolen password: accepts each code once, even in two concurrent logins', async () => {
    const { secret, recovery_codes } = await turnOn();
    for (const code of [codeOf(secret), recovery_codes[0]!, recovery_codes[1]!.toUpperCase().replaceAll('-', ' ')]) {
      const statuses = (await Promise.all([logIn(code), logIn(code)])).map(({ status }) => status);
      expect(statuses, code).to.have.members([200, 422]);
      expect((await logIn(code)).paths).to.deep.equal(['code']);
    }
    const { data } = (await send(api, 'listAuditEvents', { token: apiToken })).body;
    const actions = data.map(({ action }) => action);
    expect(actions).to.include.members(['second_factor_on', 'second_factor_failed', 'recovery_code_used']);
  });

  it('notifies the user after ten wrong codes, blocks codes after a hundred in a row, and still accepts a recovery code', async () => {
    const { secret, recovery_codes } = await turnOn();
    await SecondFactorModel.query().findById(user.id).patch({ failures: 99 });
    const guesses = await Promise.all([1, 2, 3].map(() => logIn(wrongCodeOf(secret))));
    expect(guesses.map(({ status }) => status)).to.have.members([422, 429, 429]);
    expect(await smtp.mailTo(user.email, 2)).to.contain('wrong codes');
    const held = await logIn(codeOf(secret));
    expect(held.problem.code).to.equal('rate_limited');
    expect(Number(held.headers.get('retry-after'))).to.be.within(3_000, 3_600);
    expect((await logIn(recovery_codes[0])).status).to.equal(200);
    await SecondFactorModel.query()
      .findById(user.id)
      .patch({ held_until: new Date(0), failures: 199 });
    await logIn(wrongCodeOf(secret));
    const longer = Number((await logIn(codeOf(secret))).headers.get('retry-after'));
    expect(longer).to.be.within(6_600, 7_200);
    await SecondFactorModel.query()
      .findById(user.id)
      .patch({ held_until: new Date(0) });
    expect((await logIn(codeOf(secret))).status).to.equal(200);
    expect((await SecondFactorModel.query().findById(user.id))?.failures).to.equal(0);
  });

  it('Stolen password: ten wrong codes of one login or network hold only the codes of that login or network', async () => {
    const { secret } = await turnOn();
    const stolen = (await logIn(codeOf(secret))).body.token;
    for (let n = 0; n < 10; n++) await prove({ code: wrongCodeOf(secret) }, stolen);
    await forgetSteps();
    expect((await prove({ code: codeOf(secret) }, stolen)).problem.code).to.equal('rate_limited');
    expect((await prove({ code: codeOf(secret) })).status, 'the login of the owner').to.equal(204);
  });

  it('Stolen login: other logins end when a second factor is turned on or off', async () => {
    const other = (await logIn()).body.token;
    const statusOf = async (token: string) => (await send(api, 'getCurrentUser', { token })).status;
    const { secret } = await turnOn();
    expect([await statusOf(other), await statusOf(session)]).to.deep.equal([401, 200]);
    const another = (await logIn(codeOf(secret))).body.token;
    expect((await send(api, contract.deleteSecondFactor, { token: session })).status).to.equal(204);
    expect([await statusOf(another), await statusOf(session)]).to.deep.equal([401, 200]);
  });

  it('ends no login and sends no email if its set-up is given up before it was confirmed', async () => {
    const other = (await logIn()).body.token;
    await send(api, contract.startSecondFactor, { token: session });
    expect((await send(api, contract.deleteSecondFactor, { token: session })).status).to.equal(204);
    expect((await send(api, 'getCurrentUser', { token: other })).status).to.equal(200);
    expect(await SecondFactorModel.query().findById(user.id)).to.equal(undefined);
    await turnOn();
    expect(await smtp.mailTo(user.email), 'the first email').to.contain('was turned on');
  });

  it('Stolen password: is still requested after a password reset', async () => {
    const { secret } = await turnOn();
    const current = await UserModel.query().findById(user.id).throwIfNotFound();
    const token = await OneTimeTokenModel.issue('reset', current, user.email);
    await send(api, 'confirmPasswordReset', { body: { token, new_password: 'a new password' } });
    expect((await logIn(undefined, 'a new password')).problem.code).to.equal('second_factor_required');
    expect((await logIn(codeOf(secret), 'a new password')).status).to.equal(200);
  });

  it('can be turned off, and its recovery codes replaced, after a proof of identity', async () => {
    const { secret, recovery_codes } = await turnOn();
    const change = [contract.createRecoveryCodes, contract.deleteSecondFactor, contract.startSecondFactor];
    await stale();
    for (const endpoint of change) {
      expect((await send(api, endpoint, { token: session })).problem.code).to.equal('proof_required');
      expect((await send(api, endpoint, { token: apiToken })).problem.code).to.equal('not_a_person');
    }
    expect((await prove({ current_password: PASSWORD })).paths, 'the password is not enough').to.deep.equal(['code']);
    expect((await prove({ code: wrongCodeOf(secret) })).paths).to.deep.equal(['code']);
    expect((await prove({ code: codeOf(secret) })).status).to.equal(204);
    const { body } = await send(api, contract.createRecoveryCodes, { token: session });
    expect((await logIn(recovery_codes[0])).status).to.equal(422);
    expect((await logIn(body.recovery_codes[0])).status).to.equal(200);
    expect((await send(api, contract.deleteSecondFactor, { token: session })).status).to.equal(204);
    expect((await logIn()).status).to.equal(200);
    expect((await send(api, contract.createRecoveryCodes, { token: session })).problem.code).to.equal('conflict');
  });

  it('Stolen login: requires the password to be set up', async () => {
    await stale();
    expect((await start()).problem.code).to.equal('proof_required');
    expect((await prove({})).paths).to.deep.equal(['current_password']);
    expect((await prove({ current_password: 'wrong one' })).paths).to.deep.equal(['current_password']);
    expect((await prove({ current_password: PASSWORD }, apiToken)).problem.code).to.equal('not_a_person');
    expect((await prove({ current_password: PASSWORD })).status).to.equal(204);
    expect((await start()).status).to.equal(201);
    const { data } = (await send(api, 'listAuditEvents', { token: apiToken })).body;
    expect(data.map(({ action }) => action)).to.include.members(['proof_failed', 'identity_proved']);
  });

  it('Address registered ahead of its owner: requires a verified address if the installation sends emails', async () => {
    await UserModel.setEmail(user.id, user.email, { isVerified: false });
    expect((await start()).problem.code).to.equal('conflict');
    const without = await stopAfterTest(startTestApi());
    expect((await send(without, contract.startSecondFactor, { token: session })).status).to.equal(201);
  });

  it('can be turned off by the operator, and its secret is re-encrypted with a new key', async () => {
    const { secret } = await turnOn();
    const keys = [Buffer.alloc(32, 9), ...testConfig().encryptionKeys];
    expect((await resealSecrets(createSecretBox(keys), () => undefined)).unreadable).not.to.include(user.id);
    const sealed = (await SecondFactorModel.query().findById(user.id).throwIfNotFound()).secret;
    expect(createSecretBox(keys.slice(0, 1)).open(sealed, user.id)).to.equal(secret);
    const { errors } = await operate(['second-factor', user.email, 'off'], { env: smtp.env });
    expect(errors).to.equal('');
    expect(await smtp.mailTo(user.email, 2)).to.contain('operator');
    expect((await logIn()).status).to.equal(200);
  });
});
