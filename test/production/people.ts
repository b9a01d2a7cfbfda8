/** Creates a team, a second factor and a single sign-on account, and checks that an upgrade keeps them. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { openAccount } from '../../bench/account.ts';
import { getCurrentUser, login } from '../../contract/account/account.ts';
import type { Login } from '../../contract/account/account.ts';
import { deleteSession } from '../../contract/sessions/session-operations.ts';
import { getSession } from '../../contract/sessions/sessions.ts';
import { listWorkspaces } from '../../contract/account/workspaces.ts';
import { createDemoClient } from '../../local/demo-client.ts';
import { send } from '../support/api.ts';
import type { OidcPerson } from '../support/oidc.ts';
import { inConsole, signInAt } from '../support/sso-browser.ts';
import type { Installation } from './installation.ts';

const PASSWORD = 'a password that stays';

interface People {
  /** Submitted with a token of the owner. */
  sessionId: string;
  /** An analyst with a second factor. */
  analyst: { email: string; token: string; recoveryCodes: string[] };
  /** An auditor, because of an invitation that the single sign-on accepted. */
  auditor: { person: OidcPerson; userId: string };
}

/** Checks no response against this release's contract, because the former release responds. */
export async function createPeople({ proxy, oidc }: Installation): Promise<People> {
  const owner = await openAccount(proxy.url, `team-${randomUUID()}`);
  const sessionId = await owner.submit(await owner.addAssistant({ type: 'text' }));
  const ownerClient = createDemoClient(proxy.url);
  const { email: ownerEmail } = await owner.client.call<{ email: string }>('read the owner', 'GET', '/user/me');
  const credentials = { email: ownerEmail, password: 'a password for the bench' };
  ownerClient.useToken((await ownerClient.call<Login>('log in', 'POST', '/v1/auth/login', credentials)).token);

  const email = `analyst-${randomUUID()}@example.com`;
  const invited = { email, role: 'analyst' };
  const invitation = await ownerClient.call<{ token: string }>('invite', 'POST', '/v1/workspace/invitations', invited);
  const analyst = createDemoClient(proxy.url);
  const registration = { email, password: PASSWORD, name: 'Grace', invitation: invitation.token };
  const { token } = await analyst.call<Login>('register', 'POST', '/v1/auth/register', registration);
  analyst.useToken(token);
  const { secret } = await analyst.call<{ secret: string }>('set up a factor', 'POST', '/v1/auth/second-factor');
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { recovery_codes: recoveryCodes } = await analyst.call<{ recovery_codes: string[] }>(
    ...(['confirm the factor', 'POST', '/v1/auth/second-factor/confirm', { code }] as const),
  );

  const person = { sub: randomUUID(), email: `${randomUUID()}@example.com`, email_verified: true };
  const auditing = { email: person.email, role: 'auditor' };
  await ownerClient.call('invite an auditor', 'POST', '/v1/workspace/invitations', auditing);
  const userId = (await signIn({ proxy, oidc }, person)).id;
  return { sessionId, analyst: { email, token, recoveryCodes }, auditor: { person, userId } };
}

/** Throws if the upgrade changed anything. */
export async function checkPeople(
  { proxy, oidc }: Installation,
  { sessionId, analyst, auditor }: People,
): Promise<void> {
  const params = { id: sessionId };
  expect((await send(proxy, getSession, { token: analyst.token, params })).body.session_id).to.equal(sessionId);
  expect((await send(proxy, deleteSession, { token: analyst.token, params })).status).to.equal(403);
  const logIn = (code?: string) =>
    send(proxy, login, { body: { email: analyst.email, password: PASSWORD, ...(code !== undefined && { code }) } });
  expect((await logIn()).problem.code).to.equal('second_factor_required');
  const [code] = analyst.recoveryCodes;
  expect((await logIn(code)).status).to.equal(200);
  expect((await logIn(code)).status, 'a recovery code works once').to.equal(422);
  const { id, headers } = await signIn({ proxy, oidc }, auditor.person);
  expect(id).to.equal(auditor.userId);
  const { data } = (await send(proxy, listWorkspaces, { headers })).body;
  expect(data.map(({ role }) => role)).to.include('auditor');
}

async function signIn({ proxy, oidc }: Pick<Installation, 'proxy' | 'oidc'>, person: OidcPerson) {
  const { session = '' } = await signInAt(proxy, (url) => oidc.signIn(url, person));
  const headers = inConsole(session);
  const answer = await fetch(`${proxy.url}/api${getCurrentUser.path}`, { headers });
  return { id: ((await answer.json()) as { id: string }).id, headers };
}
