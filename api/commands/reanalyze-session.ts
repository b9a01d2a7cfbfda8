import { typeid } from 'typeid-js';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { SessionModel } from '../../db/models/session.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { findSession } from '../lookups/find-session.ts';
import type { OwnedSession } from '../lookups/find-session.ts';
import { chooseSettings } from './choose-settings.ts';
import type { Overrides } from './choose-settings.ts';
import type { SessionRun } from './session-run.ts';
import { storeAndStart } from './store-and-start.ts';

type Deps = Pick<ApiDeps, 'config' | 'temporal'>;

/**
 * Prepares a new session over what was said in another: nothing is transcribed again.
 * @param choice the settings in the place of the assistant's own, and whether they are only tried.
 */
export async function reanalyzeSession(
  deps: Deps,
  session: OwnedSession,
  { overrides, trial }: { overrides: Overrides; trial: boolean },
): Promise<SessionRun> {
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
    assistant_version: trial ? null : version,
    trial,
    on_vendor_outage,
    source_session_id: source.id,
    ...rolesThatStay(source),
    simulated: deps.config.providers[settings.llm_provider].isSimulated || (type === 'voice' && source.simulated),
  };
  return { sessionId, start: () => storeAndStart(deps, row) };
}

/** What channels and persons say stays; the model is asked anew. */
const rolesThatStay = ({ roles, person_roles }: SessionModel) => ({
  roles: roles?.source === 'channels' ? roles : null,
  person_roles,
});

/** Returns the session with its conversation and the settings of the new one. Throws where there can be none. */
export async function prepareReanalysis(deps: Pick<ApiDeps, 'config'>, session: OwnedSession, overrides: Overrides) {
  const source = await findSession(session);
  const { user_id, assistant_id, conversation } = source;
  if (conversation === null) throw new ApiError('conflict', 'There is no transcript of this session to analyze.');
  const assistant = await AssistantModel.findOwned(user_id, assistant_id);
  if (!assistant) throw new ApiError('conflict', 'The assistant of this session is deleted.');
  const chosen = chooseSettings(deps, assistant, { overrides });
  const { stt_provider, stt_model, stt_language, channel_roles } = source.assistant;
  const { channel_roles: _present, ...present } = chosen.settings;
  // Those of the transcription stay as they were.
  const settings = { ...present, stt_provider, stt_model, stt_language, ...(channel_roles && { channel_roles }) };
  const { version } = chosen;
  return { source, conversation, settings, version, on_vendor_outage: assistant.on_vendor_outage };
}
