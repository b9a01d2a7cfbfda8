/**
 * OpenTelemetry traces of a request, its workflow, the activities and the calls to vendors: docs/operations.md. Unless an
 * endpoint is set nothing of OpenTelemetry is loaded, and a span is a plain call.
 */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';
import type { Config } from './config.ts';

/** Ids, names, codes and counts; never what was said, asked or answered. */
export type SpanAttributes = Record<string, string | number | boolean>;

export interface OpenSpan {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
}

export interface SpanToRun {
  kind: 'server' | 'client';
  name: string;
  attributes?: SpanAttributes;
  /** Headers of the request that it serves; its trace goes on. */
  carrier?: object;
}

export interface Tracing {
  inSpan<T>(span: SpanToRun, run: (open: OpenSpan) => Promise<T>): Promise<T>;
  clientInterceptor: WorkflowClientInterceptor;
  activityInterceptor: ActivityInterceptorsFactory;
  sinks: NonNullable<WorkerOptions['sinks']>;
  stop(): Promise<void>;
}

let current: Tracing | undefined;

/** Of this process; OpenTelemetry knows no other. */
export const currentTracing = () => current;

/** Called first; gives what sends the last spans and ends it. */
export async function startTracing({ endpoint, serviceName }: Config['tracing']): Promise<() => Promise<void>> {
  if (endpoint === undefined) return () => Promise.resolve();
  const { createTracing } = await import('./tracing-otlp.ts');
  const tracing = (current = createTracing(endpoint, serviceName));
  return async () => {
    current = undefined;
    await tracing.stop();
  };
}

const NO_SPAN: OpenSpan = { rename: () => undefined, set: () => undefined };

export function inSpan<T>(span: SpanToRun, run: (open: OpenSpan) => Promise<T>): Promise<T> {
  return current ? current.inSpan(span, run) : run(NO_SPAN);
}
