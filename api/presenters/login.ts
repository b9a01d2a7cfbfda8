import type { ActiveLogin } from '../../contract/logins.ts';
import type { LoginModel } from '../../db/models/login.ts';

/**
 * Shows a login.
 * @param currentId of the login that the request comes with.
 */
export function presentLogin(row: LoginModel, currentId: string | undefined): ActiveLogin {
  const { id, kind, address, user_agent } = row;
  return {
    ...{ login_id: id, kind, address, user_agent },
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    current: id === currentId,
  };
}
