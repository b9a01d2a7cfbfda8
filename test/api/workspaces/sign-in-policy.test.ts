import { listAssistants } from '../../../contract/assistants/assistants.ts';
import type { SignInPolicy } from '../../../contract/values/constants.ts';
import { listKeys } from '../../../contract/account/keys.ts';
import { getWorkspace, listMembers } from '../../../contract/account/workspaces.ts';
import { LoginModel } from '../../../db/models/login.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { send } from '../../support/api.ts';
import { createUser } from '../../support/factories.ts';
import { createMember, createPerson, logInAs, type Person } from '../../support/members.ts';
import { operate } from '../../support/operate.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('The sign-in policy of a workspace', () => {
  const api = useTestApi();
  const set = ({ token }: Pick<Person, 'token'>, sign_in: SignInPolicy) =>
    send(api, 'updateWorkspace', { token, body: { sign_in } });
  const change = ({ user }: Pick<Person, 'user'>, fields: Partial<LoginModel>) =>
    LoginModel.query().where({ user_id: user.id }).patch(fields);
  const require = (workspaceId: string, sign_in: SignInPolicy) =>
    WorkspaceModel.query().findById(workspaceId).patch({ sign_in });

  for (const [policy, enough, tooLittle] of [
    ['second_factor', { is_strong: true }, { is_strong: false, method: 'sso' }],
    ['sso', { method: 'sso' }, { method: 'password', is_strong: true }],
  ] as const) {
    it(`${policy}: closes the workspace to other logins; the account, other workspaces and tokens still work`, async () => {
      const { user, token: apiToken, workspaceId } = await createUser();
      const person = { user, token: await logInAs(user), workspaceId };
      const other = (await createPerson()).workspaceId;
      const guest = await createMember(other, 'owner');
      await require(workspaceId, policy);
      await change(person, tooLittle);
      const { token } = person;
      for (const endpoint of [listAssistants, listKeys, getWorkspace, listMembers]) {
        expect((await send(api, endpoint, { token })).problem.code).to.equal('stronger_login_required');
        expect((await send(api, endpoint, { token, workspace: workspaceId })).status).to.equal(403);
      }
      const budget = { monthly_budget_usd: 1 };
      expect((await send(api, 'updateCurrentUser', { token, body: budget })).problem.code).to.equal(
        'insufficient_scope',
      );
      expect((await send(api, 'getCurrentUser', { token })).status).to.equal(200);
      expect((await send(api, 'listWorkspaces', { token })).status).to.equal(200);
      expect((await send(api, 'listAssistants', { token: apiToken })).status).to.equal(200);
      expect((await send(api, 'listAssistants', { token: guest.token, workspace: other })).status).to.equal(200);
      await change(person, enough);
      expect((await send(api, 'getWorkspace', { token })).body.sign_in).to.equal(policy);
    });
  }

  it('is checked again for open streams', async () => {
    const person = await createPerson();
    const login = await LoginModel.query().findOne({ user_id: person.user.id }).throwIfNotFound();
    expect(await LoginModel.isLive(login.id, person.workspaceId, 'owner')).to.equal(true);
    await require(person.workspaceId, 'second_factor');
    expect(await LoginModel.isLive(login.id, person.workspaceId, 'owner')).to.equal(false);
    await change(person, { is_strong: true });
    expect(await LoginModel.isLive(login.id, person.workspaceId, 'owner')).to.equal(true);
  });

  it('can be set only by owners with a fresh proof and a login that meets it', async () => {
    const owner = await createPerson();
    const admin = await createMember(owner.workspaceId, 'admin');
    const byAdmin = { token: admin.token, workspace: owner.workspaceId, body: { sign_in: 'any' } };
    expect((await send(api, 'updateWorkspace', byAdmin)).problem.code).to.equal('insufficient_scope');
    for (const policy of ['second_factor', 'sso'] as const) {
      expect((await set(owner, policy)).problem.code).to.equal('stronger_login_required');
    }
    await change(owner, { is_strong: true, proved_at: new Date(0) });
    expect((await set(owner, 'second_factor')).problem.code).to.equal('proof_required');
    await change(owner, { proved_at: new Date() });
    expect((await set(owner, 'second_factor')).body.sign_in).to.equal('second_factor');
    expect((await set(owner, 'any')).body.sign_in).to.equal('any');
  });

  it('can be removed by the operator', async () => {
    const person = await createPerson();
    await require(person.workspaceId, 'sso');
    const { errors } = await operate(['policy', person.workspaceId, 'any']);
    expect(errors).to.equal('');
    expect((await send(api, 'listAssistants', { token: person.token })).status).to.equal(200);
  });

  it('shows owners who has a second factor and single sign-on', async () => {
    const { body } = await send(api, 'listMembers', { token: (await createPerson()).token });
    expect(body.data.map(({ second_factor, sso, source }) => [second_factor, sso, source])).to.deep.equal([
      [false, false, 'person'],
    ]);
  });
});
