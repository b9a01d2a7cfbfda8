/** Transcripts for readers and players. */
import { z } from 'zod';
import { endpointsOf } from '../values/endpoint.ts';
import { typeId } from '../values/schemas.ts';
import { TranscriptSchema, TurnSchema } from './sessions.ts';

const endpoint = endpointsOf('Sessions');

export const TRANSCRIPT_FORMATS = ['json', 'txt', 'srt', 'vtt'] as const;

const SessionTranscriptSchema = TranscriptSchema.extend({
  session_id: typeId('sess'),
  turns: z.array(TurnSchema),
}).meta({ id: 'SessionTranscript' });
export type SessionTranscript = z.output<typeof SessionTranscriptSchema>;

export const getSessionTranscript = endpoint('getSessionTranscript', 'get /v1/sessions/{id}/transcript', {
  summary: 'Retrieve the transcript of a session',
  description:
    'Returns JSON, plain text, SubRip or WebVTT. All formats except JSON show known roles instead of speaker names. For a text ' +
    'session, this is the submitted conversation.',
  scope: 'sessions:read',
  readsOwn: true,
  params: z.object({ id: typeId('sess') }),
  query: z.strictObject({
    format: z
      .enum(TRANSCRIPT_FORMATS)
      .optional()
      .describe('Default: `json`. `srt` and `vtt` require times, which only some speech-to-text models return.'),
  }),
  answers: { 200: SessionTranscriptSchema },
  errors: ['conflict'],
  produces: ['text/plain', 'application/x-subrip', 'text/vtt'],
});
