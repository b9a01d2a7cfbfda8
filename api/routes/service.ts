import { getInfo, listProviders as listProvidersEndpoint } from '../../contract/service.ts';
import { findOwnQueue } from '../../db/queries/own-queue.ts';
import { listProviders } from '../lookups/list-providers.ts';
import type { ApiDeps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { presentInfo } from '../presenters/info.ts';
import packageJson from '../../package.json' with { type: 'json' };

export const serviceRoutes = (deps: ApiDeps) => [
  handle(listProvidersEndpoint, async () => ({ data: listProviders(deps), next_cursor: null })),

  handle(getInfo, async ({ userId }) => presentInfo(deps.config, packageJson.version, await findOwnQueue(userId))),
];
