/** Recordings that the service fetches from a URL: docs/recordings.md. */
import { z } from 'zod';
import { rule } from '../errors/rule.ts';
import { HTTP_FAILURES } from '../values/constants.ts';
import { openEnum, responseObject, timestamp } from '../values/schemas.ts';
import { httpUrl } from '../values/http-url.ts';

/** Why a recording could not be fetched from its URL. */
const FETCH_FAILURES = [...HTTP_FAILURES, 'cut_off', 'too_large', 'not_audio', 'no_room'] as const;
export type FetchFailure = (typeof FETCH_FAILURES)[number];

const MAX_HEADERS = 5;

/** Headers that the service sets itself, or that would change the response or its route. */
const REFUSED_HEADER =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|range|accept-encoding|(?:content|if|proxy|x-forwarded)-.*)$/i;

export const audioUrl = () =>
  httpUrl(4_096)
    .describe(
      'URL of the recording. The service downloads it, retries failed downloads for an hour, and stores the URL encrypted until ' +
        'the recording has arrived. It is never returned. Sign links for 24 hours at least: downloads of one host wait for each other. ' +
        '`Idempotency-Key` compares the URL without its signature.',
    )
    .meta({ format: 'uri', examples: ['https://calls.example.com/recordings/c-1042.mp3'] });

export const audioHeaders = () =>
  z
    .record(
      z.string().regex(/^[A-Za-z0-9-]{1,64}$/, rule('format', { format: 'the name of a header' })),
      z.string().regex(/^[\x20-\x7e]{1,4096}$/, rule('printable', { max: '4,096' })),
    )
    .refine(
      (headers) => Object.keys(headers).length <= MAX_HEADERS,
      rule('too_many', { max: MAX_HEADERS, unit: 'headers' }),
    )
    .refine((headers) => !Object.keys(headers).some((name) => REFUSED_HEADER.test(name)), rule('headers'))
    .describe(
      'Request headers for `audio_url`, such as `Authorization`. They are sent to the host of `audio_url` only, not to hosts that ' +
        'it redirects to, and never returned.',
    )
    .meta({ maxProperties: MAX_HEADERS, examples: [{ Authorization: 'Bearer a-secret' }] });

export const AudioSourceSchema = responseObject('AudioSource', {
  host: z.string().describe('Host of `audio_url`.'),
  attempts: z.int().describe('Download attempts of the current run.'),
  bytes_received: z.int().describe('Number of bytes that the current or last attempt received.'),
  bytes_total: z.int().nullable().describe('Size of the recording; null: unknown.'),
  last_failure: openEnum(FETCH_FAILURES).nullable().describe('Failure of the last attempt; null: none has failed.'),
  status_code: z.int().nullable().describe('HTTP status of the last failure; null: no response.'),
  next_attempt_at: timestamp().nullable().describe('null: an attempt is running, or no further attempt is planned.'),
});
export type FetchedAudio = z.output<typeof AudioSourceSchema>;
