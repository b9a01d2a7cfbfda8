import { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { insertFollowUp } from '../../db/queries/reanalysis.ts';
import { lacksRedaction } from '../../redaction/redact-session.ts';
import { startSession } from '../../runtime/temporal/start.ts';
import type { ApiDeps } from '../deps.ts';
import { invalidAt, refusal, requireFound } from '../errors.ts';
import { findSession } from '../runs/read-session.ts';
import { requireSessionRoom, requireTextQuota } from '../runs/store-and-start.ts';
import { tryTemporal } from '../temporal.ts';

/** Stores and starts a follow-up of a session, and returns it. If Temporal is down, the sweep starts it. */
export async function analyzeSession(
  deps: Pick<ApiDeps, 'config' | 'temporal' | 'log'>,
  { id, workspace_id, assistant_id, assistant: first, conversation, redaction, first_session_id }: SessionModel,
  chosen: { assistant_id: string; created_by: string },
): Promise<SessionModel> {
  if (first_session_id !== null) throw refusal('is_follow_up', { first: first_session_id });
  // An unfinished reanalysis may redact more than its original: its conversation is not ready.
  if (conversation === null || lacksRedaction(first.redaction, redaction)) throw refusal('no_transcript:to_analyze');
  const assistant = await AssistantModel.findOwned(workspace_id, chosen.assistant_id);
  if (!assistant || assistant.id === assistant_id) throw invalidAt('assistant_id', 'not_assistant:other');
  await requireSessionRoom(deps, workspace_id);
  await requireTextQuota(deps, workspace_id);
  const simulated = deps.config.providers.analysis[assistant.llm_provider].isSimulated;
  const { created_by } = chosen;
  const [stored] = await insertFollowUp(id, assistant, { simulated, created_by }, SessionModel.knex());
  const row = requireFound(stored, 'session');
  await tryTemporal(deps, row.id, () => startSession(deps.temporal, row));
  return findSession(workspace_id, row.id);
}
