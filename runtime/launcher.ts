/** Notices that npm, which started this process, is gone. */
import { readFileSync } from 'node:fs';

const POLL_MS = 500;

/**
 * Calls `onGone` once when npm or the shell between npm and this process has ended. A `kill` of npm, as scripts do it
 * (`npm start & … kill $!`), ends those two and sends this process no signal. The timer keeps no process alive.
 */
export function watchLauncher(onGone: () => void): void {
  const launchers = findLaunchers();
  const timer = setInterval(() => {
    if (String(findLaunchers()) === String(launchers)) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS).unref();
}

/** Ends what npm has left between itself and this process: `node --watch` would wait for a change of a file for ever. */
export function endLauncher(parent: number): void {
  if (process.ppid === parent && parent > 1) process.kill(parent);
}

/** Returns the ids of this process's parent and, where the system tells it, of the parent's parent. */
function findLaunchers(): number[] {
  const parent = process.ppid;
  try {
    const fields = readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return [parent, Number(fields[1])];
  } catch {
    return [parent];
  }
}
