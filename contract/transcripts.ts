/** What was said in a session, for readers and players. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { typeId } from './fields.ts';
import { TranscriptSchema, TurnSchema } from './sessions.ts';

export const TRANSCRIPT_FORMATS = ['json', 'txt', 'srt', 'vtt'] as const;

const SessionTranscriptSchema = TranscriptSchema.extend({
  session_id: typeId('sess'),
  turns: z.array(TurnSchema),
}).meta({ id: 'SessionTranscript' });

export type SessionTranscript = z.output<typeof SessionTranscriptSchema>;

export const getSessionTranscript = endpoint({
  operationId: 'getSessionTranscript',
  method: 'get',
  path: '/v1/sessions/{id}/transcript',
  summary:
    'What was said, as JSON, plain text, SubRip or WebVTT, all but JSON with `roles` in place of speakers; for text the conversation as it was submitted',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:read',
  params: z.object({ id: typeId('sess') }),
  query: z.strictObject({
    format: z
      .enum(TRANSCRIPT_FORMATS)
      .optional()
      .describe('Default `json`. `srt` and `vtt` need times, which only recordings have, and not with every model.'),
  }),
  answers: { 200: SessionTranscriptSchema },
  errors: ['conflict'],
  produces: ['text/plain', 'application/x-subrip', 'text/vtt'],
});
