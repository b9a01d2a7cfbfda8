/** The reasons of problems and of failed sessions. */
import { FAILURES, type FailureReason } from './failures.ts';
import { PROBLEMS, type ProblemReason } from './problems.ts';
import { codesOf } from './sentence.ts';

export type Reason = ProblemReason | FailureReason;
export const REASONS: [Reason, ...Reason[]] = [
  ...codesOf<keyof typeof PROBLEMS>(PROBLEMS),
  ...codesOf<keyof typeof FAILURES>(FAILURES),
];
