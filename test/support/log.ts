import { Writable } from 'node:stream';
import { createLog } from '../../runtime/telemetry/log.ts';
import type { Log } from '../../runtime/telemetry/log.ts';

export const silentLog: Log = createLog('silent');

/** A log whose lines a test can read. */
export function recordedLog(): { log: Log; text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { log: createLog('debug', stream), text: () => text };
}
