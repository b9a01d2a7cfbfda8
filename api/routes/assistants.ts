import { typeid } from 'typeid-js';
import {
  createAssistant,
  deleteAssistant,
  duplicateAssistant,
  getAssistant,
  listAssistants,
  updateAssistant,
} from '../../contract/assistants.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { mergeSettings, settingsToRow } from '../commands/check-assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { handle } from '../http/handle.ts';
import { presentAssistant } from '../presenters/assistant.ts';

const newId = () => typeid('asst').toString();

async function findOwned(userId: string, id: string): Promise<AssistantModel> {
  const row = await AssistantModel.findOwned(userId, id);
  if (!row) throw new ApiError('not_found', 'No assistant of yours has this id.');
  return row;
}

export const assistantRoutes = (deps: ApiDeps) => [
  handle(listAssistants, async ({ query, userId }) => {
    const { rows, next_cursor } = await AssistantModel.findOwnedPage(userId, query);
    return { data: rows.map(presentAssistant), next_cursor };
  }),

  handle(createAssistant, async ({ body, userId }) => {
    const id = newId();
    const row = await AssistantModel.insertRow({ id, user_id: userId, ...(await settingsToRow(deps, id, body)) });
    return presentAssistant(row);
  }),

  handle(getAssistant, async ({ params, userId }) => presentAssistant(await findOwned(userId, params.id))),

  handle(updateAssistant, async ({ params, body, userId }) => {
    const row = await findOwned(userId, params.id);
    const columns = await settingsToRow(deps, row.id, mergeSettings(deps, row, body));
    return presentAssistant(await row.$query().patchAndFetch({ ...columns, updated_at: new Date() }));
  }),

  handle(deleteAssistant, async ({ params, userId }) => {
    const isDeleted = await AssistantModel.deleteOwned(userId, params.id);
    if (!isDeleted) throw new ApiError('not_found', 'No assistant of yours has this id.');
  }),

  handle(duplicateAssistant, async ({ params, userId }) => {
    const row = await findOwned(userId, params.id);
    const id = newId();
    const settings = mergeSettings(deps, row, { name: copyName(row.name) });
    const copy = await AssistantModel.insertRow({ id, user_id: userId, ...(await settingsToRow(deps, id, settings)) });
    return presentAssistant(copy);
  }),
];

/** Cut where it would outgrow a name's bound. */
const copyName = (name: string) => `${[...name].slice(0, 193).join('')} (copy)`;
