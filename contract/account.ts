/** Accounts: spec §2.1 and §4.1. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { ifMatch, text, timestamp, typeId, usd } from './fields.ts';

const email = () =>
  z
    .email('must be an e-mail address')
    .max(254)
    .refine(hasSaneLengths, 'must be an e-mail address')
    .describe('Compared without regard to case.')
    .meta({ examples: ['ada@example.com'] });

/**
 * Returns whether the lengths are allowed: no part before the @ and no label of the domain is longer, and no label ends
 * in a hyphen. RFC 5321 and 1035.
 */
function hasSaneLengths(value: string): boolean {
  const [local = '', domain = ''] = value.split('@');
  return local.length <= 64 && domain.split('.').every((label) => label.length <= 63 && !label.endsWith('-'));
}

/** Declares a password to set. Its bounds: docs/decisions.md, "Passwords". */
const newPassword = () => text({ min: 8, max: 256 }).meta({ format: 'password', examples: ['correct horse battery'] });

/** Declares a password to compare, of any length that a new one may have: a refusal must not depend on its form. */
export const currentPassword = () =>
  text({ max: 256 }).meta({ format: 'password', examples: ['correct horse battery'] });

const name = () => text({ min: 1, max: 200 }).meta({ examples: ['Ada Lovelace'] });

const BUDGET =
  'US dollars that calls to vendors may cost in a calendar month, UTC. A call reserves an estimate while it runs, so that ' +
  'calls made at once overspend by one call at most; once the budget is spent none begins. null: no bound but that of ' +
  'the installation.';

export const UserSchema = z
  .object({
    id: typeId('user'),
    email: z.string(),
    name: z.string(),
    monthly_budget_usd: usd().nullable().describe(BUDGET),
    created_at: timestamp(),
  })
  .meta({ id: 'User' });

export const LoginSchema = z
  .object({
    user: UserSchema,
    token: z.string().describe('Login token, a JWT; valid for 24 hours, until it is ended or the password changes.'),
    token_type: z.literal('Bearer'),
    expires_at: timestamp(),
  })
  .meta({ id: 'Login' });

export const RegisterInputSchema = z
  .strictObject({ email: email(), password: newPassword(), name: name() })
  .meta({ id: 'RegisterInput' });

export const LoginInputSchema = z
  .strictObject({ email: email(), password: currentPassword() })
  .meta({ id: 'LoginInput' });

export const register = endpoint({
  operationId: 'register',
  method: 'post',
  path: '/v1/auth/register',
  summary: 'Register an account',
  tag: 'Account',
  auth: 'none',
  body: RegisterInputSchema,
  answers: { 201: LoginSchema },
  errors: ['email_taken', 'registration_closed', 'rate_limited'],
});

export const login = endpoint({
  operationId: 'login',
  method: 'post',
  path: '/v1/auth/login',
  summary: 'Log in with e-mail and password',
  tag: 'Account',
  auth: 'none',
  body: LoginInputSchema,
  answers: { 200: LoginSchema },
  errors: ['unauthorized', 'rate_limited'],
});

export const getCurrentUser = endpoint({
  operationId: 'getCurrentUser',
  method: 'get',
  path: '/user/me',
  summary: 'The current user',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:read',
  etag: true,
  answers: { 200: UserSchema },
});

export const updateCurrentUser = endpoint({
  operationId: 'updateCurrentUser',
  method: 'patch',
  path: '/user/me',
  summary: 'Change the profile',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:write',
  headers: z.object({ 'if-match': ifMatch() }),
  body: z
    .strictObject({
      name: name().optional(),
      monthly_budget_usd: usd()
        .max(1e9)
        .nullish()
        .describe(BUDGET)
        .meta({ examples: [50] }),
    })
    .meta({ id: 'UserPatch' }),
  etag: true,
  answers: { 200: UserSchema },
  errors: ['precondition_failed'],
});

export const changePassword = endpoint({
  operationId: 'changePassword',
  method: 'post',
  path: '/v1/auth/change-password',
  summary: 'Change the password; every other login ends, and this one goes on as the answered token or as its cookie',
  tag: 'Account',
  auth: 'bearer',
  scope: 'account:write',
  body: z
    .strictObject({ current_password: currentPassword(), new_password: newPassword() })
    .meta({ id: 'ChangePasswordInput' }),
  answers: { 200: LoginSchema, 204: null },
  errors: ['conflict', 'rate_limited'],
});

export type User = z.output<typeof UserSchema>;
export type Login = z.output<typeof LoginSchema>;
