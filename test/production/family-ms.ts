/** Processor time of a process with its children, as Linux tells it. */
import { readdirSync, readFileSync } from 'node:fs';

/** Of Linux, where `sysconf(_SC_CLK_TCK)` is 100 on every machine that Node runs on. */
const MS_PER_TICK = 10;

/** Returns the processor time of a process, its children, and those that have ended. */
export function familyMs(pid: number): number {
  const stat = ifThere(() => statOf(pid)) ?? [];
  const own = stat.slice(11, 15); // utime, stime, and both of children that have ended
  const ticks = own.reduce((sum, value) => sum + Number(value), 0);
  return ticks * MS_PER_TICK + childrenOf(pid).reduce((sum, child) => sum + familyMs(child), 0);
}

/** Returns undefined where a process or thread has ended meanwhile; its parent has its time then. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Fields of proc_pid_stat(5) from the third on: before it stands the command, which may hold spaces. */
function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

function childrenOf(pid: number): number[] {
  const tasks = ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return tasks.flatMap((task) => {
    const text = ifThere(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim()) ?? '';
    return text === '' ? [] : text.split(' ').map(Number);
  });
}
