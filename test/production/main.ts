/**
 * `npm run test:production`: runs an installation in its production shape as processes, causes faults under load, and prints what
 * happened to the sessions. Exits with 1 if a session was lost, created twice, posted twice or refused. See docs/production.md.
 */
import { parseArgs } from 'node:util';
import { runBackwards, runMain, StartError, stopOnSignal, type Stop } from '../../runtime/process.ts';
import { silentLog } from '../support/log.ts';
import { describeThisRelease, findFormerRelease } from './former-release.ts';
import { startInstallation, type Releases } from './installation.ts';
import { isBroken } from './judge.ts';
import { createUsers } from './load.ts';
import { PHASES, type PhaseToRun } from './phases.ts';
import { describeRun, printTable, summarize, writeReport } from './report.ts';
import type { Phase } from './run-phase.ts';
import type { Release } from './service.ts';

const OPTIONS = {
  only: { type: 'string' },
  seconds: { type: 'string', default: '20' },
  rate: { type: 'string', default: '6' },
  former: { type: 'string' },
  write: { type: 'boolean', default: false },
} as const;

await runMain(async () => {
  const { values } = parseArgs({ options: OPTIONS });
  const [rate, seconds] = [readNumber('rate', values.rate), readNumber('seconds', values.seconds)];
  const phases = selectPhases(values.only);
  const isSelected = (name: string) => phases.some((phase) => phase.name === name);
  const current = await describeThisRelease();
  const changes = isSelected('upgrade') || isSelected('rollback');
  const releases = { current, former: changes ? await findFormerRelease(values.former, say) : current };
  const first = isSelected('upgrade') ? releases.former : current;

  const found: Phase[] = [];
  let summary = '';
  try {
    await runPhases({ phases, releases, first, rate, seconds }, found);
  } finally {
    summary = describeRun(current, { rate, seconds });
    say(`\n${summary}\n\n${printTable(found)}`);
  }
  if (values.write) writeReport(summary, found);
  if (found.some(isBroken)) throw new StartError('\nSessions were lost, created twice, posted twice or refused.');
  process.exit(0);
});

interface Run {
  phases: readonly PhaseToRun[];
  releases: Releases;
  /** The release to start with. */
  first: Release;
  rate: number;
  seconds: number;
}

/** Runs the phases on one installation and removes it afterwards. @param found receives the result of each phase. */
async function runPhases({ phases, releases, first, rate, seconds }: Run, found: Phase[]): Promise<void> {
  const stops: Stop[] = [];
  stopOnSignal(stops, silentLog);
  try {
    const installation = await startInstallation({ releases, release: first, say, stops });
    const users = await createUsers(installation.proxy.url, `${installation.receiver.url}/webhook`);
    for (const { name, run } of phases) {
      say(`${name} …`);
      const phase = await run(installation, { users, rate, seconds, say });
      found.push(phase);
      say(`  ${summarize(phase)}`);
    }
  } finally {
    await runBackwards(stops);
  }
}

function selectPhases(only: string | undefined): PhaseToRun[] {
  if (only === undefined) return PHASES;
  const names = only.split(',');
  const unknown = names.filter((name) => !PHASES.some((phase) => phase.name === name));
  if (unknown.length > 0) {
    throw new StartError(`Unknown phase: ${unknown.join(', ')}. Phases: ${PHASES.map(({ name }) => name).join(', ')}.`);
  }
  return PHASES.filter(({ name }) => names.includes(name));
}

function readNumber(name: string, value: string): number {
  const number = Number(value);
  if (number > 0 && number <= 3_600) return number;
  throw new StartError(`--${name} must be a number above 0, up to 3600.`);
}

function say(line: string): void {
  console.log(line);
}
