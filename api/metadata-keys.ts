/** Keys by which reports can be grouped. */
import { metadataKeyOf, type MetadataGroup } from '../contract/values/metadata-group.ts';
import { groupSessions } from '../db/queries/group-sessions.ts';
import { invalidAt } from './errors.ts';

/** The error of an unknown key names this many others. */
const MAX_NAMED = 20;
const MAX_KEYS = 1_000;

/**
 * Returns the keys of a workspace's recent sessions by whose values reports can be grouped. Throws `validation_failed` if the
 * group's key is not one of the sessions'.
 */
export async function findMetadataKeys(workspaceId: string, group?: MetadataGroup): Promise<string[]> {
  const find = async (by: 'metadata' | 'grouping') =>
    (await groupSessions(workspaceId, {}, by, MAX_KEYS)).flatMap(({ value }) => value ?? []);
  const listed = await find('grouping');
  if (group === undefined || listed.includes(metadataKeyOf(group))) return listed;
  const keys = await find('metadata');
  if (keys.includes(metadataKeyOf(group))) return listed;
  const named = keys.slice(0, MAX_NAMED).join(', ') || 'none';
  throw invalidAt('group_by', 'not_metadata', { key: metadataKeyOf(group), keys: named });
}
