import { invalidAt } from '../errors.ts';

/** Throws `validation_failed` if the monthly budget is above `maxUsd`. null: no limit. */
export function checkBudget(budget: number | null, maxUsd: number | null): void {
  if (maxUsd === null || (budget !== null && budget <= maxUsd)) return;
  throw invalidAt('monthly_budget_usd', 'server_maximum', { max: maxUsd, variable: 'MAX_MONTHLY_BUDGET_USD' });
}
