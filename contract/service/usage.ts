/** Usage and cost, from the provider calls. */
import { z } from 'zod';
import { rule } from '../errors/rule.ts';
import { PROVIDERS } from '../values/providers.ts';
import { endpointsOf } from '../values/endpoint.ts';
import {
  isMetadataGroup,
  metadataGroupMembers,
  metadataKeys,
  MAX_METADATA_GROUPS,
  type MetadataGroup,
} from '../values/metadata-group.ts';
import { areDistinct, openEnum, responseObject, timezone, typeId, usd } from '../values/schemas.ts';

const endpoint = endpointsOf('Usage');

export const MAX_PERIOD_DAYS = 366;
export const DEFAULT_PERIOD_DAYS = 30;

const day = () =>
  z.iso
    .date()
    .regex(/^2\d{3}-/, rule('format', { format: 'a day of this millennium' }))
    .meta({ examples: ['2026-11-21'] });

/** The query parameters of a period of whole days. @param of what takes place in it. */
export const periodQuery = (of: string) => ({
  from: day()
    .optional()
    .describe(`First day of ${of}. Default: ${DEFAULT_PERIOD_DAYS - 1} days before \`to\`.`),
  to: day().optional().describe(`Last day, at most ${MAX_PERIOD_DAYS} days in total. Default: today.`),
  timezone: timezone()
    .default('UTC')
    .describe('Time zone of the days, such as `Asia/Tashkent`, also of those in `from` and `to`.'),
});

/** First and last day, as ISO dates. */
export interface Period {
  from: string;
  to: string;
}

export const USAGE_GROUPS = ['day', 'assistant', 'provider', 'model'] as const;
type NamedGroup = (typeof USAGE_GROUPS)[number];
export type UsageGroup = NamedGroup | MetadataGroup;

const isGroup = (name: string): name is UsageGroup =>
  USAGE_GROUPS.includes(name as NamedGroup) || isMetadataGroup(name);

const OPTIONS = [...USAGE_GROUPS, 'metadata.KEY'].map((name) => `"${name}"`).join('|');

const groups = () =>
  z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(z.string().refine(isGroup, rule('option', { options: OPTIONS }))))
    .refine(areDistinct, rule('unique:values'))
    .refine((names) => names.filter(isMetadataGroup).length <= 1, rule('too_many', { max: 1, unit: 'metadata key' }))
    .meta({ override: { pattern: PATTERN, examples: ['day,model'] } });

const NAME = `(${USAGE_GROUPS.join('|')}|metadata\\.[^\\u0000,]{1,64})`;
const PATTERN = `^${NAME}(,${NAME})*$`;

const measures = {
  sessions: z.int().min(0).describe('Number of sessions with at least one call, including deleted sessions.'),
  calls: z.int().min(0).describe('Number of provider calls, including failed and repeated ones.'),
  audio_seconds: z.number().min(0),
  input_tokens: z.int().min(0).describe('All input tokens, including cached ones.'),
  output_tokens: z.int().min(0).describe('All output tokens, including reasoning.'),
  cost_usd: usd().describe('Sum of all calls of known price, in US dollars.'),
  cost_known: z.boolean().describe('false: the price or usage of at least one call is unknown.'),
};

const UsageRowSchema = responseObject('UsageRow', {
  day: z.iso
    .date()
    .optional()
    .describe('Present only when grouped by `day`. The same applies to the next five properties.'),
  assistant_id: typeId('asst').optional().describe('The assistant may no longer exist.'),
  provider: openEnum(PROVIDERS).optional(),
  model: z.string().nullable().optional().describe('null: the provider has no selectable models.'),
  group: metadataGroupMembers.group.optional(),
  others: metadataGroupMembers.others.optional(),
  ...measures,
});
export type UsageRow = z.output<typeof UsageRowSchema>;

const UsageReportSchema = responseObject('UsageReport', {
  from: z.iso.date().meta({ examples: ['2026-11-21'] }),
  to: z.iso.date().meta({ examples: ['2026-11-21'] }),
  timezone: z.string().meta({ examples: ['Asia/Tashkent'] }),
  group_by: z.array(z.string()),
  metadata_keys: metadataKeys(),
  data: z.array(UsageRowSchema).describe('Sorted by the groups. Rows without usage are omitted.'),
  totals: z.object(measures).meta({ id: 'UsageTotals' }),
});
export type UsageReport = z.output<typeof UsageReportSchema>;

export const getUsage = endpoint('getUsage', 'get /v1/usage', {
  summary: 'Retrieve usage and cost',
  description: 'Grouped by day, assistant, provider, model or a key of the metadata.',
  scope: 'usage:read',
  query: z.strictObject({
    ...periodQuery('the calls'),
    group_by: groups()
      .prefault('day')
      .describe(
        'One or more of `day`, `assistant`, `provider`, `model` and `metadata.KEY`, separated by commas. One key of the metadata at ' +
          `most; its ${MAX_METADATA_GROUPS} most frequent values have rows of their own.`,
      ),
  }),
  answers: { 200: UsageReportSchema },
});
