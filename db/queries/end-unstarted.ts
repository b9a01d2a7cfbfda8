import { sessionEnded } from '../../runtime/telemetry/events.ts';
import { ProviderCallModel } from '../models/provider-call.ts';
import { SessionModel } from '../models/session.ts';
import { finishSession } from './session-status.ts';

/** Cancels a session without a running workflow. If the workflow starts later, it finds the session ended. */
export async function endUnstarted(id: string): Promise<void> {
  const isFirst = await SessionModel.transaction(async (trx) => {
    await ProviderCallModel.closeLost(id, trx);
    return finishSession(id, { status: 'canceled' }, { trx });
  });
  if (isFirst) sessionEnded.publish({ status: 'canceled' });
}
