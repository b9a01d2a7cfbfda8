import { getAssistantAccuracy, getBatchAccuracy } from '../../contract/reviews/accuracy.ts';
import * as contract from '../../contract/reviews/reviews.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import type { ApiDeps } from '../deps.ts';
import { creatorOf } from '../guard/authenticate.ts';
import { handle } from '../http/handle.ts';
import { findSession } from '../runs/read-session.ts';
import { readAssistantAccuracy, readBatchAccuracy } from './accuracy.ts';
import { deleteReview, presentReview, putReview } from './reviews.ts';

export const reviewRoutes = (deps: Pick<ApiDeps, 'config'>) => [
  handle(contract.getSessionReview, async ({ params: { id }, workspaceId }) => {
    await findSession(workspaceId, id);
    return presentReview(id, await SessionReviewModel.query().findById(id));
  }),

  handle(contract.putSessionReview, ({ params: { id }, headers, body, workspaceId, ...caller }) =>
    putReview(deps, { workspaceId, id, ifMatch: headers['if-match'] }, creatorOf(caller), body),
  ),

  handle(contract.deleteSessionReview, ({ params: { id }, headers, workspaceId }) =>
    deleteReview({ workspaceId, id, ifMatch: headers['if-match'] }),
  ),

  handle(getAssistantAccuracy, ({ params: { id }, query, workspaceId }) =>
    readAssistantAccuracy(workspaceId, id, query),
  ),

  handle(getBatchAccuracy, ({ params: { id }, workspaceId }) => readBatchAccuracy(workspaceId, id)),
];
