import * as assistants from '../../../contract/assistants/assistants.ts';
import { workspaceBase } from '../../../contract/values/constants.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { send } from '../../support/api.ts';
import { createAssistant, createUser, says, TEXT_SETTINGS } from '../../support/factories.ts';
import { createMember, createPerson } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('/w/{workspace_id}/api', () => {
  const api = useTestApi();
  const list = async (token: string, workspace?: string) => {
    const { status, ...answer } = await send(api, assistants.listAssistants, { token, workspace });
    return status === 200 ? answer : status;
  };

  it('addresses a workspace of the user, and /api the default one', async () => {
    const owner = await createUser();
    const member = await createMember(owner.workspaceId, 'analyst');
    const [shared, own] = [await createAssistant(owner.workspaceId), await createAssistant(member.workspaceId)];
    const idsIn = async (workspace?: string) =>
      (await send(api, assistants.listAssistants, { token: member.token, workspace })).body.data.map(({ id }) => id);
    expect(await idsIn()).to.deep.equal([own.id]);
    expect(await idsIn(member.workspaceId)).to.deep.equal([own.id]);
    expect(await idsIn(owner.workspaceId)).to.deep.equal([shared.id]);
  });

  it('returns the same 404 for workspaces of others as for unknown ones, and 401 without credentials', async () => {
    const [other, user, person] = [await createUser(), await createUser(), await createPerson()];
    for (const token of [user.token, person.token]) {
      const problems = [];
      for (const workspace of [other.workspaceId, 'ws_01kaj4v5rzf1xtm8w3b2c9d0e7', 'x', '%00']) {
        const { request_id: _, ...problem } = (await send(api, assistants.listAssistants, { token, workspace }))
          .problem;
        expect(problem).to.include({ status: 404, code: 'not_found' });
        problems.push(problem);
      }
      for (const problem of problems) expect(problem).to.deep.equal(problems[0]);
    }
    expect(await list(user.token, user.workspaceId)).not.to.be.a('number');
    expect((await send(api, assistants.listAssistants, { workspace: other.workspaceId })).status).to.equal(401);
  });

  it('is closed while the workspace is disabled', async () => {
    const owner = await createUser();
    const member = await createMember(owner.workspaceId, 'admin');
    await WorkspaceModel.query().findById(owner.workspaceId).patch({ disabled_at: new Date() });
    expect(await list(member.token, owner.workspaceId)).to.equal(404);
    expect(await list(member.token)).not.to.be.a('number');
  });

  it('is the prefix of Location headers', async () => {
    const owner = await createUser();
    const member = await createMember(owner.workspaceId, 'analyst');
    const asked = { token: member.token, workspace: owner.workspaceId };
    const created = await send(api, assistants.createAssistant, { ...asked, body: TEXT_SETTINGS });
    const base = workspaceBase(owner.workspaceId);
    expect(created.headers.get('location')).to.equal(`${base}/v1/assistants/${created.body.id}`);
    const body = { assistant_id: created.body.id, conversation: says('Hello?') };
    const headers = { Prefer: 'respond-async' };
    const accepted = await send(api, 'submitTextRequest', { ...asked, body, headers });
    expect(accepted.headers.get('location')).to.equal(`${base}/v1/sessions/${accepted.body.session_id}`);
    expect(accepted.body.created_by).to.equal(member.user.id);
    const byDefault = await send(api, assistants.createAssistant, { token: member.token, body: TEXT_SETTINGS });
    expect(byDefault.headers.get('location')).to.match(/^\/api\//);
  });

  it('returns the budget of that workspace on /user/me', async () => {
    const owner = await createPerson();
    const other = await createMember(owner.workspaceId, 'owner');
    const asked = { token: other.token, workspace: owner.workspaceId };
    await send(api, 'updateCurrentUser', { ...asked, body: { monthly_budget_usd: 7 } });
    const budgetOf = async (options: typeof asked | { token: string }) =>
      (await send(api, 'getCurrentUser', options)).body.monthly_budget_usd;
    expect(await budgetOf({ token: owner.token })).to.equal(7);
    expect([await budgetOf(asked), await budgetOf({ token: other.token })]).to.deep.equal([7, null]);
  });
});
