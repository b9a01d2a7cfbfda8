/** Identifies a process by ID and start time, so a pid file never matches a later process with the same ID. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Returns the ID and start time of a process, or undefined if it is not running. */
export function identifyProcess(pid: number): string | undefined {
  const started = existsSync('/proc/self/stat') ? startFromProc(pid) : startFromPs(pid);
  return started === undefined ? undefined : `${pid} ${started}`;
}

/**
 * Returns the start time of a process in clock ticks since boot: field 22 of its `stat`, counted after the command name, which may
 * contain spaces. Returns undefined for a zombie. `man 5 proc`.
 */
function startFromProc(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Returns the program name of a process, or an empty string if it has ended. */
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

/** Returns the process ID in a pid file, if that process is still running. */
export function readLivePid(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const content = readFileSync(file, 'utf8').trim();
  const pid = Number.parseInt(content, 10);
  return pid > 0 && identifyProcess(pid) === content ? pid : undefined;
}
