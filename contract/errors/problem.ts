/** The schema of error responses: RFC 9457. */
import { z } from 'zod';
import { SIGN_IN_POLICIES } from '../values/constants.ts';
import { openEnum, responseObject } from '../values/schemas.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { FIELD_ERROR_CODES } from './field-errors.ts';
import { ReasonMembers } from './reason-members.ts';

const PropertyErrorSchema = responseObject('FieldError', {
  path: z.string().describe('Dotted path of the field; empty for the body as a whole.'),
  message: z.string(),
  code: openEnum(FIELD_ERROR_CODES).optional().describe('Code of the message, so that clients can word it themselves.'),
  params: z.record(z.string(), z.string()).optional().describe('The values in the message, by name.'),
});
export type PropertyError = z.output<typeof PropertyErrorSchema>;

export const ProblemSchema = responseObject(
  'Problem',
  {
    type: z.string().describe('URI that identifies the type of problem.'),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    ...ReasonMembers,
    request_id: z.string(),
    errors: z.array(PropertyErrorSchema).optional().describe('All invalid fields.'),
    session_id: z
      .string()
      .optional()
      .describe(
        'The session of the request, or of the first request with the idempotency key. Read it instead of submitting again.',
      ),
    provider: z.string().optional(),
    stage: z.string().optional(),
    retryable: z.boolean().optional().describe('Whether a retry of the session can succeed.'),
    sign_in: openEnum(SIGN_IN_POLICIES)
      .optional()
      .describe('Of `stronger_login_required`: the policy that the login does not satisfy.'),
  },
  'RFC 9457 problem details, sent as application/problem+json.',
);
export type Problem = z.output<typeof ProblemSchema>;

/** Returns the problem document of an error, without optional members. */
export function problemOf(code: ErrorCode, detail: string, request_id: string): Problem {
  const { status, title } = ERRORS[code];
  return { type: `urn:conversation-analysis:error:${code}`, title, status, detail, code, request_id };
}
