/**
 * OpenTelemetry traces of requests, workflows, activities and calls to providers: docs/operations.md. Unless an endpoint is
 * set, no SDK is loaded, and spans do nothing.
 */
import { context, SpanStatusCode, trace, type Context, type Span, type SpanOptions } from '@opentelemetry/api';
import type { Config } from '../settings/config.ts';
import type { TemporalTracing } from './tracing-otlp.ts';

let temporal: TemporalTracing | undefined;

/** Returns Temporal's interceptors; undefined if tracing is off. */
export const temporalTracing = () => temporal;

/** Starts tracing, before anything else. Returns the function that sends the last spans and stops tracing. */
export async function startTracing({ endpoint }: Config['tracing']): Promise<() => Promise<void>> {
  if (endpoint === undefined) return () => Promise.resolve();
  const { registerTracing } = await import('./tracing-otlp.ts');
  const { stop, ...parts } = registerTracing(endpoint);
  temporal = parts;
  return async () => {
    temporal = undefined;
    await stop();
  };
}

/** Starts a span without nested spans. Returns the function that ends it, with its error if it failed. */
export function startSpan(name: string, options: SpanOptions): { end(error?: unknown): void } {
  const span = trace.getTracer('conversation-analysis').startSpan(name, options);
  return {
    end(error) {
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Runs `run` in a span. Attributes are IDs, names, codes and counts, never content. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  run: (span: Span) => Promise<T>,
  parent: Context = context.active(),
): Promise<T> {
  return trace.getTracer('conversation-analysis').startActiveSpan(name, options, parent, async (span) => {
    try {
      return await run(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
