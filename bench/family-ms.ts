/** Processor time of a process and its children, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux: `sysconf(_SC_CLK_TCK)` is 100 on every machine that Node supports. */
const MS_PER_TICK = 10;

/** Returns the processor time of a process, its children, and those that have ended, in milliseconds. */
export function familyMs(pid: number): number {
  const stat = readUnlessEnded(() => statOf(pid)) ?? [];
  const own = stat.slice(11, 15); // utime, stime, and both of children that have ended
  const ticks = own.reduce((sum, value) => sum + Number(value), 0);
  return ticks * MS_PER_TICK + childrenOf(pid).reduce((sum, child) => sum + familyMs(child), 0);
}

/** Returns undefined if the process or thread has ended. The time is then included in that of its parent. */
function readUnlessEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns the fields of proc_pid_stat(5) from the third on. The command, the second field, may contain spaces. */
function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

function childrenOf(pid: number): number[] {
  const tasks = readUnlessEnded(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return tasks.flatMap((task) => {
    const text = readUnlessEnded(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim()) ?? '';
    return text === '' ? [] : text.split(' ').map(Number);
  });
}
