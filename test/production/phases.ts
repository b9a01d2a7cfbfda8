/** The phases in their order: upgrade to this release, faults, restore, and rollback to the former release. */
import { changeRelease } from './change-release.ts';
import { FAULTS, type Fault } from './faults.ts';
import type { Installation } from './installation.ts';
import { restoreUnderLoad } from './restore.ts';
import { runPhase, type Phase, type PhaseOptions } from './run-phase.ts';

export interface PhaseToRun {
  /** Name for `--only`. */
  name: string;
  run(installation: Installation, options: PhaseOptions): Promise<Phase>;
}

const underLoad = (fault: Fault): PhaseToRun => ({
  name: fault.name,
  run: (installation, options) => runPhase(installation, fault, options),
});

export const PHASES: PhaseToRun[] = [
  underLoad({
    name: 'upgrade',
    title: 'upgrade from the former release',
    run: (installation, lastsMs) => changeRelease(installation, installation.releases.current, lastsMs),
  }),
  ...FAULTS.map(underLoad),
  { name: 'restore', run: restoreUnderLoad },
  underLoad({
    name: 'rollback',
    title: 'rollback to the former release',
    run: (installation, lastsMs) => changeRelease(installation, installation.releases.former, lastsMs),
  }),
];
