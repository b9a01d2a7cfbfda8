import { getSessionCall } from '../../contract/calls.ts';
import * as contract from '../../contract/session-operations.ts';
import { getSessionTimeline } from '../../contract/timeline.ts';
import { getSessionTranscript } from '../../contract/transcripts.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { answerWithTranscript } from '../answers/answer-with-transcript.ts';
import { runSession } from '../answers/run-session.ts';
import { addDetails } from '../../db/queries/session-details.ts';
import { replyWithSession, showSession } from '../answers/show-session.ts';
import { cancelSession } from '../commands/cancel-session.ts';
import { deleteSession } from '../commands/delete-session.ts';
import { estimateReanalysis } from '../commands/estimate-reanalysis.ts';
import { findSession } from '../lookups/find-session.ts';
import { reanalyzeSession } from '../commands/reanalyze-session.ts';
import { retrySession } from '../commands/retry-session.ts';
import { setSessionRoles } from '../commands/set-session-roles.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { handle } from '../http/handle.ts';
import { presentVendorCall } from '../presenters/vendor-call.ts';
import { presentTimeline } from '../presenters/timeline.ts';

export const sessionOperationRoutes = (deps: ApiDeps) => [
  handle(getSessionTimeline, async ({ params: { id }, userId }) => {
    const session = await findSession({ userId, id });
    const [calls, deliveries] = await Promise.all([
      VendorCallModel.findOfSession(id),
      DeliveryModel.findTimesOfSession(id),
    ]);
    return { data: presentTimeline(session, calls, deliveries), next_cursor: null };
  }),

  handle(getSessionCall, async ({ params: { id, call_id }, userId }) => {
    const session = await findSession({ userId, id });
    const call = await VendorCallModel.findByCallId(session.id, call_id);
    if (!call) throw new ApiError('not_found', 'This session has made no such call.');
    return presentVendorCall(call);
  }),

  handle(getSessionTranscript, async ({ params: { id }, query: { format = 'json' }, userId }) =>
    answerWithTranscript(await findSession({ userId, id }), format),
  ),

  handle(contract.cancelSession, async ({ params: { id }, userId, signal, endTurn }) =>
    replyWithSession(deps, await addDetails(await cancelSession(deps, { userId, id }, { signal, endTurn }))),
  ),

  handle(contract.retrySession, async ({ params: { id }, userId, headers: { prefer }, signal, endTurn }) =>
    runSession(deps, await retrySession(deps, { userId, id }), { prefer, signal, endTurn }),
  ),

  handle(contract.reanalyzeSession, async ({ params: { id }, userId, headers, body, signal, endTurn }) => {
    const { dry_run, trial, ...overrides } = body;
    if (dry_run) return estimateReanalysis(deps, { userId, id }, overrides);
    const run = await reanalyzeSession(deps, { userId, id }, { overrides, trial });
    return runSession(deps, run, { prefer: headers.prefer, signal, endTurn });
  }),

  handle(contract.setSessionRoles, async ({ params: { id }, userId, body: { map } }) =>
    showSession(deps, await setSessionRoles({ userId, id }, map)),
  ),

  handle(contract.deleteSession, ({ params: { id }, userId }) => deleteSession(deps, { userId, id })),
];
