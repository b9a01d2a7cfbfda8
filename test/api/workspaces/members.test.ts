import { MEMBER_ROLES, workspaceBase, type MemberRole } from '../../../contract/values/constants.ts';
import * as contract from '../../../contract/account/workspaces.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { UserModel } from '../../../db/models/user.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { findDeletedWorkspaces } from '../../../db/queries/deleted-workspaces.ts';
import { send, startTestApi } from '../../support/api.ts';
import { createAssistant, createUser, PASSWORD, says } from '../../support/factories.ts';
import { createMember, createPerson, join, type Person } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

describe('Workspaces', () => {
  const api = useTestApi({ env: { MAX_MONTHLY_BUDGET_USD: '100' } });
  const create = ({ token }: Person, name = 'Support', at = api) =>
    send(at, contract.createWorkspace, { token, body: { name } });
  const list = async ({ token }: Person) => (await send(api, contract.listWorkspaces, { token })).body.data;

  it('can be created by any user, who becomes the only member', async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    const { body, status } = await create(person);
    expect(status).to.equal(201);
    expect(body).to.include({ name: 'Support', role: 'owner', members: 1, monthly_budget_usd: 100 });
    expect(body.base_path).to.equal(workspaceBase(body.workspace_id));
    const workspace = body.workspace_id;
    expect((await list(person)).map((each) => each.workspace_id)).to.deep.equal([workspace, person.workspaceId]);
    expect((await send(api, contract.getWorkspace, { token: person.token, workspace })).body).to.deep.equal(body);
    expect((await send(api, contract.getWorkspace, { token: other.token, workspace })).status).to.equal(404);
    const trail = await send(api, 'listAuditEvents', { token: person.token, workspace });
    expect(trail.body.data.map(({ action }) => action)).to.deep.equal(['workspace_created']);
  });

  it('Threat: are limited per owner; while registration is closed, users who own none cannot create one', async () => {
    const owner = await createPerson();
    const created = await Promise.all(Array.from({ length: 12 }, () => create(owner)));
    expect(created.filter(({ status }) => status === 201)).to.have.length(9);
    expect(created.find(({ status }) => status !== 201)?.problem.code).to.equal('quota_exceeded');
    const closed = await stopAfterTest(startTestApi({ env: { REGISTRATION: 'closed' } }));
    const guest = await createMember(owner.workspaceId, 'admin');
    await MembershipModel.query().delete().where({ user_id: guest.user.id, workspace_id: guest.workspaceId });
    expect((await create(guest, 'a', closed)).problem).to.include({ code: 'registration_closed' });
    expect((await create(await createPerson(), 'a', closed)).status).to.equal(201);
  });

  it('have a name and a budget, up to the limit of the installation', async () => {
    const { token } = await createPerson();
    const update = (body: object) => send(api, contract.updateWorkspace, { token, body });
    expect((await update({ name: 'Sales', monthly_budget_usd: 7 })).body).to.include({
      name: 'Sales',
      monthly_budget_usd: 7,
    });
    for (const monthly_budget_usd of [101, null]) {
      expect((await update({ monthly_budget_usd })).paths).to.deep.equal(['monthly_budget_usd']);
    }
    expect((await update({})).body).to.include({ name: 'Sales', monthly_budget_usd: 7 });
  });

  it('are deleted after a password check: members and tokens lose access, and default workspaces change', async () => {
    const owner = await createUser();
    const [boss, colleague] = [await createPerson(), await createMember(owner.workspaceId, 'analyst')];
    await join(owner.workspaceId, boss, 'owner');
    await UserModel.query().findById(colleague.user.id).patch({ default_workspace_id: owner.workspaceId });
    const remove = (current_password: string) =>
      send(api, contract.deleteWorkspace, {
        token: boss.token,
        workspace: owner.workspaceId,
        body: { current_password },
      });
    expect((await remove('wrong password')).paths).to.deep.equal(['current_password']);
    expect((await remove(PASSWORD)).status).to.equal(204);
    expect((await send(api, 'listSessions', { token: owner.token })).status).to.equal(401);
    expect((await remove(PASSWORD)).status).to.equal(404);
    const { default_workspace_id } = (await send(api, 'getCurrentUser', { token: colleague.token })).body;
    expect(default_workspace_id).to.equal(colleague.workspaceId);
    expect((await send(api, 'listSessions', { token: colleague.token })).status).to.equal(200);
    expect((await findDeletedWorkspaces(1_000)).map(({ id }) => id)).to.include(owner.workspaceId);
  });
});

