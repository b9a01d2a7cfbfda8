import { typeid } from 'typeid-js';
import type { ReanalysisEstimate } from '../../contract/sessions/session-operations.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { findMeanUsage } from '../../db/queries/usage-of-sessions.ts';
import { roundUsd } from '../../runtime/prices/call-usage.ts';
import { chooseSettings, type Overrides } from '../assistants/settings.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal } from '../errors.ts';
import { storeAndStart } from '../runs/store-and-start.ts';
import { changeSettings, costOfAnalysis } from './estimate-cost.ts';
import type { SessionRun } from '../runs/run-session.ts';

/**
 * Prepares a new session that analyzes the conversation of another one. Nothing is transcribed again.
 * @param choice settings that replace the assistant's, and whether the session is a trial of them.
 */
export async function reanalyzeSession(
  deps: Pick<ApiDeps, 'config' | 'temporal'>,
  source: SessionModel,
  { overrides, trial, created_by }: { overrides: Overrides; trial: boolean; created_by: string },
): Promise<SessionRun> {
  const { settings, version, on_provider_outage } = await prepareReanalysis(deps, source, overrides);
  const { workspace_id, assistant_id, type } = source;
  const sessionId = typeid('sess').toString();
  const row = {
    id: sessionId,
    workspace_id,
    assistant_id,
    type,
    on_provider_outage,
    assistant: settings,
    assistant_version: trial ? null : version,
    trial,
    created_by,
    source_session_id: source.id,
    simulated: deps.config.providers.analysis[settings.llm_provider].isSimulated,
  };
  return { sessionId, start: (isAwaited) => storeAndStart(deps, row, isAwaited) };
}

/** Returns the cost of a reanalysis. Stores and pays nothing. Throws the same errors as the reanalysis. */
export async function estimateReanalysis(
  deps: Pick<ApiDeps, 'config' | 'prices'>,
  source: SessionModel,
  overrides: Overrides,
): Promise<ReanalysisEstimate> {
  const { settings } = await prepareReanalysis(deps, source, overrides);
  const { llm_provider, llm_model } = settings;
  const before = await findMeanUsage(SessionModel.query().select('id').where({ id: source.id }));
  const usage = before && changeSettings(before, settings);
  const { expected, most } = costOfAnalysis(deps, settings, usage);
  return {
    dry_run: true,
    llm_provider,
    llm_model,
    expected_usage: usage ? { input_tokens: usage.input_tokens, output_tokens: usage.output_tokens } : null,
    expected_cost_usd: expected,
    max_cost_usd: most === null ? null : roundUsd(most),
  };
}

/** Returns the settings of the new session. Throws `conflict` or `validation_failed`. */
async function prepareReanalysis(deps: Pick<ApiDeps, 'config'>, source: SessionModel, overrides: Overrides) {
  if (source.conversation === null) throw refusal('no_transcript:to_analyze');
  const assistant = await AssistantModel.findOwned(source.workspace_id, source.assistant_id);
  if (!assistant) throw refusal('assistant_deleted');
  return { ...chooseSettings(deps, assistant, { overrides }), on_provider_outage: assistant.on_provider_outage };
}
