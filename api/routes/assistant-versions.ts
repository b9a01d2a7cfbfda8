import {
  getAssistantVersion,
  listAssistantVersions,
  restoreAssistantVersion,
} from '../../contract/assistant-versions.ts';
import { AssistantVersionModel } from '../../db/models/assistant-version.ts';
import type { PageRequest } from '../../db/page.ts';
import { answerWithList } from '../answers/answer-with-list.ts';
import { restoreVersion } from '../commands/restore-version.ts';
import type { ApiDeps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { findAssistant } from '../lookups/find-assistant.ts';
import { findVersion } from '../lookups/find-version.ts';
import { presentAssistant } from '../presenters/assistant.ts';
import { presentVersion } from '../presenters/assistant-version.ts';
import { requireKnown } from './assistants.ts';

export const assistantVersionRoutes = (deps: ApiDeps) => [
  handle(listAssistantVersions, async ({ params, query: { limit, cursor }, userId }) => {
    const assistant = await findAssistant(userId, params.id);
    const find = (page: PageRequest) => AssistantVersionModel.findPage(assistant, page);
    const page = { limit, cursor: cursor === undefined ? undefined : String(cursor) };
    return answerWithList(page, { userId, find, present: presentVersion });
  }),

  handle(getAssistantVersion, async ({ params: { id, version }, userId }) =>
    presentVersion(await findVersion(await findAssistant(userId, id), Number(version))),
  ),

  handle(restoreAssistantVersion, async ({ params: { id, version }, headers, userId }) => {
    const requireState = requireKnown(headers['if-match']);
    return presentAssistant(await restoreVersion(deps, { userId, id }, { version: Number(version), requireState }));
  }),
];
