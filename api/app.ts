/** The HTTP application, not yet listening. */
import Koa from 'koa';
import { consoleRoutes } from './console/routes.ts';
import type { ApiDeps } from './deps.ts';
import { docsRoutes } from './docs/routes.ts';
import { healthRoutes } from './health.ts';
import type { Health } from './health.ts';
import { clientAddress } from './http/client-address.ts';
import { cors } from './http/cors.ts';
import { refuseOtherMethods } from './http/refuse-other-methods.ts';
import { responseFrame } from './http/response-frame.ts';
import { createRouter } from './http/router.ts';
import { traceRequests } from './http/trace-requests.ts';
import { accountRoutes } from './routes/account.ts';
import { auditRoutes } from './routes/audit.ts';
import { assistantVersionRoutes } from './routes/assistant-versions.ts';
import { assistantRoutes } from './routes/assistants.ts';
import { batchRoutes } from './routes/batches.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { eventRoutes } from './routes/events.ts';
import { keyRoutes } from './routes/keys.ts';
import { loginRoutes } from './routes/logins.ts';
import { redeliveryRoutes } from './routes/redeliveries.ts';
import { requestRoutes } from './routes/requests.ts';
import { resultsRoutes } from './routes/results.ts';
import { serviceRoutes } from './routes/service.ts';
import { sessionOperationRoutes } from './routes/session-operations.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { statsRoutes } from './routes/stats.ts';
import { usageRoutes } from './routes/usage.ts';

export function createApp(deps: ApiDeps, health: Health): Koa {
  const { trustedProxies, corsOrigins } = deps.config.http;
  const app = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  const router = createRouter(
    [
      accountRoutes(deps),
      loginRoutes(deps),
      auditRoutes(),
      keyRoutes(deps),
      assistantRoutes(deps),
      assistantVersionRoutes(deps),
      requestRoutes(deps),
      sessionRoutes(deps),
      sessionOperationRoutes(deps),
      batchRoutes(deps),
      deliveryRoutes(deps),
      redeliveryRoutes(deps),
      resultsRoutes(),
      usageRoutes(),
      statsRoutes(),
      serviceRoutes(deps),
      eventRoutes(deps),
    ].flat(),
    deps,
  );
  app.use(clientAddress(deps.log, trustedProxies));
  app.use(traceRequests);
  app.use(responseFrame(deps));
  app.use(cors(corsOrigins));
  app.use(healthRoutes(health));
  app.use(docsRoutes());
  app.use(consoleRoutes());
  app.use(refuseOtherMethods(router));
  app.use(router.routes());
  app.on('error', (err: NodeJS.ErrnoException) => {
    // A reader that goes away in the middle of a stream has what it wanted.
    if (err.code !== 'ERR_STREAM_PREMATURE_CLOSE') deps.log.error({ err }, 'response failed');
  });
  return app;
}
