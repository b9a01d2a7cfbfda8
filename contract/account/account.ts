/** Accounts: specification §2.1 and §4.1. */
import { LIMITS } from '../values/limits.ts';
import { z } from 'zod';
import { toAsciiDomain } from '../values/domain.ts';
import { rule } from '../errors/rule.ts';
import { CONSOLE_LANGUAGES } from '../values/constants.ts';
import { loginFailed, passwordRefused } from './audit.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { ifMatch, openEnum, requestObject, responseObject, text, timestamp, typeId, usd } from '../values/schemas.ts';

const endpoint = endpointsOf('Account');

/** As Zod's own pattern, with national top-level domains such as `xn--p1ai`. */
const EMAIL =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/;

/** An address, whose domain may be national: it is stored as DNS has it. */
export const email = () =>
  z
    .string()
    .max(254)
    .meta({ format: 'email', pattern: EMAIL.source, examples: ['ada@example.com'] })
    .describe('Case-insensitive.')
    .transform((address) =>
      address
        .split('@')
        .map((part, index) => (index === 0 ? part : toAsciiDomain(part)))
        .join('@'),
    )
    .pipe(z.string().regex(EMAIL, rule('email')).max(254).refine(hasAllowedLengths, rule('email')));

/** RFC 5321 and RFC 1035: at most 64 characters before the @ and 63 in a label, and no label ends with a hyphen. */
function hasAllowedLengths(value: string): boolean {
  const [local = '', domain = ''] = value.split('@');
  return local.length <= 64 && domain.split('.').every((label) => label.length <= 63 && !label.endsWith('-'));
}

/** A password to set. Its limits: docs/decisions.md, "Passwords". */
export const newPassword = () =>
  text(LIMITS.password).meta({ format: 'password', examples: ['correct horse battery'] });

/** A password to check. It has no minimum length, so that a refusal never depends on the form of the password. */
export const currentPassword = () =>
  text({ max: LIMITS.password.max }).meta({ format: 'password', examples: ['correct horse battery'] });

/** A code of an authenticator app, or a recovery code. */
export const codeText = () =>
  text(LIMITS.code)
    .describe('Code of the authenticator app, or a recovery code.')
    .meta({ examples: ['492039'] });

/** The current password, which an account without a password omits. */
export const passwordOrProof = () =>
  currentPassword()
    .optional()
    .describe('Required. If the account has no password, the login needs a recent proof of identity instead.');

const name = () => text({ min: 1, max: LIMITS.name }).meta({ examples: ['Ada Lovelace'] });

export const BUDGET =
  'Limit of the workspace in US dollars for provider calls in a calendar month (UTC). A call reserves an estimate while it runs, so ' +
  'parallel calls exceed the limit by at most one call. Once the limit is reached, no call starts. null: only the limit ' +
  'of the installation applies.';

export const budgetInput = () =>
  usd()
    .max(1e9)
    .nullish()
    .describe(BUDGET)
    .meta({ examples: [50] });

const LANGUAGE = 'Language of the console. null: the first language of the browser that the console has.';

const VIEWS = 'Views that were saved in the console: a path with filters, by name. The console saves no new ones.';

export const MAX_VIEWS = 50;

const viewPath = () =>
  text({ max: 4_000 })
    .regex(/^\/(sessions|deliveries)(\?|$)/, rule('format', { format: 'the path of a list' }))
    .meta({ examples: ['/sessions?status=failed&range=24h'] });

export const UserSchema = responseObject('User', {
  id: typeId('user'),
  email: z.string().meta({ examples: ['ada@example.com'] }),
  email_verified: z.boolean().describe('The user has proved that the address is theirs.'),
  has_password: z.boolean().describe('false: the user logs in with single sign-on only.'),
  second_factor: z.boolean().describe('Logins with a password need a code.'),
  name: z.string().meta({ examples: ['Ada Lovelace'] }),
  monthly_budget_usd: usd().nullable().describe(BUDGET),
  language: openEnum(CONSOLE_LANGUAGES).nullable().describe(LANGUAGE),
  views: z.record(z.string(), z.string()).describe(VIEWS).meta({ deprecated: true }),
  default_workspace_id: typeId('ws').describe('The workspace of requests without a workspace in their path.'),
  created_at: timestamp(),
});

