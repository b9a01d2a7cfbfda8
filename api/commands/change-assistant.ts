import { VOICE_SETTINGS } from '../../contract/constants.ts';
import type { AssistantPatch } from '../../contract/assistants.ts';
import type { FieldError } from '../../contract/errors.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../errors.ts';
import { findAssistant, noAssistant } from '../lookups/find-assistant.ts';
import { findDeafVendors } from './check-channels.ts';
import { findBlockedUrl, findTooLongRetention, findUnusableModels, mergeSettings } from './check-assistant.ts';

/** An assistant and its owner. */
export interface OwnedAssistant {
  userId: string;
  id: string;
}

export interface AssistantChange {
  patch: AssistantPatch;
  /** Throws if the row is not as the client knows it. */
  requireState: (row: AssistantModel) => void;
  /** The version whose settings the patch holds; left out where they are a client's. */
  restoredFrom?: number;
}

/**
 * Changes what `patch` names and validates only that: a vendor key that the operator removed does not stand in the way
 * of a new name. The row is read and written under one lock, so changes made at the same moment all stay.
 */
export async function changeAssistant(
  deps: Pick<ApiDeps, 'config' | 'guard' | 'secrets'>,
  { userId, id }: OwnedAssistant,
  { patch, requireState, restoredFrom }: AssistantChange,
): Promise<AssistantModel> {
  const seen = await findAssistant(userId, id);
  // Before the row is locked: a name server may take its time.
  const blocked = patch.webhook_url === seen.webhook_url ? [] : await findBlockedUrl(deps, patch.webhook_url, userId);
  const change = (row: AssistantModel) => {
    requireState(row);
    const columns = mergeSettings(row, patch);
    const errors = [
      ...findForeignFields(row, patch),
      ...findUnusableModels(deps, columns, row),
      ...findDeafVendors(columns),
      ...findTooLongRetention(deps, patch.retention_days),
      ...blocked,
    ];
    if (errors.length > 0) throw invalid(...errors);
    return { ...columns, webhook_secret: secretAfter(deps, row, columns.webhook_url, patch.webhook_secret) };
  };
  const changed = await AssistantModel.changeOwned(userId, id, change, restoredFrom);
  if (!changed) throw noAssistant();
  return changed;
}

/**
 * Finds fields that an assistant of this type does not have, by the rule of `AssistantSettingsSchema` for a new one.
 */
function findForeignFields({ type }: AssistantModel, patch: AssistantPatch): FieldError[] {
  if (type === 'voice') return [];
  return VOICE_SETTINGS.flatMap((path) =>
    patch[path] == null ? [] : [{ path, message: 'only voice assistants transcribe' }],
  );
}

/**
 * Returns the sealed secret that the row has after the change. It is known to one receiver: with another origin it goes,
 * unless the client sends one for it. docs/decisions.md, "Secret and origin".
 */
function secretAfter(
  { secrets }: Pick<ApiDeps, 'secrets'>,
  row: AssistantModel,
  url: string | null,
  given: string | null | undefined,
): string | null {
  if (given === null) return null;
  if (given !== undefined) return secrets.seal(given, row.id);
  return originOf(url) === originOf(row.webhook_url) ? row.webhook_secret : null;
}

const originOf = (url: string | null) => url && new URL(url).origin;
