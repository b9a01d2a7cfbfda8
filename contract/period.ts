/** Periods of whole days, in UTC. */
import { z } from 'zod';

export const MAX_PERIOD_DAYS = 366;

/** Of a period that names no start. */
const DEFAULT_DAYS = 30;

const DAY_MS = 86_400_000;

/** Declares a day. PostgreSQL knows no year 0. */
const day = () =>
  z.iso
    .date()
    .regex(/^2\d{3}-/, 'must be a day of this millennium')
    .meta({ examples: ['2026-11-21'] });

/** Declares the query parameters of a period. */
export const periodQuery = () => ({
  from: day()
    .optional()
    .describe(`First day, in UTC. Default: ${DEFAULT_DAYS - 1} days before \`to\`.`),
  to: day().optional().describe(`Last day, in UTC; at most ${MAX_PERIOD_DAYS} days in all. Default: today.`),
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
