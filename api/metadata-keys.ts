/** Keys by which reports can be grouped. */
import { metadataKeyOf, type MetadataGroup } from '../contract/values/metadata-group.ts';
import { groupSessions } from '../db/queries/group-sessions.ts';
import { invalidAt } from './errors.ts';

/** The error of an unknown key names this many others. */
const MAX_NAMED = 20;
const MAX_KEYS = 1_000;

/** Returns the keys of a workspace's recent sessions. Throws `validation_failed` if the group's key is not one of them. */
export async function findMetadataKeys(workspaceId: string, group?: MetadataGroup): Promise<string[]> {
  const groups = await groupSessions(workspaceId, {}, 'metadata', MAX_KEYS);
  const keys = groups.flatMap(({ value }) => value ?? []);
  if (group === undefined || keys.includes(metadataKeyOf(group))) return keys;
  const named = keys.slice(0, MAX_NAMED).join(', ') || 'none';
  throw invalidAt('group_by', 'not_metadata', { key: metadataKeyOf(group), keys: named });
}
