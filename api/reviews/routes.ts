import { getAssistantAccuracy, getBatchAccuracy } from '../../contract/reviews/accuracy.ts';
import * as opinions from '../../contract/reviews/second-opinions.ts';
import * as contract from '../../contract/reviews/reviews.ts';
import { SecondOpinionModel } from '../../db/models/second-opinion.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import { creatorOf, type Caller } from '../guard/authenticate.ts';
import { handle } from '../http/handle.ts';
import { findSession } from '../runs/read-session.ts';
import { readAssistantAccuracy, readBatchAccuracy } from './accuracy.ts';
import { decideSecondOpinion, presentSecondOpinion, putSecondOpinion } from './second-opinions.ts';
import { presentReview, type ReviewDeps } from './change-review.ts';
import { deleteReview, putReview } from './reviews.ts';

const reviewerOf = (caller: Pick<Caller, 'key' | 'userId' | 'role'>) => ({
  reviewed_by: creatorOf(caller),
  person: caller.key ? caller.key.created_by : caller.userId,
  isOwner: caller.role === 'owner',
});

export const reviewRoutes = (deps: ReviewDeps) => [
  handle(contract.getSessionReview, async ({ params: { id }, workspaceId }) => {
    await findSession(workspaceId, id);
    return presentReview(id, await SessionReviewModel.query().findById(id));
  }),

  handle(contract.putSessionReview, ({ params: { id }, headers, body, workspaceId, ...caller }) =>
    putReview(deps, { workspaceId, id, ifMatch: headers['if-match'] }, reviewerOf(caller), body),
  ),

  handle(contract.deleteSessionReview, ({ params: { id }, headers, workspaceId, ...caller }) =>
    deleteReview(deps, { workspaceId, id, ifMatch: headers['if-match'] }, reviewerOf(caller)),
  ),

  handle(opinions.getSecondOpinion, async ({ params: { id }, workspaceId }) => {
    await findSession(workspaceId, id);
    return presentSecondOpinion(id, await SecondOpinionModel.query().findById(id));
  }),

  handle(opinions.putSecondOpinion, ({ params: { id }, body, workspaceId, ...caller }) =>
    putSecondOpinion(deps, { workspaceId, id }, reviewerOf(caller), body),
  ),

  handle(opinions.decideSecondOpinion, ({ params: { id }, body, workspaceId, ...caller }) =>
    decideSecondOpinion(deps, { workspaceId, id }, reviewerOf(caller), body.answers),
  ),

  handle(getAssistantAccuracy, ({ params: { id }, query, workspaceId }) =>
    readAssistantAccuracy(workspaceId, id, query),
  ),

  handle(getBatchAccuracy, ({ params: { id }, workspaceId }) => readBatchAccuracy(workspaceId, id)),
];
