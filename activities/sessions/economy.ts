/** Half the price for what nobody waits for. docs/decisions.md, "Economy". */
import type { Caller } from '../../contract/workflows.ts';
import type { BegunStep } from '../../db/queries/session-status.ts';

/** How long a session waits for capacity at half price. Counted from the stored first failure of the step. */
const ECONOMY_MS = 3_600_000;

/** Returns how long an analysis asks for half the price, in milliseconds; 0: it never does. */
export const economyMs = ({ session: { assistant } }: Pick<BegunStep, 'session'>, { is_awaited }: Caller): number =>
  assistant.economy && !is_awaited ? ECONOMY_MS : 0;
