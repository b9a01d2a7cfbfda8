import { AssistantVersionModel } from '../../db/models/assistant-version.ts';
import type { AssistantVersionFields, PresentVersion } from '../../db/models/assistant-version.ts';
import { ApiError } from '../errors.ts';

/** Returns one version of an assistant; throws `not_found` if there is none of this number. */
export async function findVersion(assistant: PresentVersion, version: number): Promise<AssistantVersionFields> {
  const found = await AssistantVersionModel.findOf(assistant, version);
  if (!found) throw new ApiError('not_found', 'This assistant has no such version.');
  return found;
}
