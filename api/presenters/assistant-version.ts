import type { AssistantVersion } from '../../contract/assistant-versions.ts';
import type { AssistantVersionFields } from '../../db/models/assistant-version.ts';

export function presentVersion({
  version,
  settings,
  restored_from,
  created_at,
}: AssistantVersionFields): AssistantVersion {
  return { version, settings, restored_from, created_at: created_at.toISOString() };
}
