/** What the rest of the service asks of tracing, whether spans are sent or not. */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';

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
