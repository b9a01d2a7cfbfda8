/**
 * OpenTelemetry traces of a request, its workflow, the activities and the calls to vendors: docs/operations.md. Unless an
 * endpoint is set nothing of OpenTelemetry is loaded, and a span is a plain call.
 */
import type { Config } from '../config.ts';
import type { OpenSpan, SpanToRun, Tracing } from './spans.ts';

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
