/** Why a session failed, or waits. */
import { z } from 'zod';
import { PROVIDER_FAULTS, SESSION_ERROR_CODES, STAGES } from '../values/constants.ts';
import { openEnum, responseObject, timestamp } from '../values/schemas.ts';
import { ReasonMembers } from './reason-members.ts';

export const SessionErrorSchema = responseObject('SessionError', {
  code: openEnum(SESSION_ERROR_CODES).describe(
    '`auth`: the provider refused the API key. `quota_exceeded`: the account at the provider has no credit left. ' +
      '`unknown_model`: the provider does not offer the model. `too_large`: the prompt or recording is too long. ' +
      '`refused`: the provider declined the content. `incomplete`: the response was incomplete. `audio_unreachable`: the ' +
      'recording could not be downloaded. `audio_rejected`: the downloaded file is not a supported recording, or its address is ' +
      'not allowed. `message` contains what to do.',
  ),
  stage: openEnum(STAGES),
  provider: z.string().nullable(),
  message: z.string().meta({ examples: ['OpenAI is not available (HTTP 503)'] }),
  ...ReasonMembers,
  retryable: z.boolean(),
});
export type SessionError = z.output<typeof SessionErrorSchema>;

/** Only in responses to those who may read the conversation, which the text may quote. */
export const providerMessage = () =>
  z.string().nullish().describe('What the provider said, at most 500 characters; null: nothing.');

export const SessionErrorDetailSchema = SessionErrorSchema.extend({ provider_message: providerMessage() }).meta({
  id: 'SessionErrorDetail',
});

/** Why a session waits. */
export const ProviderWaitSchema = responseObject('ProviderWait', {
  provider: z.string(),
  since: timestamp().describe('Time of the first failed call.'),
  reason: openEnum(PROVIDER_FAULTS).describe('Fault of the last call.'),
  next_try_at: timestamp(),
});
export type ProviderWait = z.output<typeof ProviderWaitSchema>;
