import { updateCurrentUser } from '../../../contract/account/account.ts';
import { createAssistant, updateAssistant } from '../../../contract/assistants/assistants.ts';
import { createBatch } from '../../../contract/sessions/batches.ts';
import { MEMBER_ROLES } from '../../../contract/values/constants.ts';
import type { Endpoint } from '../../../contract/values/endpoint.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { hasRoleScope, PERSONAL_SCOPES, SCOPES, TOKEN_SCOPES, type Scope } from '../../../contract/values/scopes.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { UserModel } from '../../../db/models/user.ts';
import { send } from '../../support/api.ts';
import { exampleParams } from '../../support/example-params.ts';
import * as factories from '../../support/factories.ts';
import { createMember, type Person } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

const PROTECTED = ENDPOINTS.filter((endpoint): endpoint is Endpoint & { scope: Scope } => endpoint.scope !== null);
/** An endpoint of each scope. Roles differ in scopes only, so all endpoints are tested with one role. */
const OF_EACH_SCOPE = [...new Map(PROTECTED.map((endpoint) => [endpoint.scope, endpoint])).values()];

describe('Roles', () => {
  const api = useTestApi();
  let owner: Awaited<ReturnType<typeof factories.createOwner>>;
  before(async () => {
    owner = await factories.createOwner();
  });

  /** An unknown query parameter gets a 422 after the role is checked, so no request changes anything. */
  const ask = (endpoint: Endpoint, token: string, workspace?: string) =>
    send(api, endpoint, { token, workspace, params: exampleParams(endpoint), query: { nonsense: 1 } });

  for (const role of MEMBER_ROLES) {
    it(`${role}: exactly the endpoints in docs/roles.md are allowed`, async () => {
      const { token } = await createMember(owner.workspaceId, role);
      for (const endpoint of role === 'analyst' ? PROTECTED : OF_EACH_SCOPE) {
        const { operationId, scope } = endpoint;
        const isAllowed = hasRoleScope(role, scope);
        const { status, problem } = await ask(endpoint, token, owner.workspaceId);
        expect(status, operationId).to.equal(isAllowed ? 422 : 403);
        if (!isAllowed) expect(problem.detail).to.contain(role).and.to.contain(scope);
      }
    });

    it(`${role}: a property that requires another scope is refused without the scope, and named`, async () => {
      const { token } = await createMember(owner.workspaceId, role);
      const at = { token, workspace: owner.workspaceId };
      const asst = owner.assistant.id;
      const webhook = { webhook_url: 'http://127.0.0.1:59999/' };
      const needs: [Scope, string, Endpoint, object][] = [
        ['assistants:webhook', 'webhook_url', createAssistant, { ...factories.TEXT_SETTINGS, ...webhook }],
        ['assistants:webhook', 'webhook_url', updateAssistant, webhook],
        ['assistants:webhook', 'alerts', updateAssistant, { alerts: null }],
        ['sessions:delete', 'action', createBatch, { action: 'delete', filter: { status: 'failed' }, dry_run: true }],
        ['budget:write', 'monthly_budget_usd', updateCurrentUser, { monthly_budget_usd: 5 }],
      ];
      for (const [scope, field, endpoint, body] of needs) {
        if (!hasRoleScope(role, endpoint.scope ?? scope)) continue;
        const answer = await send(api, endpoint, { ...at, params: exampleParams(endpoint, { asst }), body });
        if (hasRoleScope(role, scope)) expect(answer.body, field).to.be.an('object');
        else expect(answer.problem.detail).to.contain(role).and.to.contain(scope).and.to.contain(field);
      }
    });

    it(`Threat: ${role}: a new token has at most the scopes of the role, and never scopes that only people may have`, async () => {
      const { token } = await createMember(owner.workspaceId, role);
      const at = { token, workspace: owner.workspaceId };
      const create = (body: object) => send(api, 'createKey', { ...at, body: { name: 'a', ...body } });
      for (const scope of SCOPES) {
        const has = TOKEN_SCOPES.includes(scope) && hasRoleScope(role, scope);
        const expected = !hasRoleScope(role, 'keys:write') ? 403 : has ? 201 : 422;
        expect((await create({ scopes: [scope] })).status, scope).to.equal(expected);
      }
      if (!hasRoleScope(role, 'keys:write')) return;
      const scopes = (await create({})).body.scopes ?? [];
      expect(scopes.every((scope) => hasRoleScope(role, scope))).to.equal(true);
      expect(scopes.length === 0).to.equal(hasRoleScope(role, 'audit:read'));
    });
  }

  it('A path without a workspace addresses the default one; a workspace of others is unknown to every endpoint', async () => {
    const { user, token } = await createMember(owner.workspaceId, 'analyst');
    await UserModel.query().findById(user.id).patch({ default_workspace_id: owner.workspaceId });
    const { workspaceId: other } = await factories.createUser();
    for (const endpoint of PROTECTED) {
      const { operationId, scope } = endpoint;
      expect((await ask(endpoint, token)).status, operationId).to.equal(hasRoleScope('analyst', scope) ? 422 : 403);
      expect((await ask(endpoint, token, other)).status, operationId).to.equal(404);
    }
  });

  describe("A token of a workspace that is not its creator's default workspace", () => {
    let person: Person;
    let token: string;
    before(async () => {
      person = await createMember(owner.workspaceId, 'owner');
      const at = { token: person.token, workspace: owner.workspaceId };
      token = (await send(api, 'createKey', { ...at, body: { name: 'a', scopes: TOKEN_SCOPES } })).body.token;
    });

    it('Threat: acts for the workspace, not for its creator or another person', async () => {
      expect((await send(api, 'listSessions', { token })).status).to.equal(200);
      for (const endpoint of PROTECTED) {
        if (!PERSONAL_SCOPES.includes(endpoint.scope)) continue;
        expect((await ask(endpoint, token)).problem, endpoint.operationId).to.include({ code: 'not_a_person' });
      }
      const { body } = await send(api, 'getCurrentUser', { token: owner.token });
      expect(body.id).to.equal(owner.user.id);
    });
  });

  it('A user without a workspace can only use the account', async () => {
    const { user, token } = await createMember(owner.workspaceId, 'analyst');
    await MembershipModel.query().delete().where({ user_id: user.id });
    for (const endpoint of PROTECTED) {
      const { status, problem } = await ask(endpoint, token);
      if (PERSONAL_SCOPES.includes(endpoint.scope)) expect(status, endpoint.operationId).to.equal(422);
      else expect(problem, endpoint.operationId).to.include({ status: 403, code: 'no_workspace' });
    }
  });
});
