import { isMetadata, type MetadataGroup } from '../../search/groups.ts';

/** The groups of the usage chart. */
export const USAGE_GROUPS = ['provider', 'model', 'assistant'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number] | MetadataGroup;

export const isUsageGroup = (group: string): group is UsageGroup =>
  USAGE_GROUPS.some((each) => each === group) || isMetadata(group);
