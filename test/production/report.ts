/** Prints the results as a table, to the terminal and to docs/production.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Findings } from './judge.ts';
import type { Phase } from './run-phase.ts';
import type { Release } from './service.ts';

const DOCUMENT = fileURLToPath(new URL('../../docs/production.md', import.meta.url));
const BEGIN = '<!-- Written by npm run test:production -- --write -->';

const COLUMNS: [string, (phase: Phase) => string | number][] = [
  ['', ({ title }) => title],
  ['accepted', ({ accepted }) => accepted],
  ['lost', ({ lost }) => lost],
  ['created twice', ({ createdTwice }) => createdTwice],
  ['paid twice', ({ paidTwice }) => paidTwice ?? '–'],
  ['posted twice', ({ postedTwice }) => postedTwice],
  ['posted again', ({ repeatedPosts }) => repeatedPosts],
  ['refused', ({ refused }) => refused],
  ['retried', ({ repeats }) => repeats],
  ['accepted after, p99 s', ({ acceptP99S }) => acceptP99S.toFixed(1)],
  ['slowest s', ({ slowestS }) => slowestS.toFixed(1)],
  ['recovered s', ({ recoveryS }) => recoveryS?.toFixed(1) ?? 'never'],
];

/** Lists the columns that are 0 in every phase in a sentence, and the others in a table. */
export function printTable(phases: readonly Phase[]): string {
  const isZero = ([, read]: (typeof COLUMNS)[number]) => phases.every((phase) => read(phase) === 0);
  const columns = COLUMNS.filter((column) => !isZero(column));
  const rows = [
    columns.map(([name]) => name),
    columns.map(() => '---'),
    ...phases.map((phase) => columns.map(([, read]) => read(phase))),
  ];
  const zero = COLUMNS.filter(isZero).map(([name]) => name);
  return `0 in every phase: ${zero.join(', ')}.\n\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}

/** Returns date, release, machine and load of the run in one line. */
export function describeRun({ buildId }: Release, { rate, seconds }: { rate: number; seconds: number }): string {
  const [load = 0] = loadavg();
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ');
  return `${date} UTC, ${buildId}, ${cpus().length} cores (load ${load.toFixed(1)} at the end), Node ${process.versions.node}; ${rate} conversations a second, faults of ${seconds} s.`;
}

/** Replaces the results of the last run in docs/production.md. */
export function writeReport(summary: string, phases: readonly Phase[]): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const kept = text.slice(0, text.indexOf(BEGIN) + BEGIN.length);
  writeFileSync(DOCUMENT, `${kept}\n\n${summary}\n\n${printTable(phases)}\n`);
}

/** Returns the results of a phase in one line. */
export function summarize({ accepted, completed, lost, postedTwice, refused }: Findings): string {
  return `${completed} of ${accepted} completed, ${lost} lost, ${postedTwice} posted twice, ${refused} refused`;
}
