/** Examples of accounts, logins and API tokens; one Ada goes through all of them. */
import type { Login, User } from '../account.ts';
import type { ActiveLogin } from '../logins.ts';
import type { ApiKey, CreatedApiKey } from '../keys.ts';

export const user: User = {
  id: 'user_01kaj4v5rzf1xtm8w3b2c9d0e7',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  monthly_budget_usd: null,
  created_at: '2026-11-21T09:00:00.000Z',
};

export const login: Login = {
  user,
  token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ2ZXIiOjF9.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_at: '2026-11-22T09:00:00.000Z',
};

export const activeLogin: ActiveLogin = {
  login_id: 'login_01kaj4v5rzf1xtm8w3b2c9d0e7',
  kind: 'console',
  created_at: '2026-11-21T09:00:00.000Z',
  last_used_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2026-12-21T09:00:00.000Z',
  address: '192.0.2.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0',
  current: true,
};

export const apiKey: ApiKey = {
  key_id: 'key_01kaj4v5rzf1xtm8w3b2c9d0e7',
  name: 'call-centre back end',
  prefix: 'cas_3f9k',
  created_at: '2026-11-21T09:00:00.000Z',
  scopes: ['requests:write', 'sessions:read'],
  last_used_at: '2026-11-21T09:30:00.000Z',
  last_used_address: '192.0.2.7',
  expires_at: null,
};

export const createdApiKey: CreatedApiKey = {
  ...apiKey,
  last_used_at: null,
  last_used_address: null,
  token: 'cas_3f9kexamp1exexamp1exexamp1exexamp0000000',
};