describe('Members', () => {
  const api = useTestApi();
  let owner: Person;
  let workspace: string;
  beforeEach(async () => {
    owner = await createPerson();
    workspace = owner.workspaceId;
  });

  const setRole = ({ token }: Person, { user }: Person, role: MemberRole) =>
    send(api, contract.updateMember, { token, workspace, params: { user_id: user.id }, body: { role } });
  const remove = ({ token }: Person, { user }: Person, query = {}) =>
    send(api, contract.removeMember, { token, workspace, params: { user_id: user.id }, query });
  const leave = ({ token }: Person) => send(api, contract.leaveWorkspace, { token, workspace });
  const see = async ({ token }: Person) => (await send(api, 'listSessions', { token, workspace })).status;
  const rolesOf = async () => {
    const { data } = (await send(api, contract.listMembers, { token: owner.token, workspace })).body;
    return Object.fromEntries(data.map(({ user_id, role }) => [user_id, role]));
  };
  const issue = ({ token }: Person) => send(api, 'createKey', { token, workspace, body: { name: 'crm' } });

  it('see the objects that a token of the workspace created', async () => {
    const analyst = await createMember(workspace, 'analyst');
    const { token, key_id } = (await issue(owner)).body;
    const { id: assistant_id } = await createAssistant(workspace);
    const body = { assistant_id, conversation: says('Hello?') };
    await send(api, 'submitTextRequest', { token, body, headers: { Prefer: 'respond-async' } });
    const { data } = (await send(api, 'listSessions', { token: analyst.token, workspace })).body;
    expect(data.map(({ created_by }) => created_by)).to.deep.equal([key_id]);
  });

  it('can get another role, effective immediately, including the role of owner', async () => {
    const colleague = await createMember(workspace, 'auditor');
    expect((await issue(colleague)).status).to.equal(403);
    const { body } = await setRole(owner, colleague, 'owner');
    expect(body).to.include({ user_id: colleague.user.id, email: colleague.user.email, role: 'owner' });
    expect((await issue(colleague)).status).to.equal(201);
    expect(await rolesOf()).to.deep.equal({ [owner.user.id]: 'owner', [colleague.user.id]: 'owner' });
    const { data } = (await send(api, 'listAuditEvents', { token: owner.token })).body;
    expect(data.find(({ action }) => action === 'member_role_changed')).to.deep.include({
      object_id: colleague.user.id,
      details: { role: 'owner' },
    });
  });

  it('Threat: nobody can grant or revoke a role above their own, or find members of other workspaces', async () => {
    const [admin, other] = [await createMember(workspace, 'admin'), await createMember(workspace, 'analyst')];
    for (const attempt of [
      await setRole(admin, admin, 'owner'),
      await setRole(admin, other, 'owner'),
      await setRole(admin, owner, 'analyst'),
      await remove(admin, owner),
    ]) {
      expect(attempt.problem).to.include({ status: 403, code: 'insufficient_scope' });
      expect(attempt.problem.detail).to.contain('workspace:own');
    }
    expect((await setRole(admin, other, 'admin')).status).to.equal(200);
    const stranger = await createPerson();
    for (const { status } of [await setRole(owner, stranger, 'admin'), await remove(owner, stranger)]) {
      expect(status).to.equal(404);
    }
  });

  it('are removed together with their tokens, and no others', async () => {
    const [colleague, other] = [await createMember(workspace, 'developer'), await createMember(workspace, 'developer')];
    const key = (await issue(colleague)).body;
    const [revoked, kept] = [key.token, (await issue(other)).body.token];
    const { body: own } = await send(api, 'createKey', { token: colleague.token, body: { name: 'own' } });
    const unsaid = await remove(owner, colleague);
    expect(unsaid.paths).to.deep.equal(['tokens']);
    expect(unsaid.problem.errors?.[0]?.message).to.contain(key.key_id).and.to.contain('crm');
    expect(await see(colleague)).to.equal(200);
    await remove(owner, colleague, { tokens: 'revoke' });
    const statuses = [];
    for (const token of [revoked, kept, own.token]) statuses.push((await send(api, 'listSessions', { token })).status);
    expect(statuses).to.deep.equal([401, 200, 200]);
  });

  it('can leave with any role, except the last owner', async () => {
    for (const role of MEMBER_ROLES) {
      const member = await createMember(workspace, role);
      await UserModel.query().findById(member.user.id).patch({ default_workspace_id: workspace });
      expect((await leave(member)).status, role).to.equal(204);
      expect(await see(member)).to.equal(404);
      expect((await send(api, contract.getWorkspace, { token: member.token })).body.workspace_id, role).to.equal(
        member.workspaceId,
      );
    }
    expect((await leave(owner)).problem).to.include({ status: 409, code: 'last_owner' });
    expect((await setRole(owner, owner, 'admin')).problem).to.include({ code: 'last_owner' });
    const deputy = await createMember(workspace, 'owner');
    await UserModel.query().findById(deputy.user.id).patch({ disabled_at: new Date() });
    expect((await leave(owner)).problem, 'the deputy is disabled').to.include({ code: 'last_owner' });
  });

  it('Threat: always include an owner, even if owners remove or demote each other or leave concurrently', async () => {
    const changes: ((one: Person, other: Person) => Promise<{ status: number }>)[] = [
      (one, other) => setRole(one, other, 'analyst'),
      (one, other) => remove(one, other, { tokens: 'keep' }),
      (one) => leave(one),
      (one) => send(api, 'deleteCurrentUser', { token: one.token, body: { current_password: PASSWORD } }),
    ];
    for (let round = 0; round < 12; round++) {
      const change = changes[round % changes.length]!;
      const [one, other] = [await createPerson(), await createPerson()];
      workspace = one.workspaceId;
      await join(workspace, other, 'owner');
      await createMember(workspace, 'analyst');
      const statuses = (await Promise.all([change(one, other), change(other, one)])).map(({ status }) => status);
      const owners = await MembershipModel.query().where({ workspace_id: workspace, role: 'owner' });
      expect(owners, `round ${round}: ${statuses.join(', ')}`).to.have.length(1);
    }
  });

  describe('who delete their account', () => {
    const deleteAccount = ({ token }: Person) =>
      send(api, 'deleteCurrentUser', { token, body: { current_password: PASSWORD } });

    it('must appoint another owner first; the workspace stays, and only their personal workspaces are deleted', async () => {
      const colleague = await createMember(workspace, 'admin');
      const refused = (await deleteAccount(owner)).problem;
      expect(refused).to.include({ status: 409, code: 'last_owner' });
      expect(refused.detail).to.contain(workspace);
      expect(await see(owner)).to.equal(200);
      const key = (await issue(owner)).body.token;
      await WorkspaceModel.query().findById(workspace).patch({ name: owner.user.name });
      const own = (await send(api, contract.createWorkspace, { token: owner.token, body: { name: 'own' } })).body;
      await setRole(owner, colleague, 'owner');
      expect((await deleteAccount(owner)).status).to.equal(204);
      expect(await see(owner)).to.equal(401);
      expect(await see(colleague)).to.equal(200);
      expect((await send(api, 'listSessions', { token: key })).status, 'their tokens are revoked').to.equal(401);
      const deletedAt = async (id: string) => (await WorkspaceModel.query().findById(id))?.deleted_at ?? null;
      expect(await deletedAt(workspace)).to.equal(null);
      const names = await WorkspaceModel.query().findByIds([workspace, own.workspace_id]).orderBy('name');
      expect(
        names.map(({ name }) => name),
        'not the name of the person',
      ).to.deep.equal(['', 'Workspace']);
      expect(await deletedAt(own.workspace_id)).to.be.a('date');
      expect(await UserModel.query().findById(owner.user.id)).to.equal(undefined);
    });
  });
});
