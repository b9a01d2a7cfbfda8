/** Tells a process apart from a later one with the same id, so that files that name processes survive `kill -9`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Returns the id and the start time of a process; undefined if it does not run. */
export function identifyProcess(pid: number): string | undefined {
  const started = existsSync('/proc/self/stat') ? startFromProc(pid) : startFromPs(pid);
  return started === undefined ? undefined : `${pid} ${started}`;
}

/**
 * Returns when a process started, in clock ticks since the machine did: field 22 of its `stat`, counted after the
 * command's name, which may hold blanks. Returns undefined for a zombie, which has ended. `man 5 proc`.
 */
function startFromProc(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Returns the name of the program that the process runs; empty if it has ended. */
export function nameOfProcess(pid: number): string {
  if (identifyProcess(pid) === undefined) return '';
  try {
    const comm = `/proc/${pid}/comm`;
    return existsSync(comm)
      ? readFileSync(comm, 'utf8').trim()
      : execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Returns the id of the process that a file names, if that very process still runs. */
export function readLivePid(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const content = readFileSync(file, 'utf8').trim();
  const pid = Number.parseInt(content, 10);
  return pid > 0 && identifyProcess(pid) === content ? pid : undefined;
}
