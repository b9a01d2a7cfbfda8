import * as contract from '../../contract/assistants/assistants.ts';
import { webhookSettingsOf } from '../../contract/account/audit.ts';
import { AssistantVersionModel } from '../../db/models/assistant-version.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { requireFound } from '../errors.ts';
import { creatorOf, requireScope, type Caller } from '../guard/authenticate.ts';
import { handle, presentPage } from '../http/handle.ts';
import { changeAssistant, createAssistant, duplicateAssistant } from './commands.ts';
import { findAssistant, findVersion } from './find-assistant.ts';
import { presentAssistant, presentVersion } from './present.ts';

export const assistantRoutes = (deps: ApiDeps) => [
  handle(contract.listAssistants, async ({ query: { limit = deps.config.quotas.assistants, cursor }, workspaceId }) =>
    presentPage(await AssistantModel.findOwnedPage(workspaceId, { limit, cursor }), presentAssistant),
  ),

  handle(contract.createAssistant, async ({ body, workspaceId, ...caller }) => {
    requireWebhookScope(caller, body);
    return presentAssistant(await createAssistant(deps, { workspaceId, created_by: creatorOf(caller) }, body));
  }),

  handle(contract.getAssistant, async ({ params, workspaceId }) =>
    presentAssistant(await findAssistant(workspaceId, params.id)),
  ),

  handle(contract.updateAssistant, async ({ params: { id }, body: patch, headers, workspaceId, ...caller }) => {
    requireWebhookScope(caller, patch);
    const change = { patch, ifMatch: headers['if-match'] };
    return presentAssistant(await changeAssistant(deps, { workspaceId, id, created_by: creatorOf(caller) }, change));
  }),

  handle(contract.deleteAssistant, async ({ params, workspaceId }) => {
    requireFound(await AssistantModel.deleteOwned(workspaceId, params.id), 'assistant');
  }),

  handle(contract.duplicateAssistant, async ({ params, workspaceId, ...caller }) =>
    presentAssistant(await duplicateAssistant(deps, await findAssistant(workspaceId, params.id), creatorOf(caller))),
  ),

  handle(contract.listAssistantVersions, async ({ params, query: { limit, cursor }, workspaceId }) => {
    const assistant = await findAssistant(workspaceId, params.id);
    return presentPage(await AssistantVersionModel.findPage(assistant, { limit, cursor }), presentVersion);
  }),

  handle(contract.getAssistantVersion, async ({ params, workspaceId }) =>
    presentVersion(await findVersion(workspaceId, params)),
  ),

  handle(contract.restoreAssistantVersion, async ({ params, headers, workspaceId, ...caller }) => {
    const { settings: patch, version } = await findVersion(workspaceId, params);
    const change = { patch, ifMatch: headers['if-match'], restoredFrom: version };
    return presentAssistant(
      await changeAssistant(deps, { workspaceId, id: params.id, created_by: creatorOf(caller) }, change),
    );
  }),
];

/** Throws `insufficient_scope` if the request sets a webhook without the scope: the webhook's URL receives all results. */
function requireWebhookScope(caller: Pick<Caller, 'key' | 'role'>, body: object): void {
  const [field] = webhookSettingsOf(body);
  if (field !== undefined) requireScope(caller, 'assistants:webhook', field);
}
