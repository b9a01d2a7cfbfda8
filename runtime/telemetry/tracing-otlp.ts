import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry-v2';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';

export interface TemporalTracing {
  clientInterceptor: WorkflowClientInterceptor;
  activityInterceptor: ActivityInterceptorsFactory;
  sinks: NonNullable<WorkerOptions['sinks']>;
}

/** Removes the text of errors from spans, because it may quote content. */
class QuietProcessor extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    span.events.length = 0;
    delete span.status.message;
    super.onEnd(span);
  }
}

const SERVICE_NAME = 'conversation-analysis';

/** Registers the SDK. OpenTelemetry's own variables set the service name, headers, sampler and batches. */
export function registerTracing(endpoint: string): TemporalTracing & { stop(): Promise<void> } {
  const named = defaultResource().merge(resourceFromAttributes({ 'service.name': SERVICE_NAME }));
  const resource = named.merge(detectResources({ detectors: [envDetector] }));
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const processor = new QuietProcessor(exporter);
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    clientInterceptor: new OpenTelemetryWorkflowClientInterceptor(),
    activityInterceptor: (activity) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(activity) }),
    sinks: { exporter: makeWorkflowExporter(processor, resource) },
    async stop() {
      await provider.shutdown().catch(() => undefined); // the collector may be gone
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
