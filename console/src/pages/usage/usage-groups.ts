/** What the chart of usage stacks. The router reads it before the page is loaded. */
export const USAGE_GROUPS = ['provider', 'model', 'assistant'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];
