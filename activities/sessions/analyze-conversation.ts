import type { SessionStatus } from '../../contract/constants.ts';
import type { WebhookPayload } from '../../contract/deliveries.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { findConversationSize } from '../../db/queries/conversation-size.ts';
import { endAnalysis } from '../../db/queries/end-analysis.ts';
import type { FairShares } from '../../runtime/fair-shares.ts';
import { sessionEnded } from '../../runtime/telemetry/events.ts';
import { askModel } from '../vendors/llm/ask-model.ts';
import type { AskModelDeps, ModelAnswer } from '../vendors/llm/ask-model.ts';
import { NoSlotError } from '../vendors/record-call.ts';
import type { PaidCall } from '../vendors/record-call.ts';
import { readyFirstAttempt } from '../webhooks/first-attempt.ts';
import type { FirstAttempt, FirstAttemptDeps } from '../webhooks/first-attempt.ts';
import { maskSecrets } from '../webhooks/webhook-headers.ts';
import type { EndedAttempt } from '../webhooks/send-attempt.ts';
import { enterSmallAnalysis, enterStep } from './enter-step.ts';
import { runStep, waitForShare } from './run-step.ts';
import { duringOutages } from './vendor-outage.ts';
import type { OutageDeps } from './vendor-outage.ts';

export interface AnalyzeConversationDeps extends AskModelDeps, OutageDeps, FirstAttemptDeps {
  /** Bytes of the conversations that this worker holds; those of small ones are not counted. */
  conversations: FairShares;
}

export interface StepInput {
  session_id: string;
  /** The workflow takes the outcome of the first attempt with that of the analysis; one of a former release does not. */
  delivers?: boolean;
}

/** The facts that the workflow needs of the session after this step; nothing of what was said. */
export interface AnalysisOutcome {
  /** The session's status; `gone` when the session does not exist. */
  status: SessionStatus | 'gone';
  /** Id of the webhook's delivery; null when there is none. */
  delivery_id: string | null;
  /** Host and port that the delivery goes to. */
  webhook_host?: string;
  /** The outcome of the first attempt, where this run of the activity made it. */
  first_attempt?: EndedAttempt;
}

/** The outcome, and what is to be done at once by who stored it. */
export interface AnalysisEnd extends AnalysisOutcome {
  /** The sessions of the same owner that may begin now. */
  woken?: string[];
  /** Its row is stored, so it is to be sent, once. */
  firstAttempt?: FirstAttempt;
}

/** Conversations up to this size need no share of the memory: all slots together hold a few megabytes of them. */
const SMALL_CONVERSATION_BYTES = 16 * 1_024;

/**
 * Returns the activity that analyzes a conversation. The result is stored before it is reported, so that an answer that
 * is stored is never paid for again. Result, delivery and the row of its first attempt are stored together, so that none
 * exists without the others.
 */
export function createAnalyzeConversation(deps: AnalyzeConversationDeps) {
  return async function analyzeConversation(input: StepInput): Promise<AnalysisEnd> {
    const { session_id } = input;
    const small = await enterSmallAnalysis(deps, session_id, SMALL_CONVERSATION_BYTES);
    if (small) return analyze(small, input);
    const size = await findConversationSize(session_id);
    if (!size || size.bytes <= SMALL_CONVERSATION_BYTES) return outcomeOfEnded(session_id);
    const giveBack = await waitForShare(deps.conversations, size.user_id, size.bytes);
    try {
      const session = await enterStep(deps, session_id, 'analysis');
      return await (session ? analyze(session, input) : outcomeOfEnded(session_id));
    } finally {
      giveBack();
    }
  };

  async function analyze(session: SessionModel, input: StepInput): Promise<AnalysisEnd> {
    let stored: AnalysisEnd | undefined;
    const run = (as: SessionModel, retryWindowMs: number) =>
      runStep('analysis', as, retryWindowMs, (signal) =>
        askModel(deps, as, signal, async (answer, call) => (stored = await storeResult(as, input, answer, call))),
      );
    const { llm_provider: provider } = session.assistant;
    try {
      const end = await duringOutages(deps, { session, step: 'analysis', provider, run });
      if (end === undefined || end === 'waits') return await outcomeOfEnded(session.id);
      sessionEnded.tell({ status: 'completed' });
      return end;
    } catch (error) {
      stored?.firstAttempt?.free();
      if (error instanceof NoSlotError) return outcomeOfEnded(session.id);
      throw error;
    }
  }

  /** Stores the result with all that follows from it. Returns undefined if the session ended meanwhile. */
  async function storeResult(
    session: SessionModel,
    { delivers = false }: StepInput,
    answer: ModelAnswer,
    call: PaidCall | undefined,
  ): Promise<AnalysisEnd | undefined> {
    const { id: session_id, answered_by } = session;
    const payload = JSON.stringify(await buildPayload(session, answer, call?.sessionCost));
    const delivery = { id: DeliveryModel.newId(), event: 'session.completed' as const, payload };
    const first = delivers ? readyFirstAttempt(deps, session, delivery) : undefined;
    const end = { status: 'completed', ...answer, answered_by } as const;
    let isBegun = false;
    try {
      const firstAttempt = first && { ...first, request_headers: maskSecrets(first.headers) };
      const stored = await endAnalysis(
        { session_id, call: call?.closed, end, delivery, firstAttempt },
        deps.maxSessionsInFlight,
      );
      if (!stored.is_stored) return undefined;
      isBegun = stored.is_begun;
      const { posts_to, woken } = stored;
      return {
        status: 'completed',
        delivery_id: posts_to === null ? null : delivery.id,
        ...(posts_to !== null && { webhook_host: new URL(posts_to).host }),
        ...(woken && { woken }),
        ...(isBegun && first && { firstAttempt: first }),
      };
    } finally {
      if (!isBegun) first?.free();
    }
  }
}

/** @param sessionCost undefined: the ledger is asked. */
async function buildPayload(session: SessionModel, answer: ModelAnswer, sessionCost?: number): Promise<WebhookPayload> {
  const total_cost = sessionCost ?? (await VendorCallModel.findCosts([session.id])).get(session.id)?.total_cost ?? 0;
  return {
    event: 'session.completed',
    session_id: session.id,
    assistant_id: session.assistant_id,
    status: 'completed',
    summary_text: answer.summary_text,
    raw_response: answer.raw_response,
    total_cost,
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
