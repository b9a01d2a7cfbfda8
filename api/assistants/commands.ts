import type { TransactionOrKnex } from 'objection';
import { typeid } from 'typeid-js';
import type { AssistantPatch, AssistantSettings } from '../../contract/assistants/assistant-schemas.ts';
import { getAssistant } from '../../contract/assistants/assistants.ts';
import { errorAt } from '../../contract/errors/field-errors.ts';
import { VOICE_SETTINGS } from '../../contract/assistants/settings.ts';
import type { PropertyError } from '../../contract/errors/problem.ts';
import { AssistantModel, type NewAssistant } from '../../db/models/assistant.ts';
import { insertWithin } from '../../db/models/workspace.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid, refusal, requireFound } from '../errors.ts';
import { requireMatch } from '../http/handle.ts';
import { checkConditions, copyAlerts, sealAlerts } from './alerts.ts';
import { findBlockedUrls, findForbiddenModels, findInvalidSettings } from './check-settings.ts';
import { checkFollowUps } from './follow-ups.ts';
import { findAssistant } from './find-assistant.ts';
import { presentAssistant } from './present.ts';
import { copySecret, secretAfter } from './receiver-secrets.ts';
import { mergeSettings, withDefaults, withPresentTitles } from './settings.ts';

type Deps = Pick<ApiDeps, 'config' | 'guard' | 'secrets'>;

interface Author {
  workspaceId: string;
  /** The token or the user. */
  created_by: string;
}

export async function createAssistant(
  deps: Deps,
  { workspaceId, created_by }: Author,
  settings: AssistantSettings,
): Promise<AssistantModel> {
  const columns = withDefaults(deps.config, settings);
  const errors = [
    ...findInvalidSettings(deps.config, columns),
    ...checkConditions(columns.fields, settings.alerts),
    ...(await checkFollowUps({ ...columns, workspace_id: workspaceId })),
    ...(await findBlockedUrls(deps, settings)),
  ];
  if (errors.length > 0) throw invalid(...errors);
  const id = typeid('asst').toString();
  const { webhook_secret: secret = null } = settings;
  return store(deps, {
    ...columns,
    id,
    workspace_id: workspaceId,
    version_created_by: created_by,
    webhook_secret: secret && deps.secrets.seal(secret, id),
    alerts: sealAlerts(deps, { id, alerts: null }, settings.alerts),
  });
}

/** The longest name that still has room for the suffix of a copy. */
const MAX_COPIED_NAME = 193;

/**
 * Copies an assistant with its secrets; a secret that cannot be decrypted is left out. Throws `validation_failed` if a
 * model is no longer allowed.
 */
export async function duplicateAssistant(
  deps: Pick<Deps, 'config' | 'secrets'>,
  row: AssistantModel,
  created_by: string,
): Promise<AssistantModel> {
  const errors = findForbiddenModels(deps.config, row);
  if (errors.length > 0) throw invalid(...errors);
  const id = typeid('asst').toString();
  const name = `${[...row.name].slice(0, MAX_COPIED_NAME).join('')} (copy)`;
  return store(deps, {
    ...mergeSettings(deps.config, row, { name }),
    id,
    workspace_id: row.workspace_id,
    version_created_by: created_by,
    webhook_secret: copySecret(deps, row.webhook_secret, { from: row.id, to: id }),
    alerts: copyAlerts(deps, row, id),
  });
}

/** Stores a new row. Throws `quota_exceeded` if the workspace has too many assistants, or too large ones. */
async function store({ config }: Pick<Deps, 'config'>, row: NewAssistant): Promise<AssistantModel> {
  const max = config.quotas.assistants;
  return AssistantModel.transaction(async (trx) => {
    const stored = await insertWithin(trx, AssistantModel, row, max, 'deleted_at is null');
    if (!stored) throw refusal('assistants_limit', { max });
    await requireSettingsRoom({ config }, row.workspace_id, trx);
    return stored;
  });
}

/** Throws `quota_exceeded` if the prompts and fields of all assistants are too large: a list returns them all. */
async function requireSettingsRoom(
  { config }: Pick<Deps, 'config'>,
  workspaceId: string,
  trx: TransactionOrKnex,
): Promise<void> {
  const max = config.quotas.assistantBytes;
  if ((await AssistantModel.countBytes(workspaceId, trx)) <= max) return;
  throw refusal('prompts_limit', { max: max / 1e6 });
}

interface AssistantChange {
  patch: AssistantPatch;
  ifMatch: string | undefined;
  /** The version whose settings the patch contains; undefined: the client sent the patch. */
  restoredFrom?: number;
}

/**
 * Changes what `patch` contains and validates only that: a provider key that the operator removed does not prevent renaming.
 * The row is read and written under one lock, so concurrent changes are all kept.
 */
export async function changeAssistant(
  deps: Deps,
  { workspaceId, id, created_by }: Author & { id: string },
  { patch, ifMatch, restoredFrom }: AssistantChange,
): Promise<AssistantModel> {
  const seen = await findAssistant(workspaceId, id);
  // Resolved before the row is locked, because DNS may be slow.
  const unusable = [
    ...(await findBlockedUrls(deps, patch, seen)),
    ...(await checkFollowUps({ ...seen, ...mergeSettings(deps.config, seen, patch) }, seen)),
  ];
  const change = (row: AssistantModel) => {
    requireMatch(ifMatch, getAssistant, presentAssistant(row));
    const columns = mergeSettings(deps.config, row, patch);
    if (restoredFrom !== undefined) columns.fields = withPresentTitles(columns.fields, row.fields);
    const errors = [
      ...findVoiceSettings(row, patch),
      ...findInvalidSettings(deps.config, columns, row),
      ...checkConditions(columns.fields, patch.alerts, row.alerts),
      ...unusable,
    ];
    if (errors.length > 0) throw invalid(...errors);
    const before = { url: row.webhook_url, secret: row.webhook_secret };
    const after = { url: columns.webhook_url, secret: patch.webhook_secret, owner: row.id };
    return {
      ...columns,
      webhook_secret: secretAfter(deps, before, after),
      ...(patch.alerts !== undefined && { alerts: sealAlerts(deps, row, patch.alerts) }),
    };
  };
  const changed = await AssistantModel.changeOwned(workspaceId, id, change, {
    created_by,
    restored_from: restoredFrom ?? null,
    resized: (trx) => requireSettingsRoom(deps, workspaceId, trx),
  });
  return requireFound(changed, 'assistant');
}

/** Returns an error for each setting that only voice assistants have, as `AssistantSettingsSchema` does for a new one. */
function findVoiceSettings({ type }: AssistantModel, patch: AssistantPatch): PropertyError[] {
  if (type === 'voice') return [];
  return VOICE_SETTINGS.flatMap((path) => (patch[path] == null ? [] : [errorAt(path, 'only_voice')]));
}
