/** How a session gets the slot that each step needs: docs/decisions.md, "Sessions in flight" and "Vendor away". */
import { ApplicationFailure } from '@temporalio/common';
import { STATUS_OF_STEP } from '../../contract/constants.ts';
import type { Step } from '../../contract/constants.ts';
import type { SessionError } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorOutageModel } from '../../db/models/vendor-outage.ts';
import { claimSlot, findUnfinished } from '../../db/queries/session-slots.ts';
import { resumeSession } from '../../db/queries/vendor-waits.ts';
import { heedsOutages } from './vendor-outage.ts';
import type { OutageDeps } from './vendor-outage.ts';

/** The longest that a session waits for vendors in one run. */
const MAX_WAIT_MS = 24 * 3_600_000;

/**
 * Returns a session with a small conversation that may be analyzed. Where nothing stands between it and its call it gets its
 * slot with that, in one commit; else it has it already.
 */
export async function enterSmallAnalysis(
  deps: Pick<OutageDeps, 'maxSessionsInFlight'>,
  id: string,
  maxBytes: number,
): Promise<SessionModel | undefined> {
  const session = await findUnfinished(id, maxBytes);
  return session && heedsOutages(session, 'analysis') ? enterStep(deps, id, 'analysis') : session;
}

/**
 * Claims a slot for a step. A session that waits for its vendor gets none until the vendor is back, or its own call is
 * to be the probe. Throws once it has waited for a day.
 */
export async function enterStep(
  { maxSessionsInFlight }: Pick<OutageDeps, 'maxSessionsInFlight'>,
  id: string,
  step: Step,
): Promise<SessionModel | undefined> {
  const claim = () => claimSlot(id, STATUS_OF_STEP[step], maxSessionsInFlight);
  return (await claim()) ?? ((await mayGoOn(id, step)) ? claim() : undefined);
}

async function mayGoOn(id: string, stage: Step): Promise<boolean> {
  const session = await SessionModel.query()
    .select(...WAIT_COLUMNS)
    .findOne({ id, status: 'queued' });
  const provider = session?.waiting_for_provider;
  if (!session || provider == null) return false;
  if (Date.now() > (session.waiting_since?.getTime() ?? 0) + MAX_WAIT_MS) throw waitedTooLong(session, stage);
  const isAway = (await VendorOutageModel.find(provider)) !== undefined;
  if (isAway && !(await VendorOutageModel.takeProbe(provider, id))) return false;
  await resumeSession(id);
  return true;
}

const WAIT_COLUMNS = ['waiting_for_provider', 'waiting_since', 'waiting_reason'] as const;

function waitedTooLong({ waiting_for_provider: provider, waiting_reason }: SessionModel, stage: Step) {
  const message = `${provider} was away for a day`;
  const error: SessionError = { code: waiting_reason ?? 'unavailable', stage, provider, message, retryable: true };
  return ApplicationFailure.nonRetryable(message, error.code, error);
}
