import { isDeepStrictEqual } from 'node:util';
import type { AssistantPatch } from '../../contract/assistants.ts';
import type { FieldError } from '../../contract/errors.ts';
import type { FrozenAssistant } from '../../contract/sessions.ts';
import { versionedOf } from '../../contract/versioned-settings.ts';
import type { VersionedSettings } from '../../contract/versioned-settings.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../errors.ts';
import { findMissingKey, mergeSettings } from './check-assistant.ts';
import { findForbiddenModels } from './check-models.ts';

/** Settings that decide an analysis; those of the transcription are left out: they may be older, and decide nothing here. */
const ANALYSIS_SETTINGS = ['llm_provider', 'llm_model', 'system_prompt', 'temperature', 'fields'] as const;

/** Settings that replace the assistant's own. */
export type Overrides = Pick<AssistantPatch, (typeof ANALYSIS_SETTINGS)[number]>;

export interface ChosenSettings {
  settings: FrozenAssistant;
  /** The assistant's version that the settings are; null where something replaces its own. */
  version: number | null;
}

/**
 * Returns the settings of an analysis that is made anew: those of the assistant, with the overrides in their place.
 * Another provider brings its own default model. Throws `validation_failed` for a model that can't be used here.
 * @param path where the request has the overrides; nothing where they are its body.
 */
export function chooseSettings(
  deps: Pick<ApiDeps, 'config'>,
  assistant: AssistantModel,
  { overrides, path }: { overrides: Overrides; path?: string },
): ChosenSettings {
  const merged = versionedOf(mergeSettings(assistant, overrides));
  const unusable = findUnusableModel(deps, merged);
  const prefix = path === undefined ? '' : `${path}.`;
  if (unusable.length > 0) throw invalid(...unusable.map((error) => ({ ...error, path: prefix + error.path })));
  const isOwn = ANALYSIS_SETTINGS.every((name) => isDeepStrictEqual(merged[name], assistant[name]));
  return { settings: assistant.freeze(merged), version: isOwn ? assistant.version : null };
}

function findUnusableModel({ config }: Pick<ApiDeps, 'config'>, settings: VersionedSettings): FieldError[] {
  const missing = findMissingKey(config, 'llm_provider', settings.llm_provider);
  if (missing) return [missing];
  return findForbiddenModels(config, settings).filter(({ path }) => path === 'llm_model');
}
