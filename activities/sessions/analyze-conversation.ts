import type { Client } from '@temporalio/client';
import type { LlmProviderName, SessionStatus } from '../../contract/values/constants.ts';
import type { WebhookPayload } from '../../contract/sessions/deliveries.ts';
import { fieldRowsOf } from '../../contract/fields/field-rows.ts';
import { withScores } from '../../contract/fields/score.ts';
import type { StepInput } from '../../contract/workflows.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { SessionModel } from '../../db/models/session.ts';
import { payloadOf } from '../../db/queries/session-payload.ts';
import { beginStep, finishSession, type BegunStep } from '../../db/queries/session-status.ts';
import type { RedactSessionDeps } from '../../redaction/redact-session.ts';
import { sessionEnded } from '../../runtime/telemetry/events.ts';
import { startSession } from '../../runtime/temporal/start.ts';
import { buildAlerts } from '../alerts/build-alerts.ts';
import type { Bulkhead } from '../bulkhead.ts';
import { askModel, type ModelAnswer, type PaidAnswer } from '../providers/llm/ask-model.ts';
import type { CallModelDeps } from '../providers/llm/call-model.ts';
import { retryWhileDatabaseDown } from '../retry-while-database-down.ts';
import { startPendingDeliveries } from './end-session.ts';
import { redactBeforeAnalysis } from './redact.ts';
import { economyMs } from './economy.ts';
import { insertFollowUps, matchFollowUps } from './follow-ups.ts';
import { requireEnded, runStep, type RunStepDeps } from './run-step.ts';

export interface AnalyzeConversationDeps extends CallModelDeps, RedactSessionDeps, RunStepDeps {
  /** Limits the large conversations in this worker's memory. */
  largeConversations: Bulkhead;
  /** Starts the deliveries of alerts. */
  client: Client;
  /** Origin of the console; undefined: alerts have no link. */
  publicUrl: string | undefined;
  /** Whether a stand-in replaces the provider. */
  isSimulated: (provider: LlmProviderName) => boolean;
}

/** The result of the step for the workflow: IDs and codes only. */
export interface AnalysisOutcome {
  /** The session's status; `gone` if the session does not exist. */
  status: SessionStatus | 'gone';
  /** ID of the result's delivery, or null. */
  delivery_id: string | null;
}

/**
 * Returns the activity that analyzes a conversation. The result and its deliveries are stored in one transaction before
 * the activity returns, so a stored answer is never paid for twice. Alerts are delivered by their own workflows.
 */
export function createAnalyzeConversation(deps: AnalyzeConversationDeps) {
  return async function analyzeConversation({ session_id, caller }: StepInput): Promise<AnalysisOutcome> {
    const { bulkheads, largeConversations } = deps;
    const step = 'analysis';
    const full = bulkheads.findWithoutSlot(step, caller);
    const begun = await beginStep(session_id, step, full, largeConversations.hasSlotFor(caller));
    if (begun) {
      const release = begun.isLarge ? largeConversations.claim(caller) : undefined;
      try {
        const { session } = begun;
        if (release) session.conversation = await SessionModel.readConversation(session_id);
        const store = (current: SessionModel, answer: PaidAnswer) =>
          storeResult(deps, { ...begun, session: current }, answer);
        const { llm_provider: provider } = session.assistant;
        const prepare = (_: SessionModel, signal: AbortSignal) => redactBeforeAnalysis(deps, session, caller, signal);
        const cheapMs = economyMs(begun, caller);
        const run = async (current: SessionModel, signal: AbortSignal) => {
          const answer = await askModel(deps, current, signal, cheapMs > 0 ? begun.waitedMs < cheapMs : undefined);
          return retryWhileDatabaseDown(() => store(current, answer));
        };
        const stored =
          session.conversation?.length === 0
            ? await store(session, answerWithoutSpeech(session))
            : await runStep(deps, { ...begun, step, provider, caller, prepare, run });
        if (stored) {
          sessionEnded.publish({ status: 'completed' });
          // The sweep starts those whose start is lost.
          await Promise.all(stored.followUps.map((each) => startSession(deps.client, each)));
          if (stored.has_alerts) await startPendingDeliveries(deps.client, session_id, 'session.alert');
          return { status: 'completed', delivery_id: stored.delivery_id };
        }
      } finally {
        release?.();
      }
    }
    const status = await requireEnded(session_id, step, (provider) =>
      full.includes(provider) ? bulkheads.refusal({ step, provider }, caller) : largeConversations.refusal(caller),
    );
    if (status === 'completed') await startPendingDeliveries(deps.client, session_id, 'session.alert');
    const delivery = await DeliveryModel.findOfWorkflow(session_id);
    return { status, delivery_id: delivery?.id ?? null };
  };
}

const NO_SPEECH = 'No speech in the recording.';

/** Returns the result of a recording without speech. No model is called, because it would invent a conversation. */
function answerWithoutSpeech({ assistant: { fields }, assistant_version }: SessionModel): PaidAnswer {
  const none = { fields: Object.fromEntries((fields ?? []).map(({ name }) => [name, null])), evidence: {} };
  const empty = fields && withScores(fields, none, assistant_version);
  const answer = {
    summary_text: NO_SPEECH,
    raw_response: { summary_text: NO_SPEECH, no_speech: true, ...empty },
    temperature_applied: null,
    field_encoding: null,
    left_out: null,
  };
  return { answer, paid: { end: undefined, sessionCost: undefined } };
}

/** Stores the result with its deliveries and follow-ups. Returns undefined if the session has ended. */
async function storeResult(
  { publicUrl, isSimulated }: AnalyzeConversationDeps,
  { session, alerts, follow_ups }: Pick<BegunStep, 'session' | 'alerts' | 'follow_ups'>,
  { answer, paid }: PaidAnswer,
) {
  const payload = await buildPayload(session, answer, paid.sessionCost);
  const { fields } = session.assistant;
  const rows = fieldRowsOf(fields, answer.raw_response);
  const end = { status: 'completed', ...answer, answered_by: session.answered_by, field_rows: rows } as const;
  const options = {
    call: paid.end,
    texts: session,
    delivery: { id: DeliveryModel.newId(), event: 'session.completed', payload: JSON.stringify(payload) },
    alerts: buildAlerts({ alerts, fields, rows, workspaceId: session.workspace_id, publicUrl }, payload),
  } as const;
  const matched = matchFollowUps(session, follow_ups, rows);
  if (matched.length === 0) {
    const finished = await finishSession(session.id, end, options);
    return finished && { ...finished, followUps: [] };
  }
  return SessionModel.transaction(async (trx) => {
    const finished = await finishSession(session.id, end, { ...options, trx });
    return finished && { ...finished, followUps: await insertFollowUps({ isSimulated }, session, matched, trx) };
  });
}

/** @param sessionCost in US dollars; undefined: read it from the ledger. */
async function buildPayload(session: SessionModel, answer: ModelAnswer, sessionCost?: number): Promise<WebhookPayload> {
  const total_cost = sessionCost ?? (await ProviderCallModel.findCosts([session.id])).get(session.id)?.total_cost ?? 0;
  return { event: 'session.completed', ...payloadOf(session, answer, total_cost) };
}