const LoginSchema = responseObject('Login', {
  user: UserSchema,
  token: z
    .string()
    .describe('Login token (JWT). Valid for 24 hours, until you log out or change the password.')
    .meta({ examples: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ2ZXIiOjF9.c2lnbmF0dXJl'] }),
  token_type: z.literal('Bearer'),
  expires_at: timestamp(),
});

export const RegisterInputSchema = requestObject('RegisterInput', {
  email: email(),
  password: newPassword(),
  name: name(),
  invitation: text({ min: 1, max: 100 })
    .optional()
    .describe(
      'Token of an invitation to this email address. You join the workspace of the invitation instead of getting a new one, ' +
        'even if registration is closed.',
    ),
});

export const LoginInputSchema = requestObject('LoginInput', {
  email: email(),
  password: currentPassword(),
  code: codeText().optional(),
});

export const register = endpoint('register', 'post /v1/auth/register', {
  summary: 'Register an account',
  scope: null,
  body: RegisterInputSchema,
  answers: { 201: LoginSchema },
  errors: ['email_taken', 'registration_closed', 'not_found', 'conflict', 'quota_exceeded', 'rate_limited'],
  audit: { action: 'registered' },
});

export const login = endpoint('login', 'post /v1/auth/login', {
  summary: 'Log in with email and password',
  description:
    'Users with a second factor also send `code`. Without `code`, a correct password returns `second_factor_required`.',
  scope: null,
  body: LoginInputSchema,
  answers: { 200: LoginSchema },
  errors: ['unauthorized', 'second_factor_required', 'password_login_off', 'rate_limited'],
  audit: { action: 'login_succeeded', refused: loginFailed },
});

export const getCurrentUser = endpoint('getCurrentUser', 'get /user/me', {
  summary: 'Retrieve the current user',
  scope: 'account:read',
  etag: true,
  answers: { 200: UserSchema },
});

export const updateCurrentUser = endpoint('updateCurrentUser', 'patch /user/me', {
  summary: 'Update the current user',
  scope: 'account:write',
  headers: z.object({ 'if-match': ifMatch() }),
  body: requestObject('UserPatch', {
    name: name().optional(),
    monthly_budget_usd: budgetInput(),
    language: z.enum(CONSOLE_LANGUAGES).nullish().describe(LANGUAGE),
    views: z
      .record(text({ min: 1, max: LIMITS.viewName }), viewPath().nullable())
      .optional()
      .describe(`${VIEWS} Other views are kept; null deletes a view. At most ${MAX_VIEWS}.`)
      .meta({ deprecated: true }),
  }),
  etag: true,
  answers: { 200: UserSchema },
  errors: ['precondition_failed'],
  audit: {
    action: 'budget_changed',
    when: ({ body }) => body.monthly_budget_usd !== undefined,
    details: ({ body }) => ({ monthly_budget_usd: body.monthly_budget_usd ?? null }),
  },
});

export const changePassword = endpoint('changePassword', 'post /v1/auth/change-password', {
  summary: 'Change the password',
  description:
    'Ends every other login of the user. If you send a login token, the response contains a new one. In the console, the cookie stays valid.',
  scope: 'account:write',
  body: requestObject('ChangePasswordInput', {
    current_password: passwordOrProof(),
    new_password: newPassword(),
    revoke_tokens: z
      .boolean()
      .optional()
      .describe('true: also revokes every API token that the user created, and the tokens created with these.'),
  }),
  answers: { 200: LoginSchema, 204: null },
  errors: ['not_a_person', 'proof_required', 'conflict', 'rate_limited'],
  audit: { action: 'password_changed', refused: passwordRefused('password_change_failed') },
});

export const exportCurrentUser = endpoint('exportCurrentUser', 'get /user/me/export', {
  summary: 'Export all data of the account',
  description:
    'Returns a ZIP archive with everything stored for the account and, if you are its owner, in the workspace, including ' +
    'recordings. It contains no secrets.',
  scope: 'account:read',
  answers: { 200: null },
  produces: ['application/zip'],
  audit: { action: 'account_exported' },
});

export const deleteCurrentUser = endpoint('deleteCurrentUser', 'delete /user/me', {
  summary: 'Delete the account',
  description: 'You lose access at once. The data of the account is erased within minutes.',
  scope: 'account:write',
  body: requestObject('DeleteAccountInput', { current_password: passwordOrProof() }),
  answers: { 204: null },
  setsCookie: true,
  errors: ['not_a_person', 'proof_required', 'conflict', 'last_owner', 'rate_limited'],
  audit: { action: 'account_deleted', refused: passwordRefused('account_deletion_failed') },
});
export type User = z.output<typeof UserSchema>;
export type Login = z.output<typeof LoginSchema>;
