import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry';
import type { OpenSpan, SpanToRun, Tracing } from './spans.ts';

const NAME = 'conversation-analysis';

/** Errors may quote what they choke on: of a span that failed only that is sent. */
class QuietProcessor extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    span.events.length = 0;
    delete span.status.message;
    super.onEnd(span);
  }
}

/** The headers, the sampler and the batches of OTLP are set by OpenTelemetry's own variables. */
export function createTracing(endpoint: string, serviceName: string): Tracing {
  const resource = new Resource({ ...Resource.default().attributes, 'service.name': serviceName });
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const processor = new QuietProcessor(exporter);
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  provider.register({
    contextManager: new AsyncLocalStorageContextManager(),
    propagator: new W3CTraceContextPropagator(),
  });
  const tracer = provider.getTracer(NAME);

  function inSpan<T>({ kind, name, attributes = {}, carrier }: SpanToRun, run: (open: OpenSpan) => Promise<T>) {
    const parent = carrier ? propagation.extract(context.active(), carrier) : context.active();
    const spanKind = kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT;
    return tracer.startActiveSpan(name, { kind: spanKind, attributes }, parent, async (span) => {
      try {
        return await run({
          rename: (better) => void span.updateName(better),
          set: (more) => void span.setAttributes(more),
        });
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  return {
    inSpan,
    clientInterceptor: new OpenTelemetryWorkflowClientInterceptor(),
    activityInterceptor: (activity) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(activity) }),
    sinks: { exporter: makeWorkflowExporter(processor, resource) },
    async stop() {
      await provider.shutdown().catch(() => undefined); // nobody listens there any more
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
