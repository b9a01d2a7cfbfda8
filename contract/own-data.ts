/** The end of an account, and everything of it before: docs/decisions.md, "Leaving". */
import { z } from 'zod';
import { currentPassword } from './account.ts';
import { endpoint } from './endpoint.ts';

export const exportCurrentUser = endpoint({
  operationId: 'exportCurrentUser',
  method: 'get',
  path: '/user/me/export',
  summary: 'Everything that is stored of the account, recordings included, as a ZIP archive; no secret is in it',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:read',
  answers: { 200: null },
  produces: ['application/zip'],
});

export const deleteCurrentUser = endpoint({
  operationId: 'deleteCurrentUser',
  method: 'delete',
  path: '/user/me',
  summary: 'Delete the account: it is gone for everybody at once, and all that is stored of it within minutes',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:write',
  body: z.strictObject({ current_password: currentPassword() }).meta({ id: 'DeleteAccountInput' }),
  answers: { 204: null },
  setsCookie: true,
  errors: ['conflict', 'rate_limited'],
});
