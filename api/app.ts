/** Creates the HTTP application, which does not listen yet. */
import Koa from 'koa';
import { accountRoutes } from './account/routes.ts';
import { assistantRoutes } from './assistants/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { shareRoutes } from './shares/routes.ts';
import { batchRoutes } from './batches/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import type { ApiDeps } from './deps.ts';
import { docsRoutes } from './docs/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { clientAddress } from './guard/client-address.ts';
import { allowHosts, cors, readWorkspace, refuseOtherMethods, traceRequests } from './http/middleware.ts';
import { responseFrame } from './http/response-frame.ts';
import { createRouter } from './http/router.ts';
import { keyRoutes } from './keys/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { requestRoutes } from './requests/routes.ts';
import { reviewRoutes } from './reviews/routes.ts';
import { healthRoutes, type Health } from './service/health.ts';
import { serviceRoutes } from './service/routes.ts';
import { ssoRoutes } from './sso/routes.ts';

import { sessionRoutes } from './sessions/routes.ts';
import { invitationRoutes } from './workspaces/invitations.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

export function createApp(deps: ApiDeps, health: Health): Koa {
  const { trustedProxies, corsOrigins, allowedHosts, unreadMs } = deps.config.http;
  const app = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  const routes = [
    accountRoutes(deps),
    ssoRoutes(deps),
    auditRoutes(),
    keyRoutes(deps),
    assistantRoutes(deps),
    requestRoutes(deps),
    sessionRoutes(deps),
    reviewRoutes(deps),
    batchRoutes(deps),
    shareRoutes(deps),
    deliveryRoutes(deps),
    reportRoutes(),
    serviceRoutes(deps),
    workspaceRoutes(deps),
    invitationRoutes(deps),
    eventRoutes(deps),
  ].flat();
  const router = createRouter([...routes, ...mcpRoutes(deps, routes)], deps);
  app.use(clientAddress(deps.log, trustedProxies));
  app.use(traceRequests);
  app.use(readWorkspace);
  app.use(responseFrame(deps.log, unreadMs));
  app.use(cors(corsOrigins));
  app.use(healthRoutes(health));
  // Follows the health routes, because probes address a process by its IP address.
  app.use(allowHosts(allowedHosts));
  app.use(router.routes());
  app.use(docsRoutes());
  app.use(consoleRoutes());
  app.use(refuseOtherMethods(router));
  app.on('error', (err: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    // Clients may close a stream early. The line of the request follows.
    if (STOPPED.includes(err.code ?? '')) return;
    if (ctx?.req.socket.errored && !ctx.state['hasFailed'])
      deps.log.info({ code: err.code }, 'a client stopped its response');
    else deps.log.error({ err }, 'response failed');
  });
  return app;
}

const STOPPED = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'];
