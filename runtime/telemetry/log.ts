/** Structured logs with IDs, codes and times, never content. */
import { pino } from 'pino';

export type Log = pino.Logger;

export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: safeErrorProperties },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Returns an error's fields without its text: messages of the database, providers and parsers quote content. */
export function safeErrorProperties(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, constraint, syscall, status } = error as Error & Record<string, unknown>;
  return {
    name: error.name,
    ...(isSafeToShow(error) && { message: error.message }),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(status !== undefined && { status }),
    ...(syscall !== undefined && { syscall }),
    frames: framesOf(error),
    ...(error.cause instanceof Error && { cause: safeErrorProperties(error.cause) }),
  };
}

/** Returns the frames of an error's stack, without the message, whose lines may look like frames. */
function framesOf({ stack = '', message }: Error): string[] {
  const end = stack.indexOf(message) + message.length;
  return (stack.includes(message) ? stack.slice(end) : stack)
    .split('\n')
    .filter((line) => /^\s+at .*(:\d+:\d+|<anonymous>|native)\)?$/.test(line))
    .slice(0, 12)
    .map((line) => line.trim());
}

/** Returns whether the message was written by this project or the operating system. */
function isSafeToShow(error: Error): boolean {
  return 'syscall' in error || SAFE_NAMES.has(error.name);
}

const SAFE_NAMES = new Set([
  'ApiError',
  'ConfigError',
  'ProviderError',
  'StartError',
  'KnexTimeoutError',
  'ApplicationFailure',
]);
