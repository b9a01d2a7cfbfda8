import {
  createAssistant as createEndpoint,
  deleteAssistant,
  duplicateAssistant as duplicateEndpoint,
  getAssistant,
  listAssistants,
  updateAssistant,
} from '../../contract/assistants.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { answerWithList } from '../answers/answer-with-list.ts';
import { changeAssistant } from '../commands/change-assistant.ts';
import { createAssistant } from '../commands/create-assistant.ts';
import { duplicateAssistant } from '../commands/duplicate-assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { requireMatch } from '../http/etag.ts';
import { handle } from '../http/handle.ts';
import { findAssistant, noAssistant } from '../lookups/find-assistant.ts';
import { presentAssistant } from '../presenters/assistant.ts';

/** Returns a check that an assistant is as the client's `If-Match` knows it. */
export const requireKnown = (ifMatch: string | undefined) => (row: AssistantModel) =>
  requireMatch(ifMatch, getAssistant, presentAssistant(row));

export const assistantRoutes = (deps: ApiDeps) => [
  handle(listAssistants, ({ query, userId }) =>
    answerWithList(query, {
      userId,
      find: (page) => AssistantModel.findOwnedPage(userId, page),
      present: presentAssistant,
    }),
  ),

  handle(createEndpoint, async ({ body, userId }) => presentAssistant(await createAssistant(deps, userId, body))),

  handle(getAssistant, async ({ params, userId }) => presentAssistant(await findAssistant(userId, params.id))),

  handle(updateAssistant, async ({ params: { id }, body, headers, userId }) => {
    const requireState = requireKnown(headers['if-match']);
    return presentAssistant(await changeAssistant(deps, { userId, id }, { patch: body, requireState }));
  }),

  handle(deleteAssistant, async ({ params, userId }) => {
    const isDeleted = await AssistantModel.deleteOwned(userId, params.id);
    if (!isDeleted) throw noAssistant();
  }),

  handle(duplicateEndpoint, async ({ params: { id }, userId }) =>
    presentAssistant(await duplicateAssistant(deps, { userId, id })),
  ),
];
