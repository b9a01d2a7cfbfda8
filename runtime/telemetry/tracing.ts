/**
 * OpenTelemetry traces of a request, its workflow, the activities and the calls to vendors: docs/operations.md. Unless an
 * endpoint is set no SDK is loaded, and OpenTelemetry's API makes spans that do nothing.
 */
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span, SpanOptions } from '@opentelemetry/api';
import type { Config } from '../config.ts';
import type { TemporalTracing } from './tracing-otlp.ts';

let temporal: TemporalTracing | undefined;

/** Returns what makes Temporal's part of a trace; undefined where no traces are sent. */
export const temporalTracing = () => temporal;

/**
 * Starts tracing; to be called before anything else is started. Returns the function that sends the last spans and ends
 * it.
 */
export async function startTracing({ endpoint, serviceName }: Config['tracing']): Promise<() => Promise<void>> {
  if (endpoint === undefined) return () => Promise.resolve();
  const { registerTracing } = await import('./tracing-otlp.ts');
  const { stop, ...parts } = registerTracing(endpoint, serviceName);
  temporal = parts;
  return async () => {
    temporal = undefined;
    await stop();
  };
}

/** Runs `run` in a span. Its attributes are ids, names, codes and counts; never what was said, asked or answered. */
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
