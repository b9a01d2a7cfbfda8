import { ApiKeyModel } from '../../db/models/api-key.ts';
import { UserModel } from '../../db/models/user.ts';
import { ApiError } from './api-error.ts';
import { hashApiToken, isApiToken } from './tokens.ts';
import type { LoginTokens } from './tokens.ts';

/** The user behind an `Authorization` header; throws `unauthorized`. Spec §5.1. */
export async function authenticate(header: string | undefined, loginTokens: LoginTokens): Promise<string> {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  const userId =
    token && (isApiToken(token) ? await findByApiToken(token) : await findByLoginToken(token, loginTokens));
  if (userId) return userId;
  throw new ApiError('unauthorized', 'Send a valid token as "Authorization: Bearer <API_TOKEN>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

async function findByApiToken(token: string): Promise<string | undefined> {
  return (await ApiKeyModel.authenticate(hashApiToken(token)))?.id;
}

async function findByLoginToken(token: string, loginTokens: LoginTokens): Promise<string | undefined> {
  const claims = loginTokens.verify(token);
  const user = claims && (await UserModel.query().findById(claims.user_id));
  return user?.credentials_version === claims?.credentials_version ? user?.id : undefined;
}
