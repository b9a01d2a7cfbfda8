/** The groups of the usage chart. In a file of its own, because the router needs it before the page is loaded. */
export const USAGE_GROUPS = ['provider', 'model', 'assistant'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];
