import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { openCookie, sealCookie } from '../../../api/sso/sealed-cookies.ts';
import { login } from '../../../contract/account/account.ts';
import { openConsoleSession } from '../../../contract/account/logins.ts';
import * as contract from '../../../contract/account/sso.ts';
import { ApiKeyModel } from '../../../db/models/api-key.ts';
import { AuditEventModel } from '../../../db/models/audit-event.ts';
import { IdentityModel } from '../../../db/models/identity.ts';
import { LoginModel } from '../../../db/models/login.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { SecondFactorModel } from '../../../db/models/second-factor.ts';
import { UserModel } from '../../../db/models/user.ts';
import { createSecretBox } from '../../../runtime/secrets/secrets.ts';
import type { Environment } from '../../../runtime/settings/environment.ts';
import { send, startTestApi, testConfig } from '../../support/api.ts';
import { createUser, PASSWORD } from '../../support/factories.ts';
import { createMember, createPerson, type Person } from '../../support/members.ts';
import { recordedLog } from '../../support/log.ts';
import { operate } from '../../support/operate.ts';
import { newPerson, startOidc, type OidcPerson } from '../../support/oidc.ts';
import {
  CONSOLE_COOKIE,
  cookiesOf,
  headerOf,
  inConsole,
  openAt,
  signInAt,
  type Cookies,
} from '../../support/sso-browser.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { useStarted } from '../../support/use-started.ts';

const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

