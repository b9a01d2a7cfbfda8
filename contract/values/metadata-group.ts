/** Groups by a key of the sessions' metadata: the same in usage, results and accuracy. */
import { z } from 'zod';
import { rule } from '../errors/rule.ts';

/** Number of values that have a group of their own. */
export const MAX_METADATA_GROUPS = 50;

export type MetadataGroup = `metadata.${string}`;

/** The group by a key of the metadata. Keys that contain a comma can't be used. */
const METADATA_GROUP = /^metadata\.[^\0,]{1,64}$/;

export const isMetadataGroup = (name: string): name is MetadataGroup =>
  METADATA_GROUP.test(name) && name.isWellFormed();

/** Returns the key of a group. */
export const metadataKeyOf = (group: MetadataGroup): string => group.slice('metadata.'.length);

/** The query parameter `group_by` of a report that has no other groups. */
export const metadataGroup = () =>
  z
    .string()
    .refine(isMetadataGroup, rule('format', { format: '`metadata.` and a key of the metadata' }))
    .optional()
    .describe(
      `\`metadata.KEY\`: adds \`by_group\`, with the ${MAX_METADATA_GROUPS} most frequent values of this key of the metadata.`,
    )
    .meta({ examples: ['metadata.agent'] });

/** The keys by which reports can be grouped, in a response. */
export const metadataKeys = () =>
  z
    .array(z.string())
    .describe(
      `Keys of the metadata of recent sessions with at most ${MAX_METADATA_GROUPS} values, most frequent first.`,
    );

/** Members of a group in a response. */
export const metadataGroupMembers = {
  group: z.string().nullable().describe('Value of the metadata; null: the session has no such value, or was deleted.'),
  others: z.boolean().describe(`true: the sum of all values but the ${MAX_METADATA_GROUPS} most frequent ones.`),
};
