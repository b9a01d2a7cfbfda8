import type { Middleware } from 'koa';
import { inSpan } from '../../runtime/telemetry/tracing.ts';

/** One span per request, in the trace of its caller if it names one. */
export const traceRequests: Middleware = (ctx, next) =>
  inSpan(
    {
      kind: 'server',
      name: ctx.method,
      attributes: { 'http.request.method': ctx.method },
      carrier: ctx.headers,
    },
    async (span) => {
      await next();
      const { operation, sessionId } = ctx.state as { operation?: string; sessionId?: string };
      if (operation !== undefined) span.rename(operation);
      span.set({
        'http.response.status_code': ctx.status,
        ...(sessionId !== undefined && { 'cas.session_id': sessionId }),
      });
    },
  );
