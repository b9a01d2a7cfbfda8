/** The period and the grouping of the usage page, as its URL names them. */
import { clean, oneOf } from '../../search/parse.ts';
import { PERIODS } from '../../search/period.ts';

export const USAGE_GROUPS = ['provider', 'model', 'assistant'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export const parseUsageSearch = (raw: Record<string, unknown>) =>
  clean({ range: oneOf(raw, 'range', PERIODS), group: oneOf(raw, 'group', USAGE_GROUPS) });
