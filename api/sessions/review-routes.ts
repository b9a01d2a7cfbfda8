import * as contract from '../../contract/sessions/reviews.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import { creatorOf } from '../guard/authenticate.ts';
import { handle } from '../http/handle.ts';
import { findSession } from '../runs/read-session.ts';
import { deleteReview, presentReview, putReview } from './reviews.ts';

export const reviewRoutes = () => [
  handle(contract.getSessionReview, async ({ params: { id }, workspaceId }) => {
    await findSession(workspaceId, id);
    return presentReview(id, await SessionReviewModel.query().findById(id));
  }),

  handle(contract.putSessionReview, ({ params: { id }, headers, body, workspaceId, ...caller }) =>
    putReview({ workspaceId, id, ifMatch: headers['if-match'] }, creatorOf(caller), body),
  ),

  handle(contract.deleteSessionReview, ({ params: { id }, headers, workspaceId }) =>
    deleteReview({ workspaceId, id, ifMatch: headers['if-match'] }),
  ),
];
