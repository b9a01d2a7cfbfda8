import { typeid } from 'typeid-js';
import type { AssistantPatch } from '../../contract/assistants.ts';
import type { FrozenAssistant } from '../../contract/sessions.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { SessionModel } from '../../db/models/session.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid } from '../errors.ts';
import { findMissingKey, mergeSettings } from './check-assistant.ts';
import { findForbiddenModels } from './check-models.ts';
import { findSession } from '../lookups/find-session.ts';
import type { OwnedSession } from '../lookups/find-session.ts';
import type { SessionRun } from './session-run.ts';
import { storeAndStart } from './store-and-start.ts';

type Deps = Pick<ApiDeps, 'config' | 'temporal'>;

/** Settings that replace the assistant's own. */
export type Overrides = Pick<AssistantPatch, 'system_prompt' | 'llm_provider' | 'llm_model' | 'temperature'>;

/** Prepares a new session over what was said in another: nothing is transcribed again. */
export async function reanalyzeSession(deps: Deps, session: OwnedSession, overrides: Overrides): Promise<SessionRun> {
  const { source, conversation, settings, version, on_vendor_outage } = await prepareReanalysis(
    deps,
    session,
    overrides,
  );
  const { user_id, assistant_id, type, transcript, metadata } = source;
  const sessionId = typeid('sess').toString();
  const row = {
    ...{ id: sessionId, user_id, assistant_id, type, conversation, transcript, metadata },
    assistant: settings,
    assistant_version: version,
    on_vendor_outage,
    source_session_id: source.id,
    simulated: deps.config.providers[settings.llm_provider].isSimulated || (type === 'voice' && source.simulated),
  };
  return { sessionId, start: () => storeAndStart(deps, row) };
}

/** Returns the session with its conversation and the settings of the new one. Throws where there can be none. */
export async function prepareReanalysis(deps: Pick<ApiDeps, 'config'>, session: OwnedSession, overrides: Overrides) {
  const source = await findSession(session);
  const { user_id, assistant_id, conversation } = source;
  if (conversation === null) throw new ApiError('conflict', 'There is no transcript of this session to analyze.');
  const assistant = await AssistantModel.findOwned(user_id, assistant_id);
  if (!assistant) throw new ApiError('conflict', 'The assistant of this session is deleted.');
  const settings = freeze(deps, assistant, source, overrides);
  const version = isOverridden(assistant, settings) ? null : assistant.version;
  return { source, conversation, settings, version, on_vendor_outage: assistant.on_vendor_outage };
}

/** Those of the transcription are left out: they may be older, and decide nothing here. */
const ANALYSIS_SETTINGS = ['llm_provider', 'llm_model', 'system_prompt', 'temperature'] as const;

const isOverridden = (assistant: AssistantModel, settings: FrozenAssistant) =>
  ANALYSIS_SETTINGS.some((name) => settings[name] !== assistant[name]);

/**
 * Returns the new session's settings. Those of the transcription stay. Another provider brings its own default model.
 */
function freeze(
  deps: Pick<ApiDeps, 'config'>,
  assistant: AssistantModel,
  { assistant: { stt_provider, stt_model, stt_language } }: SessionModel,
  overrides: Overrides,
): FrozenAssistant {
  const { llm_provider, llm_model, system_prompt, temperature } = mergeSettings(assistant, overrides);
  const missing = findMissingKey(deps.config, 'llm_provider', llm_provider);
  if (missing) throw invalid(missing);
  const settings = {
    ...assistant.freeze(),
    ...{ stt_provider, stt_model, stt_language, llm_provider, llm_model, system_prompt, temperature },
  };
  const forbidden = findForbiddenModels(deps.config, settings).filter(({ path }) => path === 'llm_model');
  if (forbidden.length > 0) throw invalid(...forbidden);
  return settings;
}
