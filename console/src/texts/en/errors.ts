import type { ErrorCode } from '../../../../contract/errors/errors.ts';
import type { FieldErrorCode } from '../../../../contract/errors/field-errors.ts';
import type { Reason } from '../../../../contract/errors/reasons.ts';

/** By problem code. Without a `detail`, the detail from the API is shown, because it contains specific values. */
export const problems: Partial<Record<ErrorCode, { title: string; detail?: string }>> = {
  budget_exceeded: { title: 'Monthly budget reached', detail: 'Raise the budget under Usage, then try again.' },
  insufficient_scope: {
    title: 'Not allowed',
    detail: 'Your role in this workspace does not allow this action. Ask an owner of the workspace.',
  },
  password_login_off: { title: 'Passwords are turned off' },
  proof_required: {
    title: 'Your identity is not confirmed',
    detail: 'Try again, and confirm your identity when you are asked.',
  },
  email_taken: {
    title: 'This email address is already registered',
    detail: 'Log in with it, or use another address.',
  },
  conflict: { title: 'Not possible in the current state' },
  quota_exceeded: { title: 'Limit reached' },
  precondition_failed: {
    title: 'Changed by someone else',
    detail: 'Load the page again, then repeat your change.',
  },
  payload_too_large: { title: 'Too large' },
  unsupported_media_type: { title: 'Unsupported file format' },
  rate_limited: { title: 'Too many requests' },
  internal_error: {
    title: 'Internal error',
    detail: 'Try again. If the problem persists, send the request ID to your administrator.',
  },
};

/** By reason. A part in brackets needs its parameter. English: the sentence of the API. */
export const reasons: Partial<Record<Reason, string>> = {};

/** By code of an invalid input. English: without a text, the message of the API. */
export const fieldErrors: Partial<Record<FieldErrorCode, string>> = {
  wrong_password: 'The password is wrong.',
  wrong_code: 'The code is wrong or was used before. Enter the next one.',
  bad_link: 'This link has expired or was used before.',
};
