/** What was used and spent, from the ledger: docs/decisions.md, "Usage". */
import { z } from 'zod';
import { PROVIDERS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { typeId, usd } from './fields.ts';

export const USAGE_GROUPS = ['day', 'assistant', 'provider', 'model'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export const MAX_USAGE_DAYS = 366;

/** Of a period that names no start. */
const DEFAULT_DAYS = 30;

const DAY_MS = 86_400_000;

/** Declares a day. PostgreSQL knows no year 0. */
const day = () =>
  z.iso
    .date()
    .regex(/^2\d{3}-/, 'must be a day of this millennium')
    .meta({ examples: ['2026-11-21'] });

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
  from: day()
    .optional()
    .describe(`First day, in UTC. Default: ${DEFAULT_DAYS - 1} days before \`to\`.`),
  to: day().optional().describe(`Last day, in UTC; at most ${MAX_USAGE_DAYS} days in all. Default: today.`),
  group_by: groups().describe('One or several of `day`, `assistant`, `provider`, `model`, comma-separated.'),
});

export interface Period {
  /** First and last day, as ISO dates. */
  from: string;
  to: string;
  days: number;
}

/** Returns the period that is meant, whose length is yet to be judged. */
export function readPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): Period {
  const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const last = to ?? (from !== undefined && from > isoDay(now.getTime()) ? from : isoDay(now.getTime()));
  const first = from ?? isoDay(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS);
  return { from: first, to: last, days: (Date.parse(last) - Date.parse(first)) / DAY_MS + 1 };
}

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
    provider: z.enum(PROVIDERS).optional(),
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
