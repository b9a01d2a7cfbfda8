/** The filters of the session list, and its export as a file: docs/find.md, and docs/decisions.md, "Export". */
import { LIMITS } from '../values/limits.ts';
import { isMetadataGroup, MAX_METADATA_GROUPS } from '../values/metadata-group.ts';
import { rule } from '../errors/rule.ts';
import { z } from 'zod';
import { REVIEW_FILTERS } from '../values/session-lists.ts';
import { ASSISTANT_TYPES, DELIVERY_STATUSES, SESSION_ERROR_CODES, SESSION_STATUSES } from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
import {
  CountSchema,
  createdQuery,
  csvDelimiter,
  FOLLOWED,
  listOf,
  metadataPairs,
  moment,
  pageQuery,
  queryFieldConditions,
  queryIds,
  queryInteger,
  queryNames,
  queryNumber,
  queryValues,
  responseObject,
  sortedCursor,
  text,
  timestamp,
  timezone,
  typeId,
} from '../values/schemas.ts';

const endpoint = endpointsOf('Sessions');

/** Four hours of speech. */
export const SEARCHED_CHARACTERS = 250_000;

export const sessionFilterQuery = {
  session_id: queryIds('sess')
    .optional()
    .describe('Only these sessions, one parameter per ID.')
    .meta({ examples: [['sess_01kaj4v5rzf1xtm8w3b2c9d0e7']] }),
  status: z.enum(SESSION_STATUSES).optional(),
  waiting_for: text({ min: 1, max: 40 })
    .optional()
    .describe('Only sessions that wait for this provider: `waiting_for.provider`.')
    .meta({ examples: ['anthropic'] }),
  error_code: z.enum(SESSION_ERROR_CODES).optional().describe('Only failed sessions with this `error.code`.'),
  type: z.enum(ASSISTANT_TYPES).optional(),
  assistant_id: typeId('asst').optional(),
  ...createdQuery(),
  occurred_after: moment()
    .optional()
    .describe('Only conversations that took place at or after this time: `occurred_at`.'),
  occurred_before: moment().optional().describe('Only conversations that took place before this time.'),
  completed_after: moment().optional().describe('Only sessions that ended at or after this time.'),
  completed_before: moment().optional().describe('Only sessions that ended before this time.'),
  updated_after: moment()
    .optional()
    .describe(
      'Only sessions that ended, or changed after their end, at or after this time: by a retry, metadata, speaker roles, a review, a second opinion, or the status of their delivery.',
    ),
  delivery_status: z
    .enum(DELIVERY_STATUSES)
    .optional()
    .describe('Status of the latest delivery of the result or its review, alerts excluded.'),
  q: text({ min: 1, max: LIMITS.name })
    .optional()
    .describe(
      'Session ID, or words of the metadata values, summaries and conversations of ended sessions: the first 250,000 characters, and phrases in the first 16,000 words. Words match in all English and Russian forms, and as beginnings of 3 or more characters; Chinese, Japanese, Thai, Lao, Khmer and Burmese by pairs of letters. Apostrophes and separators in IDs are optional. Supports "phrases", `or` and `-word`.',
    )
    .meta({ examples: ['parcel "not arrived"'] }),
  llm_model: text({ min: 1, max: LIMITS.name })
    .optional()
    .describe('Language model in the settings of the session.')
    .meta({ examples: ['gpt-6-luna'] }),
  simulated: z.enum(['true', 'false']).optional(),
  trial: z.enum(['true', 'false']).optional().describe('true: only trials. false: no trials. Default: both.'),
  reanalysis: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: only reanalyses and trials. false: only originals. Default: both.'),
  source_session_id: typeId('sess').optional().describe('Reanalyses of this session.'),
  first_session_id: typeId('sess').optional().describe('Follow-ups of this session.'),
  batch_id: typeId('bat').optional().describe('Sessions that this batch created or ran last.'),
  metadata: metadataPairs()
    .optional()
    .describe('One parameter per pair, such as `metadata.call_id=c-1042`. The metadata must contain all pairs.')
    .meta({
      examples: [{ 'metadata.call_id': 'c-1042' }],
      override: { propertyNames: { type: 'string', pattern: '^metadata\\.[^\\u0000]{1,64}$' } },
    }),
  min_cost: queryNumber(0, 1e9)
    .optional()
    .describe('Minimum `total_cost` in US dollars, including running sessions.')
    .meta({ param: { example: 0.05 } }),
  assistant_version: queryInteger(1, 999_999_999).optional().describe('Requires `assistant_id`.'),
  field: queryFieldConditions(),
  values: queryValues(),
  review: z
    .enum(REVIEW_FILTERS)
    .optional()
    .describe(
      '`corrected`: a field or the summary was corrected. `sampled`: reviewed as a part of a random sample. `unreviewed` and ' +
        '`unsampled`: completed originals without such a review, except recordings without speech. ' +
        '`single`: part of the sample, without a second opinion. `disputed`: two people differ, and nobody has decided.',
    ),
  corrected: text({ min: 1, max: 40 })
    .optional()
    .describe("Only reviewed sessions in which the model's value of this field was corrected.")
    .meta({ examples: ['resolved'] }),
};

