/** Links by email: a new password, and proof of an email address. docs/decisions.md, "Recovery". */
import { email, newPassword, UserSchema } from './account.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { requestObject, text } from '../values/schemas.ts';

const endpoint = endpointsOf('Account');

const linkToken = () =>
  text({ min: 1, max: 100 })
    .describe('The part of the link after `#`.')
    .meta({ examples: ['Zk1q3v0mB9l2a7dYw4nS8xKcEoRtUiPfGhJzXbVnM5Q'] });

export const requestPasswordReset = endpoint('requestPasswordReset', 'post /v1/auth/password-reset', {
  summary: 'Request a link to reset the password',
  description:
    'Emails a link to the account with this address. The link is valid for one hour and opens `/console/reset`. The ' +
    'response is the same if no account has this address, or if it got three links within an hour.',
  scope: null,
  body: requestObject('PasswordResetInput', { email: email() }),
  answers: { 202: null },
  errors: ['mail_unavailable'],
});

export const confirmPasswordReset = endpoint('confirmPasswordReset', 'post /v1/auth/password-reset/confirm', {
  summary: 'Set a new password with a link',
  description: 'Ends all logins of the user. Log in with the new password afterwards.',
  scope: null,
  body: requestObject('PasswordResetConfirmation', { token: linkToken(), new_password: newPassword() }),
  answers: { 204: null },
});

export const requestEmailLink = endpoint('requestEmailLink', 'post /v1/auth/email', {
  summary: 'Verify or change the email address',
  description:
    'Emails a link to the address. Send the current address to verify it, or another one to change it. The link is valid ' +
    'for one hour and opens `/console/email`. The address changes when the link is used. A change requires that the ' +
    'current address is verified: otherwise 409. You can request 5 links an hour and 20 a day.',
  scope: 'account:write',
  body: requestObject('EmailInput', { email: email() }),
  answers: { 202: null },
  errors: ['not_a_person', 'proof_required', 'mail_unavailable', 'conflict'],
  audit: { action: 'email_change_asked' },
});

export const confirmEmail = endpoint('confirmEmail', 'post /v1/auth/email/confirm', {
  summary: 'Verify an email address with a link',
  description: 'Requires a login of the user who requested the link.',
  scope: 'account:write',
  body: requestObject('EmailConfirmation', { token: linkToken() }),
  answers: { 200: UserSchema },
  errors: ['email_taken'],
  audit: { action: 'email_confirmed' },
});
