import type { AssistantVersion } from '../../contract/assistant-versions.ts';
import { versionedOf } from '../../contract/versioned-settings.ts';
import type { AssistantVersionFields } from '../../db/models/assistant-version.ts';

export function presentVersion({
  version,
  settings,
  restored_from,
  created_at,
}: AssistantVersionFields): AssistantVersion {
  return { version, settings: versionedOf(settings), restored_from, created_at: created_at.toISOString() };
}
