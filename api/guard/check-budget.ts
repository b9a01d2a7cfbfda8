import { invalid } from '../errors.ts';

/** Throws `validation_failed` if the monthly budget is above `maxUsd`. null: no limit. */
export function checkBudget(budget: number | null, maxUsd: number | null): void {
  if (maxUsd === null || (budget !== null && budget <= maxUsd)) return;
  const message = `must be at most ${maxUsd}, the MAX_MONTHLY_BUDGET_USD of this server`;
  throw invalid({ path: 'monthly_budget_usd', message });
}