describe('Single sign-on', () => {
  const idp = useStarted(startOidc);
  const api = useStarted(() => startTestApi({ env: idp.env }));
  const apiWith = (env: Environment) => stopAfterTest(startTestApi({ env: { ...idp.env, ...env } }));

  const me = async (cookie: string) => (await send(api, 'getCurrentUser', { headers: inConsole(cookie) })).body;
  const verify = ({ id, email }: UserModel) => UserModel.setEmail(id, email, { isVerified: true });
  const start = (query = '', at: { url: string } = api) => openAt(at, `start${query}`);
  const callback = (query: URLSearchParams, cookies: Cookies, at: { url: string } = api) =>
    openAt(at, `callback?${query.toString()}`, cookies);
  const signIn = (person: OidcPerson, at: { url: string } = api, query = '') =>
    signInAt(at, (url) => idp.signIn(url, person), query);

  async function act(intent: 'link' | 'proof', session: string, person: OidcPerson) {
    const body = { intent, next: '/settings' };
    const answer = await send(api, contract.startSsoAction, { headers: inConsole(session), body });
    return callback(await idp.signIn(answer.body.url, person), cookiesOf(answer));
  }
  const openSession = async (user: UserModel) =>
    cookiesOf(
      await send(api, 'openConsoleSession', { body: { email: user.email, password: PASSWORD }, headers: SAME_ORIGIN }),
    )[CONSOLE_COOKIE] as string;

  it('creates an account with OIDC_AUTO_CREATE, logs in for OIDC_LOGIN_HOURS, and opens the requested page', async () => {
    const creating = await apiWith({ OIDC_AUTO_CREATE: 'true', OIDC_LOGIN_HOURS: '3', OIDC_STRONG_ACR: 'gold' });
    const person = newPerson({ acr: 'gold' });
    expect((await signIn(person)).location).to.equal('/console/login?error=no_account');
    const first = await signIn(
      person,
      creating,
      `?next=${encodeURIComponent('/sessions?status=failed')}&target_link_uri=x`,
    );
    expect(first.location).to.equal('/console/sessions?status=failed');
    const user = await me(first.session!);
    expect(user).to.include({ email: person.email, name: 'Grace', email_verified: true, has_password: false });
    const [row] = await LoginModel.query().where({ user_id: user.id });
    expect(row).to.include({ method: 'sso', is_strong: true, proved_at: null });
    expect((row!.expires_at.getTime() - Date.now()) / 3_600_000).to.be.within(2.9, 3);
    expect((await me((await signIn(person)).session!)).id).to.equal(user.id);
    for (const password of ['', PASSWORD]) {
      expect((await send(api, 'login', { body: { email: person.email, password } })).status, 'no password').to.equal(
        401,
      );
    }
  });

  it('of a new person in two tabs at the same time creates one account', async () => {
    const creating = await apiWith({ OIDC_AUTO_CREATE: 'true' });
    const person = newPerson();
    const tabs = [await start('', creating), await start('', creating)];
    const queries = [await idp.signIn(tabs[0]!.location, person), await idp.signIn(tabs[1]!.location, person)];
    const done = await Promise.all(queries.map((query, index) => callback(query, tabs[index]!.cookies, creating)));
    const ids = await Promise.all(done.map(async ({ cookies }) => (await me(cookies[CONSOLE_COOKIE]!)).id));
    expect(new Set(ids).size).to.equal(1);
  });

  it('finds the account by the subject, even if the provider reports another address later', async () => {
    const { user } = await createUser();
    await verify(user);
    const { user: other } = await createUser();
    await verify(other);
    const person = newPerson({ email: user.email });
    await signIn(person);
    const { session } = await signIn({ ...person, email: other.email });
    expect(await me(session!)).to.include({ id: user.id, email: user.email });
    await UserModel.setDisabled(user, true);
    expect((await signIn(person)).location).to.equal('/console/login?error=account_disabled');
  });

  it('can be connected by the operator with the subject', async () => {
    const { user } = await createUser();
    const person = newPerson({ email_verified: false });
    const link = (email: string) => operate(['link', email, person.sub], { env: idp.env });
    expect((await link(user.email)).errors).to.equal('');
    expect((await me((await signIn(person)).session!)).id).to.equal(user.id);
    expect((await link((await createUser()).user.email)).errors).to.contain('Another account');
  });

  it('Unverified address at the IdP: never gets an account', async () => {
    const { user } = await createUser();
    await verify(user);
    const person = newPerson({ email: user.email, email_verified: false });
    expect((await signIn(person)).location).to.equal('/console/login?error=email_unverified');
    expect(await IdentityModel.findAllOwned(user.id)).to.deep.equal([]);
    const trusting = await apiWith({ OIDC_TRUST_EMAIL: 'true' });
    expect((await me((await signIn(person, trusting)).session!)).id).to.equal(user.id);
  });

  it('Address registered ahead of its owner: is linked only with the password', async () => {
    const { user } = await createUser();
    const person = newPerson({ email: user.email.toUpperCase() });
    const asked = await signIn(person);
    expect(asked.location).to.equal(`/console/link#${encodeURIComponent(user.email)}`);
    expect(asked.session).to.equal(undefined);
    const prove = (password: string, cookies = asked.cookies) =>
      send(api, contract.linkSso, { body: { password }, headers: { ...SAME_ORIGIN, Cookie: headerOf(cookies) } });
    expect((await prove('wrong one')).problem.code).to.equal('unauthorized');
    expect((await prove(PASSWORD, {})).problem.code).to.equal('not_found');
    const failed = { user_id: user.id, action: 'login_failed' } as const;
    expect(await AuditEventModel.query().where(failed)).to.have.length(1);
    const linked = await prove(PASSWORD);
    expect(linked.body).to.deep.include({ joined_workspace_id: null }).and.nested.include({ 'user.id': user.id });
    expect(await me(cookiesOf(linked)[CONSOLE_COOKIE]!)).to.include({ id: user.id, email_verified: true });
    expect((await signIn(person)).location).to.equal('/console/');
  });

  it('can be connected by a logged-in person with the same address, and disconnected unless it is the only login method', async () => {
    const { user } = await createUser();
    const session = await openSession(user);
    const headers = inConsole(session);
    const statusOf = async (other: string) => (await send(api, 'getCurrentUser', { headers: inConsole(other) })).status;
    const before = await openSession(user);
    const stranger = newPerson();
    expect((await act('link', session, stranger)).location).to.equal('/console/settings?error=other_person');
    const person = newPerson({ email: user.email });
    expect((await act('link', session, person)).location).to.equal('/console/settings');
    expect(await statusOf(before), 'other logins end').to.equal(401);
    const { data } = (await send(api, contract.listIdentities, { headers })).body;
    expect(data.map(({ issuer, email }) => [issuer, email])).to.deep.equal([[idp.issuer, user.email]]);
    const params = { identity_id: data[0]!.identity_id };
    const unlink = () => send(api, contract.deleteIdentity, { headers, params });
    await UserModel.query().findById(user.id).patch({ password_hash: null });
    expect((await unlink()).problem.code).to.equal('conflict');
    const body = { new_password: PASSWORD };
    expect((await send(api, 'changePassword', { headers, body })).status, 'sets the first password').to.equal(204);
    const between = await openSession(user);
    expect((await unlink()).status).to.equal(204);
    expect([await statusOf(between), await statusOf(session)]).to.deep.equal([401, 200]);
    expect((await unlink()).status).to.equal(404);
  });

  it('proves the identity of the person who is logged in, and of nobody else', async () => {
    const { user } = await createUser();
    await verify(user);
    const person = newPerson({ email: user.email });
    const { session = '' } = await signIn(person);
    await UserModel.query().findById(user.id).patch({ password_hash: null });
    const headers = inConsole(session);
    const code = async () => (await send(api, 'startSecondFactor', { headers })).problem.code;
    expect(await code()).to.equal('proof_required');
    expect((await send(api, 'proveIdentity', { headers, body: {} })).problem.code).to.equal('proof_required');
    expect((await act('proof', session, newPerson())).location).to.equal('/console/settings?error=other_person');
    expect(await code()).to.equal('proof_required');
    expect((await act('proof', session, person)).location).to.equal('/console/settings');
    expect((await send(api, 'startSecondFactor', { headers })).status).to.equal(201);
  });

  it('Login CSRF, code injection, mix-up: refuses a callback that does not belong to its start', async () => {
    const { user } = await createUser();
    await verify(user);
    const person = newPerson({ email: user.email });
    const secrets = createSecretBox(testConfig().encryptionKeys);
    type Change = (query: URLSearchParams, cookies: Cookies) => void;
    const reseal =
      (fields: object): Change =>
      (_query, cookies) => {
        for (const [name, value] of Object.entries(cookies)) {
          const sealedAs = { kind: 'transaction', name: `__Host-${name}` } as const;
          const opened = openCookie({ secrets }, sealedAs, value);
          cookies[name] = sealCookie({ secrets }, sealedAs, { ...opened, ...fields })
            .split(';')[0]!
            .slice(sealedAs.name.length + 1);
        }
      };
    const changes: Record<string, [Change, string]> = {
      'nothing changed': [() => undefined, ''],
      'no state': [(query) => query.delete('state'), 'sso_expired'],
      'foreign state': [(query) => query.set('state', `${query.get('state')?.slice(0, 10)}x`), 'sso_refused'],
      'another browser': [
        (_query, cookies) => Object.assign(cookies, { [Object.keys(cookies)[0]!]: '' }),
        'sso_expired',
      ],
      'foreign nonce': [reseal({ nonce: 'x' }), 'sso_refused'],
      'wrong verifier': [reseal({ verifier: 'x'.repeat(43) }), 'sso_refused'],
      'foreign issuer': [(query) => query.set('iss', 'https://evil.example'), 'sso_refused'],
      'no issuer': [(query) => query.delete('iss'), 'sso_refused'],
      'foreign code': [(query) => query.set('code', 'x'), 'sso_refused'],
      'refused by the person': [(query) => (query.delete('code'), query.set('error', 'access_denied')), 'sso_refused'],
    };
    for (const [what, [change, error]] of Object.entries(changes)) {
      const begun = await start();
      const query = await idp.signIn(begun.location, person);
      const cookies = { ...begun.cookies };
      change(query, cookies);
      const { location } = await callback(query, cookies);
      expect(location, what).to.equal(error === '' ? '/console/' : `/console/login?error=${error}`);
      if (error !== '') continue;
      expect((await callback(query, cookies)).location, 'replayed').to.equal('/console/login?error=sso_refused');
    }
  });

  it('starts at the provider also under the path of a workspace', async () => {
    const answer = await fetch(`${api.url}/w/${(await createUser()).workspaceId}/api/v1/auth/oidc/start`, {
      redirect: 'manual',
    });
    expect(answer.headers.get('location')).to.match(/^https?:/);
  });

  it('Open redirect: continues on pages of the console only', async () => {
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 'sessions']) {
      const { status } = await fetch(`${api.url}/api/v1/auth/oidc/start?next=${encodeURIComponent(next)}`, {
        redirect: 'manual',
      });
      expect(status, next).to.equal(422);
    }
    expect((await start('?iss=https://evil.example')).location).to.equal('/console/login?error=sso_refused');
  });

  it('Open redirect: opens pages whose path has any characters, encoded', async () => {
    const { user } = await createUser();
    await verify(user);
    for (const [next, location] of [
      ['/ж', '/console/%D0%B6'],
      ['/a%20b?q=1%25', '/console/a%20b?q=1%25'],
      ['/a\nb', '/console/a%0Ab'],
      ['/\ud800', '/console/%EF%BF%BD'],
    ] as const) {
      const query = `?next=${encodeURIComponent(next.toWellFormed())}`;
      expect((await signIn(newPerson({ email: user.email }), api, query)).location).to.equal(location);
    }
  });

  it('Login CSRF, code injection, mix-up: a cookie counts only for what it was made for', async () => {
    const { user } = await createUser();
    const { cookies } = await signIn(newPerson({ email: user.email }));
    const { location } = await callback(new URLSearchParams({ state: 'link', code: 'x' }), cookies);
    expect(location).to.equal('/console/login?error=sso_expired');
    const begun = (await start()).cookies;
    const renamed = { cas_oidc_link: Object.values(begun)[0]! };
    const headers = { ...SAME_ORIGIN, Cookie: headerOf(renamed) };
    expect((await send(api, contract.linkSso, { body: { password: PASSWORD }, headers })).problem.code).to.equal(
      'not_found',
    );
  });

  it('ignores groups and refuses addresses and subjects with NUL, which PostgreSQL cannot store', async () => {
    const { user } = await createUser();
    await verify(user);
    const person = newPerson({ email: user.email, groups: ['a\u0000', 'b'], name: 'A\u0000da' });
    expect((await signIn(person)).location).to.equal('/console/');
    const hidden = newPerson({ email: `\u0000${user.email}` });
    expect((await signIn(hidden)).location).to.equal('/console/login?error=email_unverified');
  });

  it('Stolen login: asks for the code of an account with a second factor unless the provider checked one', async () => {
    const { user } = await createUser();
    await verify(user);
    const secret = new Secret({ size: 20 }).base32;
    await SecondFactorModel.begin(user.id, createSecretBox(testConfig().encryptionKeys).seal(secret, user.id));
    await SecondFactorModel.setRecoveryCodes(user.id, ['a']);
    const person = newPerson({ email: user.email });
    for (const isConnected of [false, true]) {
      const asked = await signIn(person, api, '?next=%2Fusage');
      const page = `/console/link?needs=code&next=%2Fusage#${encodeURIComponent(user.email)}`;
      expect([asked.location, asked.session], `connected: ${isConnected}`).to.deep.equal([page, undefined]);
      expect(await IdentityModel.findAllOwned(user.id)).to.have.length(isConnected ? 1 : 0);
      const enter = (body: object) =>
        send(api, contract.linkSso, { body, headers: { ...SAME_ORIGIN, Cookie: headerOf(asked.cookies) } });
      expect((await enter({ password: PASSWORD })).problem.code).to.equal('second_factor_required');
      expect((await enter({ code: 'abcdef' })).paths).to.deep.equal(['code']);
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
      await SecondFactorModel.query().findById(user.id).patch({ last_step: 0 });
      const entered = await enter({ code });
      expect(entered.status).to.equal(200);
      const session = cookiesOf(entered)[CONSOLE_COOKIE]!;
      expect((await me(session)).id).to.equal(user.id);
    }
    const trusting = await apiWith({ OIDC_STRONG_ACR: 'gold' });
    expect((await signIn({ ...person, acr: 'gold' }, trusting)).location).to.equal('/console/');
  });

  it('reports an unavailable provider, which never prevents the start, and recovers', async () => {
    const away = await stopAfterTest(startOidc());
    away.setAway(true);
    const waiting = await apiWith(away.env);
    expect((await start('', waiting)).location).to.equal('/console/login?error=sso_unavailable');
    away.setAway(false);
    expect((await start('', waiting)).location).to.contain(away.issuer);
  });

  it('checks the allowed domains and groups at each sign-in', async () => {
    const env = { OIDC_AUTO_CREATE: 'true', OIDC_ALLOWED_DOMAINS: 'Example.com', OIDC_ALLOWED_GROUPS: 'staff,admins' };
    const strict = await apiWith(env);
    const person = newPerson({ groups: ['staff'] });
    expect((await signIn(person, strict)).location).to.equal('/console/');
    for (const fields of [{ groups: ['guests'] }, { groups: undefined }, { email: 'grace@example.com.evil.example' }]) {
      const { location } = await signIn({ ...person, ...fields }, strict);
      expect(location).to.equal('/console/login?error=not_allowed');
    }
  });

  describe('gives memberships', () => {
    const rolesOf = async (email: string) => {
      const user = await UserModel.findByEmail(email);
      const rows = await MembershipModel.query().where({ user_id: user?.id ?? '' });
      return Object.fromEntries(rows.map(({ workspace_id, role, source }) => [workspace_id, `${role} by ${source}`]));
    };

    it('by groups, at each sign-in, without changes to memberships that people gave', async () => {
      const [one, two, three] = [await createPerson(), await createPerson(), await createPerson()];
      const mapping = [one, two, three].map(({ workspaceId }) => workspaceId).join(',');
      const creating = await apiWith({ OIDC_AUTO_CREATE: 'true', OIDC_GROUP_WORKSPACES: mapping });
      const map = ({ token }: Person, data: object[]) => send(creating, 'setGroupRoles', { token, body: { data } });
      const [staff, leads] = [randomUUID(), randomUUID()];
      const both = [
        { group: leads, role: 'admin' },
        { group: staff, role: 'analyst' },
      ];
      expect((await map(one, both)).body.data).to.have.deep.members(both);
      await map(two, [{ group: staff, role: 'auditor' }]);
      await map(three, [{ group: staff, role: 'admin' }]);
      const person = newPerson({ groups: [staff, leads] });
      const { session, location } = await signIn(person, creating);
      const joined = [one, two, three].map(({ workspaceId }) => workspaceId);
      const [first = '', second = '', third = ''] = joined;
      expect(joined.map((workspace) => `/console/w/${workspace}/`)).to.include(location);
      const { id, default_workspace_id } = (await UserModel.findByEmail(person.email))!;
      expect((await me(session!)).id).to.equal(id);
      const own = { [default_workspace_id]: 'owner by person' };
      const all = { ...own, [first]: 'admin by sso', [second]: 'auditor by sso', [third]: 'admin by sso' };
      expect(await rolesOf(person.email), 'and a workspace of its own').to.deep.equal(all);
      await MembershipModel.query()
        .where({ user_id: id, workspace_id: third })
        .patch({ role: 'analyst', source: 'person' });
      const given = { ...own, [third]: 'analyst by person' };
      await signIn({ ...person, groups: undefined }, creating);
      expect(await rolesOf(person.email), 'the claim is missing').to.deep.equal({ ...all, ...given });
      await signIn({ ...person, groups: [staff] }, creating);
      expect(await rolesOf(person.email)).to.deep.equal({ ...all, [first]: 'analyst by sso', ...given });
      await signIn({ ...person, groups: [] }, creating);
      expect(await rolesOf(person.email)).to.deep.equal(given);
      expect((await map(one, [])).body.data).to.deep.equal([]);
      const events = await AuditEventModel.query().where({ workspace_id: second, action: 'workspace_changed' });
      expect(events.map(({ details }) => details)).to.deep.equal([{ group_roles: `${staff}=auditor` }]);
    });

    it('Threat: by groups only in workspaces that the operator lists, so nobody captures colleagues', async () => {
      const attacker = await createPerson();
      const group = randomUUID();
      const creating = await apiWith({ OIDC_AUTO_CREATE: 'true' });
      const body = { data: [{ group, role: 'analyst' }] };
      const refused = await send(creating, 'setGroupRoles', { token: attacker.token, body });
      expect(refused.problem.code).to.equal('groups_not_allowed');
      const listing = await apiWith({ OIDC_GROUP_WORKSPACES: attacker.workspaceId });
      expect((await send(listing, 'setGroupRoles', { token: attacker.token, body })).status).to.equal(200);
      const person = newPerson({ groups: [group] });
      await signIn(person, creating);
      const user = (await UserModel.findByEmail(person.email))!;
      expect(await rolesOf(person.email), 'the workspace is no longer listed').to.deep.equal({
        [user.default_workspace_id]: 'owner by person',
      });
    });

    it('by open invitations, and in an installation with open registration also a workspace of its own', async () => {
      for (const [REGISTRATION, hasOwn] of [
        ['open', true],
        ['closed', false],
      ] as const) {
        const owner = await createPerson();
        const inviting = await apiWith({ OIDC_AUTO_CREATE: 'true', REGISTRATION });
        const person = newPerson();
        const body = { email: person.email.toUpperCase(), role: 'developer' };
        await send(inviting, 'createInvitation', { token: owner.token, body });
        const { location } = await signIn(person, inviting);
        expect(location, 'not the own workspace, which is empty').to.equal(`/console/w/${owner.workspaceId}/`);
        expect((await signIn(person, inviting)).location, 'a later sign-in').to.equal('/console/');
        const user = (await UserModel.findByEmail(person.email))!;
        const own = hasOwn ? { [user.default_workspace_id]: 'owner by person' } : {};
        expect(await rolesOf(person.email)).to.deep.equal({ ...own, [owner.workspaceId]: 'developer by person' });
        expect(user.default_workspace_id === owner.workspaceId, REGISTRATION).to.equal(!hasOwn);
      }
    });

    it('Threat: never as owner; only owners with a fresh proof can map groups', async () => {
      const owner = await createPerson();
      const admin = await createMember(owner.workspaceId, 'admin');
      const map = (token: string, role: string) =>
        send(api, 'setGroupRoles', { token, workspace: owner.workspaceId, body: { data: [{ group: 'staff', role }] } });
      expect((await map(owner.token, 'owner')).paths).to.deep.equal(['data.0.role']);
      expect((await map(admin.token, 'analyst')).problem.code).to.equal('insufficient_scope');
      await LoginModel.query().where({ user_id: owner.user.id }).patch({ proved_at: null });
      expect((await map(owner.token, 'analyst')).problem.code).to.equal('proof_required');
    });

    it('up to the limit of members of each workspace, and warns if the provider reports no groups', async () => {
      const { log, find } = recordedLog();
      const [full, open] = [await createPerson(), await createPerson()];
      const group = randomUUID();
      const mapping = { OIDC_GROUP_WORKSPACES: `${full.workspaceId},${open.workspaceId}` };
      const listing = await apiWith(mapping);
      for (const { token } of [full, open]) {
        await send(listing, 'setGroupRoles', { token, body: { data: [{ group, role: 'analyst' }] } });
      }
      await createMember(full.workspaceId, 'analyst');
      const env = { ...idp.env, ...mapping, OIDC_AUTO_CREATE: 'true', JOIN: `example.com=${full.workspaceId}:auditor` };
      const limited = await stopAfterTest(
        startTestApi({ log, env, adjust: ({ quotas }) => void (quotas.members = 2) }),
      );
      const person = newPerson({ groups: [group] });
      await signIn(person, limited);
      expect(await rolesOf(person.email)).to.deep.equal({ [open.workspaceId]: 'analyst by sso' });
      expect(find('limit of members').map(({ workspace_id }) => workspace_id)).to.deep.equal([full.workspaceId]);
      expect(find('reported no groups')).to.deep.equal([]);
      await signIn({ ...person, groups: undefined }, limited);
      expect(find('reported no groups')).to.have.length(1);
    });

    it('by the domain of a verified address, which also creates the account', async () => {
      const { workspaceId } = await createPerson();
      const gone = 'ws_01kaj4v5rzf1xtm8w3b2c9d0e7';
      const joining = await apiWith({ JOIN: `Example.com=${workspaceId}:analyst,example.com=${gone}:admin` });
      const person = newPerson();
      expect((await signIn(person, joining)).location).to.equal(`/console/w/${workspaceId}/`);
      expect(await rolesOf(person.email)).to.deep.equal({ [workspaceId]: 'analyst by person' });
      const stranger = newPerson({ email: `${randomUUID()}@example.org` });
      expect((await signIn(stranger, joining)).location).to.equal('/console/login?error=no_account');
      const unverified = newPerson({ email_verified: false });
      expect((await signIn(unverified, joining)).location).to.equal('/console/login?error=email_unverified');
    });
  });

  it('is the only login method with PASSWORD_LOGIN=off, and with PASSWORD_LOGIN=admins for all but admins', async () => {
    const [{ user }, { user: admin }] = [await createUser(), await createUser()];
    await admin.$query().patch({ is_admin: true });
    for (const PASSWORD_LOGIN of ['off', 'admins']) {
      const only = await apiWith({ PASSWORD_LOGIN, OIDC_NAME: 'Keycloak' });
      const isOpenTo = (email: string) => PASSWORD_LOGIN === 'admins' && email === admin.email;
      for (const { email } of [user, admin]) {
        for (const endpoint of [login, openConsoleSession]) {
          const answer = await send(only, endpoint, { body: { email, password: PASSWORD } });
          if (isOpenTo(email)) expect(answer.body.user.id).to.equal(admin.id);
          else expect(answer.problem.code).to.equal('password_login_off');
        }
      }
      const body = { email: `${randomUUID()}@example.com`, password: PASSWORD, name: 'a' };
      expect((await send(only, 'register', { body })).problem.code).to.equal('registration_closed');
      expect((await send(only, contract.getLoginMethods)).body).to.deep.equal({
        password: PASSWORD_LOGIN === 'admins',
        registration: 'closed',
        has_accounts: true,
        password_reset: false,
        sso: { name: 'Keycloak' },
      });
    }
    expect((await send(api, contract.getLoginMethods)).body).to.include({ password: true, registration: 'open' });
    expect(await ApiKeyModel.query().where({ created_by: user.id }).resultSize()).to.equal(1);
  });

  it('can also be ended at the provider, which links back to the login page', async () => {
    const { location } = await openAt(api, 'end');
    const url = new URL(location);
    expect(url.origin).to.equal(idp.issuer);
    expect(Object.fromEntries(url.searchParams)).to.include({
      client_id: 'calls',
      post_logout_redirect_uri: 'https://calls.example.com/console/login',
    });
    expect((await fetch(location)).status, 'the provider accepts the address').to.equal(200);
    const away = await stopAfterTest(startOidc());
    away.setAway(true);
    expect((await openAt(await apiWith(away.env), 'end')).location).to.equal('/console/login');
    expect((await send(await stopAfterTest(startTestApi()), contract.endSso)).problem.code).to.equal('not_found');
  });
});
