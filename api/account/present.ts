import { UserSchema } from '../../contract/account/account.ts';
import { ActiveLoginSchema } from '../../contract/account/logins.ts';
import type { LoginModel } from '../../db/models/login.ts';
import type { UserModel } from '../../db/models/user.ts';
import { presentRow } from '../http/handle.ts';

export const presentUser = (row: UserModel) =>
  presentRow(UserSchema, {
    ...row,
    email_verified: row.email_verified_at !== null,
    has_password: row.password_hash !== null,
    second_factor: row.has_second_factor,
  });

/** @param currentId of the login that makes the request. */
export const presentLogin = (row: LoginModel, currentId: string | undefined) =>
  presentRow(ActiveLoginSchema, { ...row, login_id: row.id, current: row.id === currentId });
