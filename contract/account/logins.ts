/** Cookie logins of the console, and the list of all logins: docs/decisions.md, "Logins". */
import { z } from 'zod';
import { LoginInputSchema, RegisterInputSchema, UserSchema } from './account.ts';
import { loginFailed } from './audit.ts';
import { LOGIN_KINDS } from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { listOf, openEnum, pageQuery, responseObject, timestamp, typeId } from '../values/schemas.ts';

const endpoint = endpointsOf('Account');

export const ActiveLoginSchema = responseObject('ActiveLogin', {
  login_id: typeId('login'),
  kind: openEnum(LOGIN_KINDS).describe('`console`: cookie of the console. `token`: login token.'),
  created_at: timestamp(),
  last_used_at: timestamp().describe('Accurate to one minute.'),
  expires_at: timestamp().describe('The login also expires after 24 hours without use.'),
  address: z
    .string()
    .describe('IP address of the client that logged in.')
    .meta({ examples: ['192.0.2.7'] }),
  user_agent: z.string().nullable().describe('`User-Agent` of the client that logged in.'),
  current: z.boolean().describe('true: the login of this request.'),
});

/** The token is only in the cookie, which scripts can't read. */
export const ConsoleLoginSchema = responseObject('ConsoleLogin', { user: UserSchema });

const ConsoleSessionSchema = ConsoleLoginSchema.extend({ login: ActiveLoginSchema }).meta({ id: 'ConsoleSession' });

export const openConsoleSession = endpoint('openConsoleSession', 'post /v1/auth/console-session', {
  summary: 'Log in to the console',
  description: 'Sets a cookie instead of returning a token.',
  scope: null,
  body: LoginInputSchema,
  answers: { 200: ConsoleLoginSchema },
  setsCookie: true,
  errors: ['unauthorized', 'second_factor_required', 'password_login_off', 'insecure_origin', 'rate_limited'],
  audit: { action: 'login_succeeded', refused: loginFailed },
});

export const registerInConsole = endpoint('registerInConsole', 'post /v1/auth/console-registration', {
  summary: 'Register an account and log in to the console',
  scope: null,
  body: RegisterInputSchema,
  answers: { 201: ConsoleLoginSchema },
  setsCookie: true,
  errors: [
    'email_taken',
    'registration_closed',
    'insecure_origin',
    'rate_limited',
    'not_found',
    'conflict',
    'quota_exceeded',
  ] as const,
  audit: { action: 'registered' },
});

export const getConsoleSession = endpoint('getConsoleSession', 'get /v1/auth/console-session', {
  summary: 'Retrieve the console login',
  description: 'Returns 404 without the cookie of the console.',
  scope: 'account:read',
  answers: { 200: ConsoleSessionSchema },
  errors: ['not_found'],
});

export const closeConsoleSession = endpoint('closeConsoleSession', 'delete /v1/auth/console-session', {
  summary: 'Log out of the console',
  description: 'Returns 404 without the cookie of the console.',
  scope: 'account:write',
  answers: { 204: null },
  setsCookie: true,
  errors: ['not_found'],
  audit: { action: 'login_ended', object: ({ loginId }) => loginId },
});

export const logOut = endpoint('logOut', 'post /v1/auth/logout', {
  summary: 'Log out',
  description: 'Ends the login of the request. To revoke an API token, delete it by its ID.',
  scope: 'account:write',
  answers: { 204: null },
  setsCookie: true,
  errors: ['conflict'],
  audit: { action: 'login_ended', object: ({ loginId }) => loginId },
});

export const listLogins = endpoint('listLogins', 'get /v1/auth/logins', {
  summary: 'List logins',
  description: 'Returns the active logins of the user, newest first.',
  scope: 'account:read',
  query: z.strictObject(pageQuery('login')),
  answers: { 200: listOf(ActiveLoginSchema).meta({ id: 'LoginList' }) },
});

export const endLogin = endpoint('endLogin', 'delete /v1/auth/logins/{login_id}', {
  summary: 'End a login',
  description: 'Takes effect at once.',
  scope: 'account:write',
  params: z.object({ login_id: typeId('login') }),
  answers: { 204: null },
  audit: { action: 'login_ended' },
});