export type SessionFilterQuery = z.output<z.ZodObject<typeof sessionFilterQuery>>;

export const sessionInclude = () =>
  queryNames(['fields', 'hit'], ['fields', 'fields,hit'])
    .optional()
    .describe(
      '`fields`: adds the field values and the names of unverified fields. `hit`: adds where `q` matches each conversation, for up to 2,500,000 characters of a page.',
    );

export const listDeletedSessions = endpoint('listDeletedSessions', 'get /v1/deletions/sessions', {
  summary: 'List deleted sessions',
  description: `Sessions that were deleted, by a person or by retention, after they had ended: the earliest first, for a year. ${FOLLOWED}`,
  scope: 'sessions:read',
  query: z.strictObject({
    deleted_after: moment().optional().describe('Only sessions that were deleted at or after this time.'),
    ...pageQuery('sess'),
    cursor: sortedCursor('sess').optional().describe('`next_cursor` of the previous page.'),
  }),
  answers: {
    200: listOf(responseObject('DeletedSession', { session_id: typeId('sess'), deleted_at: timestamp() })).meta({
      id: 'DeletedSessionList',
    }),
  },
});

const isSessionGroup = (name: string) => name === 'metadata' || name.startsWith('field.') || isMetadataGroup(name);

export const countSessions = endpoint('countSessions', 'get /v1/counts/sessions', {
  summary: 'Count sessions',
  description: 'Counts the sessions that match the filters, up to 10,000.',
  scope: 'sessions:read',
  query: z.strictObject({
    ...sessionFilterQuery,
    group_by: z
      .string()
      .max(80)
      .refine(isSessionGroup, rule('format', { format: '`metadata`, `metadata.KEY` or `field.NAME`' }))
      .optional()
      .describe(
        'Adds `groups`. `metadata`: the keys of the metadata. `metadata.KEY`: the values of a key. `field.NAME`: the values of a field, as `field` takes them; requires `assistant_id`.',
      )
      .meta({ examples: ['metadata.agent'] }),
  }),
  answers: {
    200: CountSchema.extend({
      groups: z
        .array(z.object({ value: z.string().nullable().describe('null: without a value.'), count: z.int() }))
        .optional()
        .describe(`The ${MAX_METADATA_GROUPS} largest groups, the largest first, among 10,000 of the sessions.`),
    }).meta({ id: 'SessionCount' }),
  },
});

/** Members of a session that can be megabytes. */
const LARGE_MEMBERS = ['conversation', 'raw_response'] as const;
/** Members that an export can include. */
const INCLUDED_MEMBERS = ['fields', 'review', ...LARGE_MEMBERS] as const;
export type IncludedMember = (typeof INCLUDED_MEMBERS)[number];

const EXPORT_FORMATS = ['csv', 'jsonl', 'zip'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const exportSessions = endpoint('exportSessions', 'get /v1/exports/sessions', {
  summary: 'Export sessions',
  description: 'Returns all sessions that match the filters as a file, newest first.',
  scope: 'sessions:export',
  query: z.strictObject({
    format: z
      .enum(EXPORT_FORMATS)
      .default('csv')
      .describe(
        '`csv`: a table for spreadsheets, with escaped formulas and a column per key of the metadata. With `include=fields`, which requires `assistant_id`, it has a ' +
          'column per field. `jsonl`: one JSON object per session and line. `zip`: all data of each session, with the recording.',
      ),
    ...sessionFilterQuery,
    sort: z
      .enum(['created_at', 'completed_at', 'updated_at'])
      .optional()
      .describe(
        '`jsonl` only: oldest first. Each line then has a `cursor`, with which another export continues after it. With `updated_at`, a session that changes after its end comes again: see `updated_after`, and `GET /v1/deletions/sessions`.',
      ),
    cursor: sortedCursor('sess').optional().describe('`cursor` of the last line that arrived. Requires `sort`.'),
    timezone: timezone()
      .optional()
      .describe(
        '`csv` only: times are written as `2026-11-28 03:28:35` in this time zone, such as `Asia/Tashkent`. Default: ISO 8601.',
      ),
    delimiter: csvDelimiter(),
    include: queryNames(INCLUDED_MEMBERS, ['fields,conversation'])
      .optional()
      .describe(
        'Additional properties of each session, separated by commas. `fields`: the field values and the names of unverified ' +
          'fields. `review`: the reviewed values, corrected summaries and notes, and who reviewed. `conversation` and `raw_response`: the same as in a single session, only with `jsonl`.',
      ),
  }),
  answers: { 200: null },
  produces: ['text/csv', 'application/jsonl', 'application/zip'],
  audit: { action: 'sessions_exported', details: ({ query }) => ({ format: query.format }) },
});
