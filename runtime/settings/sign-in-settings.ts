/** The settings of emails and sign-in: docs/sign-in.md. */
import { z } from 'zod';
import { flag, integer, isIssuer, isPublicUrl, list, optional, secret, toAsciiOrigin } from './setting-rules.ts';

export const JOIN_RULE = /^([^=@\s]+)=(ws_\w+):(admin|developer|analyst|reviewer|auditor)$/;

/** Returns a sentence if nobody can log in with these settings. */
export const findLoginProblems = (settings: { PASSWORD_LOGIN: string; OIDC_ISSUER?: string | undefined }) =>
  settings.PASSWORD_LOGIN === 'off' && settings.OIDC_ISSUER === undefined
    ? ['OIDC_ISSUER is required with PASSWORD_LOGIN=off, otherwise nobody can log in']
    : [];

export const signIn = {
  PUBLIC_URL: z
    .string()
    .transform(toAsciiOrigin)
    .refine(isPublicUrl, 'must be an origin without a path, such as https://calls.example.com')
    .optional()
    .describe(
      'Public origin of the console, for links in emails and alerts, and for single sign-on. Required with `SMTP_URL` and `OIDC_ISSUER`.',
    ),
  SMTP_URL: secret(
    z
      .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' })
      .optional()
      .describe(
        'Mail server, such as `smtp://user:password@mail.example.com:587`. Except on loopback, `smtp://` requires STARTTLS. Unset: no emails.',
      ),
  ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n@]*@[^\r\n]*$/, 'must be an email address')
    .optional()
    .describe('Sender of emails, such as `Calls <calls@example.com>`. Required with `SMTP_URL`.'),
  PASSWORD_LOGIN: z
    .enum(['on', 'admins', 'off'])
    .default('on')
    .describe(
      '`off`: nobody can log in or register with a password. `admins`: the same, but accounts marked by `npm run user -- admin EMAIL on` can log in.',
    ),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be an https:// URL, or http:// on loopback')
    .optional()
    .describe('Issuer of the OpenID Connect provider: [sign-in.md](sign-in.md).'),
  OIDC_CLIENT_ID: optional().describe('Client ID at the provider. Required with `OIDC_ISSUER`.'),
  OIDC_CLIENT_SECRET: secret(optional().describe('Client secret. Unset: a public client.')),
  OIDC_TOKEN_AUTH: z
    .enum(['auto', 'basic', 'post'])
    .default('auto')
    .describe(
      'How the client secret is sent: `basic` (header) or `post` (body). `auto`: as the provider supports, `basic` first.',
    ),
  OIDC_NAME: z
    .string()
    .min(1)
    .default('single sign-on')
    .describe('Name of the provider, for the button in the console.'),
  OIDC_SCOPES: z
    .string()
    .regex(/^openid\b/, 'must begin with openid')
    .default('openid email profile')
    .describe('Scopes that are requested, separated by spaces.'),
  OIDC_TRUST_EMAIL: flag().describe(
    '`true`: addresses of the provider count as verified without `email_verified`. Set this only if users cannot choose their address there, as in a single Entra tenant.',
  ),
  OIDC_EMAIL_CLAIM: z
    .string()
    .min(1)
    .default('email')
    .describe(
      'Claim with the email address, such as `preferred_username` of Entra. Another claim than `email` also needs `OIDC_TRUST_EMAIL`.',
    ),
  OIDC_AUTO_CREATE: flag().describe('`true`: the first sign-in of a person creates an account.'),
  OIDC_ALLOWED_DOMAINS: list().describe(
    'Domains of the email addresses that can sign in, comma-separated. Empty: all domains.',
  ),
  OIDC_ALLOWED_GROUPS: list().describe(
    'Groups that can sign in, comma-separated. A person must be in one of them. Empty: everybody.',
  ),
  OIDC_GROUPS_CLAIM: z.string().min(1).default('groups').describe('Claim with the groups of the person.'),
  OIDC_GROUP_WORKSPACES: list().describe(
    'IDs of the workspaces whose owners can map groups to roles, comma-separated. People with a mapped group become members without being asked: list only your own workspaces.',
  ),
  JOIN: list()
    .pipe(z.array(z.string().regex(JOIN_RULE, 'must be entries such as example.com=ws_…:analyst')))
    .describe(
      'Workspaces that people with a verified address in a domain join at each single sign-on, as `domain=workspace_id:role`, comma-separated. Creates accounts if needed.',
    ),
  OIDC_LOGIN_HOURS: integer(12, { min: 1, max: 720 }).describe(
    'Hours until a login by single sign-on ends, also if the person was disabled at the provider.',
  ),
  OIDC_STRONG_ACR: list().describe(
    'Values of the claim `acr` that count as a second factor, comma-separated, in addition to `mfa` in `amr`.',
  ),
};
