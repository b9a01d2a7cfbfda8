import type { FieldErrorCode } from '../../../../contract/errors/field-errors.ts';
import type { Reason } from '../../../../contract/errors/reasons.ts';

/** By reason. A part in brackets needs its parameter. English: the sentence of the API. */
export const reasons: Partial<Record<Reason, string>> = {};

/** By code of an invalid input. English: without a text, the message of the API. */
export const fieldErrors: Partial<Record<FieldErrorCode, string>> = {
  wrong_password: 'The password is wrong.',
  wrong_code: 'The code is wrong or was used before. Enter the next one.',
  bad_link: 'This link has expired or was used before.',
};
