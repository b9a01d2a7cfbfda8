/** The table of a run, for the terminal and for docs/production.md. */
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
  ['completed', ({ completed }) => completed],
  ['lost', ({ lost }) => lost],
  ['made twice', ({ madeTwice }) => madeTwice],
  ['paid twice', ({ paidTwice }) => paidTwice ?? '–'],
  ['posted twice', ({ postedTwice }) => postedTwice],
  ['posted again after a lost attempt', ({ repeatedPosts }) => repeatedPosts],
  ['refused', ({ refused }) => refused],
  ['asked to try again', ({ repeats }) => repeats],
  ['accepting, p99 s', ({ acceptP99S }) => acceptP99S.toFixed(1)],
  ['slowest session s', ({ slowestS }) => slowestS.toFixed(1)],
  ['recovered after s', ({ recoveryS }) => recoveryS?.toFixed(1) ?? 'never'],
];

export function printTable(phases: readonly Phase[]): string {
  const rows = [
    COLUMNS.map(([name]) => name),
    COLUMNS.map(() => '---'),
    ...phases.map((phase) => COLUMNS.map(([, read]) => read(phase))),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Returns what the run was made on, in one sentence. */
export function describeRun({ buildId }: Release, { rate, seconds }: { rate: number; seconds: number }): string {
  const [load = 0] = loadavg();
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ');
  return `${date} UTC, ${buildId}, ${cpus().length} cores (load ${load.toFixed(1)} at the end), Node ${process.versions.node}; ${rate} conversations a second, faults of ${seconds} s.`;
}

/** Replaces what the last run wrote. */
export function writeReport(summary: string, phases: readonly Phase[]): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const kept = text.slice(0, text.indexOf(BEGIN) + BEGIN.length);
  writeFileSync(DOCUMENT, `${kept}\n\n${summary}\n\n${printTable(phases)}\n`);
}

/** Returns one line of what was found, for who watches the run. */
export function summarize({ accepted, completed, lost, postedTwice, refused }: Findings): string {
  return `${completed} of ${accepted} completed, ${lost} lost, ${postedTwice} posted twice, ${refused} refused`;
}
