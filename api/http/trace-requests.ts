import { context, propagation, SpanKind } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import { inSpan } from '../../runtime/telemetry/tracing.ts';

/** Makes one span per request, in the trace of its caller if it names one. */
export const traceRequests: Middleware = (ctx, next) =>
  inSpan(
    ctx.method,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': ctx.method } },
    async (span) => {
      await next();
      const { operation, sessionId } = ctx.state as { operation?: string; sessionId?: string };
      if (operation !== undefined) span.updateName(operation);
      span.setAttribute('http.response.status_code', ctx.status);
      if (sessionId !== undefined) span.setAttribute('cas.session_id', sessionId);
    },
    propagation.extract(context.active(), ctx.headers),
  );
