import { kindsMissing } from '../../contract/values/redaction.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { insertCopies } from '../../db/queries/reanalysis.ts';
import { startSession } from '../../runtime/temporal/start.ts';
import type { ApiDeps } from '../deps.ts';
import { invalidAt, refusal, requireFound } from '../errors.ts';
import { findSession } from '../runs/read-session.ts';
import { requireSessionRoom, requireTextQuota } from '../runs/store-and-start.ts';
import { tryTemporal } from '../temporal.ts';

/** Stores and starts a follow-up of a session, and returns it. If Temporal is down, the sweep starts it. */
export async function analyzeSession(
  deps: Pick<ApiDeps, 'config' | 'temporal' | 'log'>,
  { id, workspace_id, assistant_id, assistant: { redaction }, conversation, first_session_id }: SessionModel,
  chosen: { assistant_id: string; created_by: string },
): Promise<SessionModel> {
  if (first_session_id !== null) throw refusal('is_follow_up', { first: first_session_id });
  if (conversation === null) throw refusal('no_transcript:to_analyze');
  const assistant = await AssistantModel.findOwned(workspace_id, chosen.assistant_id);
  if (!assistant) throw invalidAt('assistant_id', 'not_assistant');
  if (assistant.id === assistant_id) throw invalidAt('assistant_id', 'not_assistant:other');
  const missing = kindsMissing(redaction, assistant.redaction);
  if (missing.length > 0) throw invalidAt('assistant_id', 'redacts_less', { kinds: missing.join(', ') });
  await requireSessionRoom(deps, workspace_id);
  await requireTextQuota(deps, workspace_id);
  const { version: assistant_version, on_provider_outage, llm_provider } = assistant;
  const simulated = deps.config.providers.analysis[llm_provider].isSimulated;
  const { created_by } = chosen;
  const settings = assistant.freeze();
  const copy = { settings, assistant_version, on_provider_outage, simulated, batch_id: null, created_by };
  const [stored] = await insertCopies('follow-ups', [id], copy, SessionModel.knex());
  const row = requireFound(stored, 'session');
  await tryTemporal(deps, row.id, () => startSession(deps.temporal, row));
  return findSession(workspace_id, row.id);
}
