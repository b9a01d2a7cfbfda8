import type { Transaction } from 'objection';
import type { SessionStatus } from '../../contract/constants.ts';
import type { WebhookPayload } from '../../contract/deliveries.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { findConversationSize } from '../../db/queries/conversation-size.ts';
import { findWebhook } from '../../db/queries/find-webhook.ts';
import type { FairShares } from '../../runtime/fair-shares.ts';
import { sessionEnded } from '../../runtime/telemetry/events.ts';
import { askModel } from '../vendors/llm/ask-model.ts';
import type { AskModelDeps, ModelAnswer } from '../vendors/llm/ask-model.ts';
import { runStep, waitForShare } from './run-step.ts';
import { duringOutages, enterStep } from './vendor-outage.ts';
import type { OutageDeps } from './vendor-outage.ts';

export interface AnalyzeConversationDeps extends AskModelDeps, OutageDeps {
  /** Bytes of the conversations that this worker holds. */
  conversations: FairShares;
}

export interface StepInput {
  session_id: string;
}

/** The facts that the workflow needs of the session after this step; nothing of what was said. */
export interface AnalysisOutcome {
  /** The session's status; `gone` when the session does not exist. */
  status: SessionStatus | 'gone';
  /** Id of the webhook's delivery; null when there is none. */
  delivery_id: string | null;
  /** Host and port that the delivery goes to. */
  webhook_host?: string;
}

/**
 * Returns the activity that analyzes a conversation. The result is stored before it is reported, so that an answer that
 * is stored is never paid for again. Result and delivery are stored in one transaction, so that neither exists without
 * the other.
 */
export function createAnalyzeConversation(deps: AnalyzeConversationDeps) {
  return async function analyzeConversation({ session_id }: StepInput): Promise<AnalysisOutcome> {
    const size = await findConversationSize(session_id);
    if (!size) return outcomeOfEnded(session_id);
    const giveBack = await waitForShare(deps.conversations, size.user_id, size.bytes);
    return analyze(session_id).finally(giveBack);
  };

  async function analyze(session_id: string): Promise<AnalysisOutcome> {
    const session = await enterStep(deps, session_id, 'analyzing');
    if (!session) return outcomeOfEnded(session_id);
    const run = (as: SessionModel, retryWindowMs: number) =>
      runStep('analysis', as, retryWindowMs, (signal) =>
        askModel(deps, as, signal, (answer, trx) => storeResult(as, answer, trx)),
      );
    const { llm_provider: provider } = session.assistant;
    const outcome = await duringOutages(deps, { session, step: 'analysis', provider, run });
    if (outcome === undefined || outcome === 'waits') return outcomeOfEnded(session_id);
    sessionEnded.tell({ status: 'completed' });
    return outcome;
  }
}

/** Stores the result, and a delivery if there is a webhook for it. Returns undefined if the session ended meanwhile. */
async function storeResult(
  session: SessionModel,
  answer: ModelAnswer,
  trx: Transaction,
): Promise<AnalysisOutcome | undefined> {
  const end = { status: 'completed', ...answer, answered_by: session.answered_by } as const;
  if (!(await SessionModel.finish(session.id, end, trx))) return undefined;
  const webhookUrl = await findWebhook(session, 'session.completed', trx);
  if (webhookUrl === null) return { status: 'completed', delivery_id: null };
  const payload = JSON.stringify(await buildPayload(session, answer, trx));
  const { id: session_id, user_id, assistant_id } = session;
  const delivery = { user_id, session_id, assistant_id, event: 'session.completed' as const, payload };
  const delivery_id = await DeliveryModel.create(delivery, trx);
  return { status: 'completed', delivery_id, webhook_host: new URL(webhookUrl).host };
}

async function buildPayload(session: SessionModel, answer: ModelAnswer, trx: Transaction): Promise<WebhookPayload> {
  const cost = (await VendorCallModel.findCosts([session.id], trx)).get(session.id);
  return {
    event: 'session.completed',
    session_id: session.id,
    assistant_id: session.assistant_id,
    status: 'completed',
    summary_text: answer.summary_text,
    raw_response: answer.raw_response,
    total_cost: cost?.total_cost ?? 0,
    created_at: session.created_at.toISOString(),
  };
}

/**
 * Returns the outcome of a session that must wait or has ended: in an earlier try whose report was lost, or because
 * somebody ended it.
 */
async function outcomeOfEnded(sessionId: string): Promise<AnalysisOutcome> {
  const status = await SessionModel.findStatus(sessionId);
  // As often as a long queue asks, and it has none.
  if (status === 'queued') return { status, delivery_id: null };
  const delivery = await DeliveryModel.findOfWorkflow(sessionId);
  return { status: status ?? 'gone', delivery_id: delivery?.id ?? null };
}
