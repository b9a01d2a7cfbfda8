import { randomUUID } from 'node:crypto';
import * as contract from '../../../contract/account/invitations.ts';
import * as workspaces from '../../../contract/account/workspaces.ts';
import { InvitationModel } from '../../../db/models/invitation.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { UserModel } from '../../../db/models/user.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { send } from '../../support/api.ts';
import { PASSWORD } from '../../support/factories.ts';
import { createMember, createPerson, logInAs, type Person } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

describe('Invitations', () => {
  const api = useTestApi({ env: { REGISTRATION: 'closed' }, adjust: ({ quotas }) => void (quotas.invitations = 3) });
  let owner: Person;
  let workspace: string;
  let email: string;
  beforeEach(async () => {
    owner = await createPerson();
    workspace = owner.workspaceId;
    email = `${randomUUID()}@Example.com`;
  });

  const invite = (body: object = {}, by = owner) =>
    send(api, contract.createInvitation, { token: by.token, workspace, body: { email, role: 'analyst', ...body } });
  const preview = (token: string) => send(api, contract.previewInvitation, { body: { token } });
  const accept = (by: { token: string }, token: string) =>
    send(api, contract.acceptInvitation, { token: by.token, body: { token } });
  const signUp = (invitation: string, fields: object = {}) =>
    send(api, 'register', { body: { email, password: PASSWORD, name: 'Grace', invitation, ...fields } });
  const open = async () =>
    (await send(api, contract.listInvitations, { token: owner.token, workspace })).body.data.map(
      ({ invitation_id }) => invitation_id,
    );
  const roleIn = async (user_id: string) => (await MembershipModel.query().findById([user_id, workspace]))?.role;

  it('are shown to anyone with the link, and accepted only by the invited address, in any letter case', async () => {
    const person = await createPerson();
    email = person.user.email.toUpperCase();
    const { body } = await invite();
    expect(body.url, 'without PUBLIC_URL').to.equal(null);
    expect((await preview(body.token)).body).to.deep.equal({
      email,
      role: 'analyst',
      workspace_name: 'Ada',
      invited_by_name: 'Ada',
      expires_at: body.expires_at,
    });
    const { status, body: joined } = await accept(person, body.token);
    expect(status).to.equal(200);
    expect(joined).to.include({ workspace_id: workspace, role: 'analyst', members: 2 });
    expect((await send(api, 'listSessions', { token: person.token, workspace })).status).to.equal(200);
    expect((await send(api, 'getCurrentUser', { token: person.token })).body.default_workspace_id).to.equal(
      person.workspaceId,
    );
    const { data } = (await send(api, 'listAuditEvents', { token: owner.token, workspace })).body;
    expect(data.map(({ action, actor_user_id, object_id }) => [action, actor_user_id, object_id])).to.deep.equal([
      ['member_joined', person.user.id, person.user.id],
      ['member_invited', owner.user.id, body.invitation_id],
    ]);
  });

  it('allow registration even if REGISTRATION is closed, into that workspace only', async () => {
    expect((await send(api, 'register', { body: { email, password: PASSWORD, name: 'Grace' } })).status).to.equal(403);
    const { user, token } = (await signUp((await invite()).body.token)).body;
    expect(user).to.include({ email, default_workspace_id: workspace });
    const { data } = (await send(api, workspaces.listWorkspaces, { token })).body;
    expect(data.map(({ workspace_id, role }) => [workspace_id, role])).to.deep.equal([[workspace, 'analyst']]);
    expect((await send(api, 'listSessions', { token })).status).to.equal(200);
    expect((await send(api, 'login', { body: { email, password: PASSWORD } })).status).to.equal(200);
    email = `${randomUUID()}@example.com`;
    const body = { email, password: PASSWORD, name: 'Joan', invitation: (await invite()).body.token };
    expect((await send(api, 'registerInConsole', { body, headers: SAME_ORIGIN })).status).to.equal(201);
  });

  it('Threat: guessed, used, replaced, revoked and expired links all answer 404, and create no account', async () => {
    const replaced = (await invite()).body.token;
    const revoked = (await invite({ role: 'auditor' })).body;
    const params = { invitation_id: revoked.invitation_id };
    await send(api, contract.revokeInvitation, { token: owner.token, workspace, params });
    const ended = [randomUUID(), replaced, revoked.token];
    const guest = await createPerson();
    // The expired one is the last: the next invitation of the address would replace it.
    for (const end of ['used', 'disabled_at', 'expires_at'] as const) {
      email = guest.user.email;
      const { token, invitation_id } = (await invite()).body;
      ended.push(token);
      if (end === 'used') await accept(guest, token);
      const row = InvitationModel.query().findById(invitation_id);
      if (end === 'expires_at') await row.patch({ expires_at: new Date(0) });
      if (end === 'disabled_at') {
        // The next invitation is to a workspace that is not disabled.
        await WorkspaceModel.query().findById(workspace).patch({ disabled_at: new Date() });
        owner = await createPerson();
        workspace = owner.workspaceId;
      }
    }
    email = `${randomUUID()}@example.com`;
    const details = [];
    for (const token of ended) {
      for (const answer of [await preview(token), await accept(guest, token), await signUp(token)]) {
        expect(answer.problem).to.include({ status: 404, code: 'not_found' });
        details.push(answer.problem.detail);
      }
    }
    expect(new Set(details)).to.have.length(1);
    expect(await UserModel.findByEmail(email)).to.equal(undefined);
  });

  it("Threat: can't be used by another address; if the address has an account, a login is required", async () => {
    const { token } = (await invite()).body;
    const stranger = await createPerson();
    for (const answer of [await accept(stranger, token), await signUp(token, { email: stranger.user.email })]) {
      expect(answer.problem).to.include({ status: 409, code: 'conflict' });
      expect(answer.problem.detail).to.contain(email).and.to.contain(stranger.user.email);
    }
    expect(await roleIn(stranger.user.id)).to.equal(undefined);
    const { token: another } = (await invite({ email: stranger.user.email })).body;
    expect((await signUp(another, { email: stranger.user.email })).problem.code).to.equal('email_taken');
    expect((await accept(stranger, another)).status).to.equal(200);
  });

  it("Threat: never grant a role above the inviter's, and end when the inviter leaves or gets another role", async () => {
    const admin = await createMember(workspace, 'admin');
    expect((await invite({ role: 'owner' }, admin)).problem.detail).to.contain('workspace:own');
    expect((await invite({ role: 'owner' })).status).to.equal(201);
    email = `${randomUUID()}@example.com`;
    const { token } = (await invite({ role: 'admin' }, admin)).body;
    const params = { user_id: admin.user.id };
    await send(api, workspaces.updateMember, { token: owner.token, workspace, params, body: { role: 'analyst' } });
    expect((await preview(token)).status).to.equal(404);
    expect(await open()).to.have.length(1);
  });

  it('Threat: do not verify the address, because the inviter knows the link, too', async () => {
    const { token } = (await signUp((await invite()).body.token)).body;
    expect((await send(api, 'getCurrentUser', { token })).body.email_verified).to.equal(false);
  });

  it('Threat: do not reveal whether the address has an account', async () => {
    const person = await createPerson();
    const [known, unknown] = [(await invite({ email: person.user.email })).body, (await invite()).body];
    const factsOf = ({ role, invited_by, mailed }: typeof known) => ({ role, invited_by, mailed });
    expect([Object.keys(known), factsOf(known)]).to.deep.equal([Object.keys(unknown), factsOf(unknown)]);
    const fieldsOf = async ({ token }: typeof known) => Object.keys((await preview(token)).body);
    expect(await fieldsOf(known)).to.deep.equal(await fieldsOf(unknown));
  });

  it('never change the role of an existing member', async () => {
    const admin = await createMember(workspace, 'admin');
    const { token } = (await invite({ email: admin.user.email, role: 'auditor' })).body;
    expect((await accept(admin, token)).body).to.include({ role: 'admin' });
  });

  it('are limited in number; expired ones do not count', async () => {
    const addresses = ['a', 'b', 'c'].map((name) => `${name}-${email}`);
    for (const address of addresses) expect((await invite({ email: address })).status).to.equal(201);
    expect((await invite()).problem).to.include({ code: 'quota_exceeded' });
    expect((await invite({ email: addresses[0] })).status).to.equal(201);
    await InvitationModel.query()
      .where({ workspace_id: workspace })
      .patch({ expires_at: new Date(0) });
    expect((await invite()).status).to.equal(201);
    expect(await open()).to.have.length(1);
  });

  it('of the same address replace each other, and can be accepted once, even concurrently', async () => {
    const person = await createPerson();
    email = person.user.email;
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => invite()))).map(({ status }) => status);
    expect(statuses).to.deep.equal([201, 201, 201, 201, 201]);
    expect(await open()).to.have.length(1);
    const { token } = (await invite()).body;
    const other = { token: await logInAs(person.user) };
    const accepted = await Promise.all([person, other, person, other].map((each) => accept(each, token)));
    expect(accepted.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404]);
    email = `${randomUUID()}@example.com`;
    const invitation = (await invite()).body.token;
    const registered = await Promise.all(Array.from({ length: 4 }, () => signUp(invitation)));
    expect(registered.filter(({ status }) => status === 201)).to.have.length(1);
    const { data } = (await send(api, 'listAuditEvents', { token: owner.token, workspace })).body;
    expect(data.filter(({ action }) => action === 'member_joined')).to.have.length(2);
  });

  it('give a user without a workspace a default one', async () => {
    const person = await createPerson();
    await MembershipModel.query().delete().where({ user_id: person.user.id });
    email = person.user.email;
    await accept(person, (await invite()).body.token);
    expect((await send(api, workspaces.getWorkspace, { token: person.token })).body.workspace_id).to.equal(workspace);
  });
});
