import {
  getAssistantVersion,
  listAssistantVersions,
  restoreAssistantVersion,
} from '../../contract/assistant-versions.ts';
import { AssistantVersionModel } from '../../db/models/assistant-version.ts';
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
    const rows = await AssistantVersionModel.findBefore(assistant, { before: cursor, limit: limit + 1 });
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return { data: rows.slice(0, limit).map(presentVersion), next_cursor: last ? String(last.version) : null };
  }),

  handle(getAssistantVersion, async ({ params: { id, version }, userId }) =>
    presentVersion(await findVersion(await findAssistant(userId, id), Number(version))),
  ),

  handle(restoreAssistantVersion, async ({ params: { id, version }, headers, userId }) => {
    const requireState = requireKnown(headers['if-match']);
    return presentAssistant(await restoreVersion(deps, { userId, id }, { version: Number(version), requireState }));
  }),
];
