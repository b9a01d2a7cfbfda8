import { SessionModel } from '../db/models/session.ts';
import type { SessionEnd } from '../db/models/session.ts';
import { VendorCallModel } from '../db/models/vendor-call.ts';

export interface EndSessionInput {
  session_id: string;
  end: Extract<SessionEnd, { status: 'failed' | 'canceled' }>;
}

/** Ends a session without a result; one that has ended already stays as it is. */
export async function endSession({ session_id, end }: EndSessionInput): Promise<void> {
  await SessionModel.transaction(async (trx) => {
    await VendorCallModel.closeLost(session_id, trx);
    await SessionModel.finish(session_id, end, trx);
  });
}
