import type { AnalyseSessionInput } from '../contract/workflows.ts';
import type { SessionStatus } from '../contract/constants.ts';
import type { WebhookPayload } from '../contract/deliveries.ts';
import { AssistantModel } from '../db/models/assistant.ts';
import { DeliveryModel } from '../db/models/delivery.ts';
import { SessionModel } from '../db/models/session.ts';
import { VendorCallModel } from '../db/models/vendor-call.ts';
import { askModel } from './llm/ask-model.ts';
import type { AskModelDeps, ModelAnswer } from './llm/ask-model.ts';
import { persist } from './persist.ts';
import { runStep } from './step.ts';

export interface AnalyzeConversationDeps extends AskModelDeps {
  retryWindowMs: number;
}

/** What the workflow needs to know of the session after this step; nothing of what was said. */
export interface AnalysisOutcome {
  /** `gone`: the session does not exist. */
  status: SessionStatus | 'gone';
  /** The webhook to deliver, if there is one. */
  delivery_id: string | null;
}

/** The analysis, stored before it is reported: an answer that is stored is never paid for again. */
export function createAnalyzeConversation(deps: AnalyzeConversationDeps) {
  return async function analyzeConversation({ session_id }: AnalyseSessionInput): Promise<AnalysisOutcome> {
    const session = await SessionModel.begin(session_id, 'analyzing');
    if (!session) return describeEnded(session_id);
    return runStep('analysis', session, deps.retryWindowMs, async (signal) => {
      const answer = await askModel(deps, session, signal);
      return persist(() => storeResult(session, answer), signal);
    });
  };
}

/** Result and delivery are one transaction, so neither exists without the other. */
async function storeResult(session: SessionModel, answer: ModelAnswer): Promise<AnalysisOutcome> {
  const stored = await SessionModel.transaction(async (trx) => {
    const row = await SessionModel.finish(session.id, { status: 'completed', ...answer }, trx);
    const assistant = row && (await AssistantModel.query(trx).findById(row.assistant_id));
    if (!row || !assistant?.webhook_url) return { row, delivery_id: null };
    const cost = (await VendorCallModel.findCosts([row.id], trx)).get(row.id);
    const payload: WebhookPayload = {
      event: 'session.completed',
      session_id: row.id,
      assistant_id: row.assistant_id,
      status: 'completed',
      summary_text: answer.summary_text,
      raw_response: answer.raw_response,
      total_cost: cost?.total_cost ?? 0,
      created_at: row.created_at.toISOString(),
    };
    const delivery = await DeliveryModel.create(
      {
        user_id: row.user_id,
        session_id: row.id,
        assistant_id: row.assistant_id,
        event: payload.event,
        payload: JSON.stringify(payload),
      },
      trx,
    );
    return { row, delivery_id: delivery.id };
  });
  return stored.row ? { status: 'completed', delivery_id: stored.delivery_id } : describeEnded(session.id);
}

/** The session ended before this step: in an earlier try whose report was lost, or by someone's hand. */
async function describeEnded(sessionId: string): Promise<AnalysisOutcome> {
  const session = await SessionModel.query().findById(sessionId);
  const delivery = (await DeliveryModel.findLatest([sessionId])).get(sessionId);
  return { status: session?.status ?? 'gone', delivery_id: delivery?.id ?? null };
}
