import { context, propagation, trace } from '@opentelemetry/api';
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
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';

export interface TemporalTracing {
  clientInterceptor: WorkflowClientInterceptor;
  activityInterceptor: ActivityInterceptorsFactory;
  sinks: NonNullable<WorkerOptions['sinks']>;
}

/** Sends of a span that failed only that it failed: the text of an error may quote what it chokes on. */
class QuietProcessor extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    span.events.length = 0;
    delete span.status.message;
    super.onEnd(span);
  }
}

/** Registers the SDK of this process. The headers, the sampler and the batches are set by OpenTelemetry's own variables. */
export function registerTracing(endpoint: string, serviceName: string): TemporalTracing & { stop(): Promise<void> } {
  const resource = new Resource({ ...Resource.default().attributes, 'service.name': serviceName });
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const processor = new QuietProcessor(exporter);
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  provider.register({
    contextManager: new AsyncLocalStorageContextManager(),
    propagator: new W3CTraceContextPropagator(),
  });
  return {
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
