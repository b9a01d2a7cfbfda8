import type { User } from '../../contract/account.ts';
import type { UserModel } from '../../db/models/user.ts';

export function presentUser({ id, email, name, monthly_budget_usd, created_at }: UserModel): User {
  return { id, email, name, monthly_budget_usd, created_at: created_at.toISOString() };
}
