import type { User } from '../../contract/account.ts';
import type { ActiveLogin } from '../../contract/logins.ts';
import type { LoginModel } from '../../db/models/login.ts';
import type { UserModel } from '../../db/models/user.ts';

export function presentUser({
  created_at,
  email_verified_at,
  has_second_factor,
  password_hash,
  ...row
}: UserModel): User {
  const { id, email, name, monthly_budget_usd, language, views, default_workspace_id } = row;
  return {
    ...{ id, email, email_verified: email_verified_at !== null },
    ...{ has_password: password_hash !== null, second_factor: has_second_factor },
    ...{ name, monthly_budget_usd, language, views, default_workspace_id },
    created_at: created_at.toISOString(),
  };
}

/** @param currentId of the login that makes the request. */
export function presentLogin(row: LoginModel, currentId: string | undefined): ActiveLogin {
  const { id, kind, address, user_agent } = row;
  return {
    login_id: id,
    kind,
    address,
    user_agent,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    current: id === currentId,
  };
}
