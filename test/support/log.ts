import { Writable } from 'node:stream';
import { createLog, type Log } from '../../runtime/telemetry/log.ts';

export const silentLog: Log = createLog('silent');

interface RecordedLog {
  log: Log;
  text(): string;
  /** Returns the entries that contain the text. */
  find(part: string): Record<string, unknown>[];
}

/** Returns a log that records its entries. */
export function recordedLog(): RecordedLog {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const find = (part: string) =>
    text
      .split('\n')
      .filter((line) => line.includes(part))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log: createLog('debug', stream), text: () => text, find };
}
