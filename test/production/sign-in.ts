/** Tests sign-in through Keycloak under load. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { getCurrentUser, register } from '../../contract/account/account.ts';
import { startSecondFactor } from '../../contract/account/second-factor.ts';
import { startSsoAction } from '../../contract/account/sso.ts';
import { getWorkspace, listWorkspaces, setGroupRoles } from '../../contract/account/workspaces.ts';
import { send } from '../support/api.ts';
import { cookiesOf, followToService, inConsole, openAt, signInAt } from '../support/sso-browser.ts';
import type { Installation } from './installation.ts';
import { GROUP, PERSON, startKeycloak } from './keycloak.ts';
import { runPhase } from './run-phase.ts';
import type { Phase, PhaseOptions } from './run-phase.ts';
import { createApi } from './service.ts';

/** Starts Keycloak, and an additional API that uses it. */
export async function signInThroughKeycloak(installation: Installation, options: PhaseOptions): Promise<Phase> {
  const { env, directory } = installation.settings;
  const keycloak = await startKeycloak(directory, options.say);
  const owner = { email: `${randomUUID()}@example.com`, password: PERSON.password, name: 'Ada' };
  const { token } = (await send(installation.proxy, register, { body: owner })).body;
  const { workspace_id } = (await send(installation.proxy, getWorkspace, { token })).body;
  const mapping = { OIDC_GROUP_WORKSPACES: workspace_id };
  const api = await createApi(installation.release, { env: { ...env, ...keycloak.env, ...mapping }, directory });
  const run = async () => {
    await api.start();
    await checkSignIn(api, token);
  };
  try {
    return await runPhase(installation, { name: 'keycloak', title: 'sign-in through Keycloak', run }, options);
  } finally {
    await api.stop();
    await keycloak.stop();
  }
}

/**
 * Checks the first sign-in, a role from a group, a proof of identity, and logging out of the provider.
 * @param owner token of a new login that owns a workspace.
 */
async function checkSignIn(api: { url: string }, owner: string): Promise<void> {
  const data = [{ group: GROUP, role: 'analyst' }];
  expect((await send(api, setGroupRoles, { token: owner, body: { data } })).body.data).to.deep.equal(data);
  const keycloak = createBrowser();
  const { location, session = '' } = await signInAt(api, keycloak.visit, '?next=/sessions');
  expect(location).to.equal('/console/sessions');
  const headers = inConsole(session);
  const { body: user } = await send(api, getCurrentUser, { headers });
  expect(user).to.include({ email: PERSON.email, email_verified: true, has_password: false, name: 'Grace Hopper' });
  const { data: workspaces } = (await send(api, listWorkspaces, { headers })).body;
  expect(workspaces.map(({ role }) => role)).to.have.members(['owner', 'analyst']);

  expect((await send(api, startSecondFactor, { headers })).problem.code).to.equal('proof_required');
  const begun = await send(api, startSsoAction, { headers, body: { intent: 'proof', next: '/settings' } });
  const query = await keycloak.visit(begun.body.url);
  expect((await openAt(api, `callback?${query.toString()}`, cookiesOf(begun))).location).to.equal('/console/settings');
  expect((await send(api, startSecondFactor, { headers })).status).to.equal(201);

  const formsBefore = keycloak.forms();
  const again = await signInAt(api, keycloak.visit);
  expect((await send(api, getCurrentUser, { headers: inConsole(again.session ?? '') })).body.id).to.equal(user.id);
  expect(keycloak.forms(), 'Keycloak remembers the person').to.equal(formsBefore);
  await keycloak.visit((await openAt(api, 'end')).location);
  await signInAt(api, keycloak.visit);
  expect(keycloak.forms(), 'one form to log out, and one to log in').to.equal(formsBefore + 2);
}

/** Returns a browser that keeps Keycloak's cookies and fills in its forms. */
function createBrowser() {
  const cookies = {};
  let forms = 0;
  const visit = (url: string) =>
    followToService(url, cookies, (page) => {
      forms += 1;
      const action = /action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
      if (action === undefined) throw new Error('the page of Keycloak has no form');
      const body = new URLSearchParams({ username: PERSON.username, password: PERSON.password });
      for (const [, name = '', value] of page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)) {
        body.set(name, value ?? '');
      }
      return { url: action, body };
    });
  return { visit, forms: () => forms };
}
