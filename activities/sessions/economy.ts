/** Half the price for what nobody waits for. docs/decisions.md, "Economy". */
import type { Caller } from '../../contract/workflows.ts';
import type { BegunStep } from '../../db/queries/session-status.ts';

/** How long a session waits for capacity at half price. Counted from the stored first failure of the step. */
export const ECONOMY_MS = 3_600_000;

/** Returns whether a step asks for half the price now: false: not any more. undefined: it never does. */
export function isEconomical(
  { session: { assistant }, waitedMs }: Pick<BegunStep, 'session' | 'waitedMs'>,
  { is_awaited }: Caller,
): boolean | undefined {
  return assistant.economy && !is_awaited ? waitedMs < ECONOMY_MS : undefined;
}
