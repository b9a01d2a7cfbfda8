/** Periods of whole days by their names in URLs. */

export const PERIODS = ['7d', '30d', '90d', 'last_week', 'month', 'last_month'] as const;
export type PeriodName = (typeof PERIODS)[number];

export interface Period {
  /** First and last day, as ISO dates. */
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;

/** Returns the ISO date that is some days after another. */
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the month until a day. */
export const monthOf = (to: string): Period => ({ from: `${to.slice(0, 8)}01`, to });

/** Returns the period. Weeks begin on Monday. @param today the last day of periods that are not over */
export function periodOf(name: PeriodName, today: string): Period {
  if (name === 'month') return monthOf(today);
  if (name === 'last_month') return monthOf(addDays(monthOf(today).from, -1));
  if (name !== 'last_week') return { from: addDays(today, 1 - Number.parseInt(name)), to: today };
  const sunday = addDays(today, -(new Date(today).getUTCDay() || 7));
  return { from: addDays(sunday, -6), to: sunday };
}
