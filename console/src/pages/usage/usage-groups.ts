/** The groups of the usage chart. */
export const USAGE_GROUPS = ['provider', 'model', 'assistant'] as const;
type MetadataGroup = `metadata.${string}`;
export type UsageGroup = (typeof USAGE_GROUPS)[number] | MetadataGroup;

const PREFIX = 'metadata.';

export const isMetadata = (group: string): group is MetadataGroup => group.startsWith(PREFIX);

/** Returns the key of the metadata. */
export const keyOf = (group: MetadataGroup) => group.slice(PREFIX.length);

export const toMetadataGroup = (key: string): MetadataGroup => `metadata.${key}`;

export const isUsageGroup = (group: string): group is UsageGroup =>
  USAGE_GROUPS.some((each) => each === group) || isMetadata(group);
