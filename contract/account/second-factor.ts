/** A second factor at login, and proof of identity for sensitive requests. docs/decisions.md, "Second factor". */
import { z } from 'zod';
import { codeText, currentPassword } from './account.ts';
import { proofFailed } from './audit.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { requestObject, responseObject } from '../values/schemas.ts';

const endpoint = endpointsOf('Account');

const PROVED = ['not_a_person', 'proof_required'] as const;

const RecoveryCodesSchema = responseObject('RecoveryCodes', {
  recovery_codes: z
    .array(z.string())
    .describe('Ten codes. Each can replace a code of the authenticator app once. Returned only once.')
    .meta({ examples: [['k3v0mb-9r2a7d-yw4n8x-kceort']] }),
});

export const proveIdentity = endpoint('proveIdentity', 'post /v1/auth/proof', {
  summary: 'Confirm your identity',
  description:
    'Sensitive requests need a login or a proof within the last ten minutes. Otherwise, they return 403 `proof_required`. Users ' +
    'with a second factor send `code`, others `current_password`.',
  scope: 'account:write',
  body: requestObject('Proof', { current_password: currentPassword().optional(), code: codeText().optional() }),
  answers: { 204: null },
  errors: [...PROVED],
  audit: { action: 'identity_proved', refused: proofFailed },
});

export const getSecondFactor = endpoint('getSecondFactor', 'get /v1/auth/second-factor', {
  summary: 'Retrieve the second factor',
  scope: 'account:read',
  answers: {
    200: responseObject('SecondFactor', {
      enabled: z.boolean(),
      recovery_codes: z.int().describe('Number of unused recovery codes.'),
    }),
  },
});

export const startSecondFactor = endpoint('startSecondFactor', 'post /v1/auth/second-factor', {
  summary: 'Set up a second factor',
  description: 'Returns a secret for an authenticator app. Logins need a code after you have confirmed the first code.',
  scope: 'account:write',
  answers: {
    201: responseObject('SecondFactorSecret', {
      secret: z
        .string()
        .describe('The secret in base32, to type into the app.')
        .meta({ examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
      uri: z
        .string()
        .describe('The URI to show as a QR code.')
        .meta({ examples: ['otpauth://totp/Calls:ada%40example.com?secret=JBSWY3DPEHPK3PXP'] }),
    }),
  },
  errors: [...PROVED, 'conflict'],
});

export const confirmSecondFactor = endpoint('confirmSecondFactor', 'post /v1/auth/second-factor/confirm', {
  summary: 'Turn on the second factor',
  scope: 'account:write',
  body: requestObject('SecondFactorConfirmation', { code: codeText() }),
  answers: { 200: RecoveryCodesSchema },
  errors: [...PROVED, 'conflict'],
  audit: { action: 'second_factor_on' },
});

export const deleteSecondFactor = endpoint('deleteSecondFactor', 'delete /v1/auth/second-factor', {
  summary: 'Turn off the second factor',
  scope: 'account:write',
  answers: { 204: null },
  errors: PROVED,
  audit: { action: 'second_factor_off' },
});

export const createRecoveryCodes = endpoint('createRecoveryCodes', 'post /v1/auth/second-factor/recovery-codes', {
  summary: 'Replace the recovery codes',
  description: 'The previous codes become invalid.',
  scope: 'account:write',
  answers: { 201: RecoveryCodesSchema },
  errors: [...PROVED, 'conflict'],
  audit: { action: 'recovery_codes_created' },
});
