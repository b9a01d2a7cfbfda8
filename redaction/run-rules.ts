/** Runs the rules in the process of `rule-process.ts`. */
import type { RuleKind } from '../contract/values/redaction-kinds.ts';
import type { Turn } from '../contract/sessions/sessions.ts';
import { redact, type RuleOptions } from './redact.ts';
import type { Redaction } from './types.ts';

export interface RuleTask {
  turns: Pick<Turn, 'role' | 'text'>[];
  kinds: readonly RuleKind[];
  options?: RuleOptions | undefined;
}

export const run = ({ turns, kinds, options }: RuleTask): Redaction<RuleTask['turns'][number]> =>
  redact(turns, kinds, options);
