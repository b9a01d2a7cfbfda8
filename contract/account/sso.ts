/** Single sign-on with OpenID Connect: docs/sign-in.md. */
import { z } from 'zod';
import { rule } from '../errors/rule.ts';
import { codeText, currentPassword } from './account.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { listOf, requestObject, responseObject, text, timestamp, typeId } from '../values/schemas.ts';
import { ConsoleLoginSchema } from './logins.ts';

const endpoint = endpointsOf('Account');

/** A page of the console. A second slash or a backslash would lead to another host. */
const next = () =>
  text({ max: 1_000 })
    .regex(/^\/(?![/\\])/, rule('format', { format: 'a path' }))
    .optional()
    .describe('Page of the console to open afterwards, such as `/sessions`.');

export const getLoginMethods = endpoint('getLoginMethods', 'get /v1/auth/methods', {
  summary: 'List the ways to log in',
  scope: null,
  answers: {
    200: responseObject('LoginMethods', {
      password: z
        .boolean()
        .describe('true: accounts can log in with a password, or at least accounts of administrators.'),
      registration: z.enum(['open', 'first', 'closed']),
      has_accounts: z.boolean().describe('false: nobody has registered yet.'),
      password_reset: z.boolean().describe('false: the installation sends no emails. Its operator resets passwords.'),
      sso: responseObject('SsoProvider', { name: z.string().meta({ examples: ['Keycloak'] }) })
        .nullable()
        .describe('null: no single sign-on.'),
    }),
  },
});

export const startSso = endpoint('startSso', 'get /v1/auth/oidc/start', {
  summary: 'Log in with single sign-on',
  description:
    'Open this URL in a browser. It redirects to the OpenID Connect provider and back to the console. It is also the ' +
    '`initiate_login_uri` for the provider. Other parameters are ignored.',
  scope: null,
  query: z.looseObject({ next: next(), iss: text({ max: 1_000 }).optional() }),
  answers: { 303: null },
  setsCookie: true,
  errors: ['not_found'],
});

export const startSsoAction = endpoint('startSsoAction', 'post /v1/auth/oidc/start', {
  summary: 'Connect a single sign-on, or confirm your identity with it',
  description: 'Open the returned URL in the browser that sent the request.',
  scope: 'account:write',
  body: requestObject('SsoActionInput', { intent: z.enum(['link', 'proof']), next: next() }),
  answers: {
    200: responseObject('SsoAction', { url: z.string().meta({ examples: ['https://id.example.com/auth'] }) }),
  },
  setsCookie: true,
  errors: ['not_found', 'not_a_person', 'proof_required'],
});

export const finishSso = endpoint('finishSso', 'get /v1/auth/oidc/callback', {
  summary: 'Return from single sign-on',
  description:
    'The redirect URI for the OpenID Connect provider. Continues in the console: at `next`, at `/login?error=…`, or at ' +
    '`/link#<email>` if the user must enter the password of the account with this address, or with `needs=code` a code.',
  scope: null,
  query: z.looseObject({ state: text({ max: 1_000 }).optional() }),
  answers: { 303: null },
  setsCookie: true,
  errors: ['not_found'],
});

export const linkSso = endpoint('linkSso', 'post /v1/auth/oidc/link', {
  summary: 'Complete a single sign-on with the password or a code',
  description:
    'Use this after a sign-in that found an account with an unverified address, which needs the `password`, or with a second ' +
    'factor that the provider did not check, which needs the `code`. Logs in to the console.',
  scope: null,
  body: requestObject('SsoLinkInput', { password: currentPassword().optional(), code: codeText().optional() }),
  answers: {
    200: ConsoleLoginSchema.extend({
      joined_workspace_id: typeId('ws')
        .nullable()
        .describe('A workspace that this sign-in joined, by an invitation, group or domain.'),
    }).meta({ id: 'SsoLinkLogin' }),
  },
  setsCookie: true,
  errors: ['not_found', 'unauthorized', 'second_factor_required', 'insecure_origin', 'conflict'],
});

export const endSso = endpoint('endSso', 'get /v1/auth/oidc/end', {
  summary: 'Log out of single sign-on',
  description:
    'Open this URL in a browser after logging out of the console. Otherwise, the next sign-in needs no password at ' +
    'the provider. Redirects to the provider and then to `/console/login`, or directly to that page if the provider has no ' +
    '`end_session_endpoint`.',
  scope: null,
  answers: { 303: null },
  setsCookie: true,
  errors: ['not_found'],
});

export const IdentitySchema = responseObject('Identity', {
  identity_id: typeId('idt'),
  issuer: z.string().meta({ examples: ['https://id.example.com/realms/acme'] }),
  email: z.string().nullable().describe('The address that the provider last reported.'),
  created_at: timestamp(),
  last_used_at: timestamp(),
});

export const listIdentities = endpoint('listIdentities', 'get /v1/auth/identities', {
  summary: 'List connected single sign-ons',
  scope: 'account:read',
  answers: { 200: listOf(IdentitySchema).meta({ id: 'IdentityList' }) },
});

export const deleteIdentity = endpoint('deleteIdentity', 'delete /v1/auth/identities/{identity_id}', {
  summary: 'Disconnect a single sign-on',
  description: 'Returns 409 if this is your only way to log in.',
  scope: 'account:write',
  params: z.object({ identity_id: typeId('idt') }),
  answers: { 204: null },
  errors: ['not_a_person', 'proof_required', 'conflict'],
  audit: { action: 'identity_unlinked' },
});
