/** Prints the slowest tests and hooks of a run, before the counts. */
import { relative } from 'node:path';
import type { Runner } from 'mocha';

const SHOWN = 10;

/** A test or a hook, as Mocha's processes report it. */
interface Timed {
  duration?: number;
  file?: string;
  fullTitle(): string;
}

export function printSlowest(runner: Runner): void {
  const timed: Timed[] = [];
  const note = (each: Timed) => void timed.push(each);
  runner.on('test end', note).on('hook end', note);
  runner.prependOnceListener('end', () => {
    const slowest = timed.sort((a, b) => (b.duration ?? 0) - (a.duration ?? 0)).slice(0, SHOWN);
    console.log(`\n  The slowest ${slowest.length}:`);
    for (const each of slowest) {
      const seconds = ((each.duration ?? 0) / 1_000).toFixed(1).padStart(6);
      console.log(`  ${seconds} s  ${each.file === undefined ? '' : relative('.', each.file)}: ${each.fullTitle()}`);
    }
  });
}
