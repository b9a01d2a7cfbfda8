/** What was used and spent, from the ledger: docs/decisions.md, "Usage". */
import { z } from 'zod';
import { PROVIDERS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { openEnum, typeId, usd } from './fields.ts';
import { periodQuery } from './period.ts';

export const USAGE_GROUPS = ['day', 'assistant', 'provider', 'model'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const anyGroup = USAGE_GROUPS.join('|');

const groups = () =>
  z
    .string()
    .meta({ pattern: `^(${anyGroup})(,(${anyGroup}))*$`, examples: ['day,model'] })
    .default('day')
    .transform((value) => value.split(','))
    .pipe(
      z
        .array(z.enum(USAGE_GROUPS))
        .refine((names) => new Set(names).size === names.length, 'must name each group once'),
    );

const UsageQuerySchema = z.strictObject({
  ...periodQuery(),
  group_by: groups().describe('One or several of `day`, `assistant`, `provider`, `model`, comma-separated.'),
});

const measures = {
  sessions: z.int().min(0).describe('Sessions with at least one call; deleted ones count.'),
  calls: z.int().min(0).describe('Calls to vendors, failed and repeated ones included.'),
  audio_seconds: z.number().min(0),
  input_tokens: z.int().min(0).describe('All input tokens, cached ones included.'),
  output_tokens: z.int().min(0).describe('All output tokens, reasoning included.'),
  cost_usd: usd().describe('US dollars: the sum of all calls whose price is known.'),
  cost_known: z.boolean().describe('false: at least one call has no known price, or its usage was never reported.'),
};

const UsageRowSchema = z
  .object({
    day: z.iso.date().optional().describe('Only when grouped by `day`, and so on.'),
    assistant_id: typeId('asst').optional().describe('It may be deleted by now.'),
    provider: openEnum(PROVIDERS).optional(),
    model: z.string().nullable().optional().describe('null: the provider has no choice of models.'),
    ...measures,
  })
  .meta({ id: 'UsageRow' });

export type UsageRow = z.output<typeof UsageRowSchema>;

export const UsageTotalsSchema = z.object(measures).meta({ id: 'UsageTotals' });

export const UsageReportSchema = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    group_by: z.array(z.enum(USAGE_GROUPS)),
    data: z.array(UsageRowSchema).describe('In the order of the groups; without rows in which nothing was used.'),
    totals: UsageTotalsSchema,
  })
  .meta({ id: 'UsageReport' });

export type UsageReport = z.output<typeof UsageReportSchema>;

export const getUsage = endpoint({
  operationId: 'getUsage',
  method: 'get',
  path: '/v1/usage',
  summary: 'What the user used and spent, day by day or in other groups',
  tag: 'Usage',
  auth: 'bearer',
  scope: 'account:read',
  query: UsageQuerySchema,
  answers: { 200: UsageReportSchema },
});
