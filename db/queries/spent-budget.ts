import { UserModel } from '../models/user.ts';
import type { BudgetLimits } from '../models/vendor-call.ts';

/** Returns whether a user's budget of this month, or the installation's, is used up: then no call to a vendor opens. */
export async function isBudgetSpent(userId: string, { maxUsd, installationUsd }: BudgetLimits): Promise<boolean> {
  const { rows } = await UserModel.knex().raw<{ rows: [{ is_spent: boolean | null }] }>(
    `select least(monthly_budget_usd, cast(:maxUsd as numeric)) <= coalesce((
         select spent_usd from monthly_spending where month = month_of(now()) and user_id = users.id), 0)
       or cast(:installationUsd as numeric) <= (
         select coalesce(sum(spent_usd), 0) from monthly_spending where month = month_of(now())) as is_spent
     from users where id = :userId`,
    { userId, maxUsd, installationUsd },
  );
  return rows[0]?.is_spent ?? false;
}
