/** Groups of reports by a key of the metadata, and columns of fields, as URLs name them. */

/** Prefix of the columns with field values, which only lists of one assistant have. */
export const FIELD_COLUMN = 'field.';

export type MetadataGroup = `metadata.${string}`;

const PREFIX = 'metadata.';

export const isMetadata = (group: string | undefined): group is MetadataGroup => group?.startsWith(PREFIX) ?? false;

/** Returns the key of the metadata. */
export const keyOf = (group: MetadataGroup) => group.slice(PREFIX.length);

export const groupOfKey = (key: string): MetadataGroup => `${PREFIX}${key}`;

/** Returns the groups by these keys, and the chosen one. */
export const metadataGroups = (keys: readonly string[], chosen: string | undefined): MetadataGroup[] => [
  ...new Set([chosen, ...keys.map(groupOfKey)].filter(isMetadata)),
];
