/** Keys by which reports can be grouped. */
import { metadataKeyOf, type MetadataGroup } from '../contract/values/metadata-group.ts';
import { listMetadataKeys } from '../db/queries/group-by-metadata.ts';
import { invalidAt } from './errors.ts';

/** The error of an unknown key names this many others. */
const MAX_NAMED = 20;

/** Returns the keys of a workspace's recent sessions. Throws `validation_failed` if the group's key is not one of them. */
export async function findMetadataKeys(workspaceId: string, group?: MetadataGroup): Promise<string[]> {
  const keys = await listMetadataKeys(workspaceId);
  if (group === undefined || keys.includes(metadataKeyOf(group))) return keys;
  const named = keys.slice(0, MAX_NAMED).join(', ') || 'none';
  throw invalidAt('group_by', 'not_metadata', { key: metadataKeyOf(group), keys: named });
}
