/** Logins of the console by cookie, and the list of all logins: docs/decisions.md, "Logins". */
import { z } from 'zod';
import { LoginInputSchema, RegisterInputSchema, UserSchema } from './account.ts';
import { LOGIN_KINDS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { listOf, openEnum, pageQuery, timestamp, typeId } from './fields.ts';

const ActiveLoginSchema = z
  .object({
    login_id: typeId('login'),
    kind: openEnum(LOGIN_KINDS).describe("`console`: by the console's cookie. `token`: by a login token."),
    created_at: timestamp(),
    last_used_at: timestamp().describe('Exact to a minute.'),
    expires_at: timestamp().describe('It ends earlier when it is not used for 24 hours.'),
    address: z.string().describe('Of the client that logged in.'),
    user_agent: z.string().nullable().describe('As that client named itself.'),
    current: z.boolean().describe('true: this request came with it.'),
  })
  .meta({ id: 'ActiveLogin' });

export type ActiveLogin = z.output<typeof ActiveLoginSchema>;

/** The token stays in the cookie, which no script can read. */
const ConsoleLoginSchema = z.object({ user: UserSchema }).meta({ id: 'ConsoleLogin' });

const ConsoleSessionSchema = ConsoleLoginSchema.extend({ login: ActiveLoginSchema }).meta({ id: 'ConsoleSession' });

const path = '/v1/auth/console-session';

export const openConsoleSession = endpoint({
  operationId: 'openConsoleSession',
  method: 'post',
  path,
  summary: 'Log in to the console: the login is held by a cookie, and no token is answered',
  tag: 'Account',
  auth: 'none',
  body: LoginInputSchema,
  answers: { 200: ConsoleLoginSchema },
  setsCookie: true,
  errors: ['unauthorized', 'insecure_origin', 'rate_limited'],
});

export const registerInConsole = endpoint({
  operationId: 'registerInConsole',
  method: 'post',
  path: '/v1/auth/console-registration',
  summary: 'Register an account and log in to the console',
  tag: 'Account',
  auth: 'none',
  body: RegisterInputSchema,
  answers: { 201: ConsoleLoginSchema },
  setsCookie: true,
  errors: ['email_taken', 'registration_closed', 'insecure_origin', 'rate_limited'],
});

export const getConsoleSession = endpoint({
  operationId: 'getConsoleSession',
  method: 'get',
  path,
  summary: 'Who is logged in to the console; 404 without its cookie',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:read',
  answers: { 200: ConsoleSessionSchema },
  errors: ['not_found'],
});

export const closeConsoleSession = endpoint({
  operationId: 'closeConsoleSession',
  method: 'delete',
  path,
  summary: 'Log out of the console; 404 without its cookie',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:write',
  answers: { 204: null },
  setsCookie: true,
  errors: ['not_found'],
});

export const logOut = endpoint({
  operationId: 'logOut',
  method: 'post',
  path: '/v1/auth/logout',
  summary: 'End the login that the request comes with; an API token is revoked by its id instead',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:write',
  answers: { 204: null },
  setsCookie: true,
  errors: ['conflict'],
});

export const listLogins = endpoint({
  operationId: 'listLogins',
  method: 'get',
  path: '/v1/auth/logins',
  summary: 'Where the user is logged in, newest first',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:read',
  query: z.strictObject(pageQuery('login')),
  answers: { 200: listOf(ActiveLoginSchema).meta({ id: 'LoginList' }) },
});

export const endLogin = endpoint({
  operationId: 'endLogin',
  method: 'delete',
  path: '/v1/auth/logins/{login_id}',
  summary: 'End a login; it is dead at once',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:write',
  params: z.object({ login_id: typeId('login') }),
  answers: { 204: null },
});
