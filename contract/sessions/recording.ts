/** The recording of a session. */
import { z } from 'zod';
import { endpointsOf } from '../values/endpoint.ts';
import { typeId } from '../values/schemas.ts';

const endpoint = endpointsOf('Sessions');

/** The types that `POST /v1/requests/voice` accepts. */
const AUDIO_MEDIA_TYPES = [
  'audio/wav',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/flac',
  'audio/ogg',
  'audio/webm',
  'video/mp4',
  'video/webm',
] as const;

// A player requests a recording in many ranges. Only the first range is audited, once per login.
export const getSessionAudio = endpoint('getSessionAudio', 'get /v1/sessions/{id}/audio', {
  summary: 'Retrieve the recording of a session',
  description: 'Supports ranges. Returns 404 once the recording is removed.',
  scope: 'sessions:read',
  readsOwn: true,
  params: z.object({ id: typeId('sess') }),
  headers: z.object({
    range: z
      .string()
      .optional()
      .describe('One range of bytes (RFC 9110). If you request several ranges, returns the whole recording.')
      .meta({ examples: ['bytes=0-65535'] }),
    'if-range': z.string().optional().describe('`ETag` of the recording that the range belongs to.'),
    'if-none-match': z.string().optional().describe('`ETag` of the cached recording. Returns 304 if it is current.'),
  }),
  answers: { 200: null, 206: null, 304: null },
  produces: AUDIO_MEDIA_TYPES,
  errors: ['range_not_satisfiable'],
  audit: {
    action: 'recording_fetched',
    when: ({ headers }) => /^bytes=0-/.test(headers.range ?? 'bytes=0-'),
    isOncePerLogin: true,
  },
});
