/** Reports a delivery whose last attempt failed to the alerts that its assistant has for this. */
import type { Client } from '@temporalio/client';
import type { DeliveryFailedPayload } from '../../contract/sessions/deliveries.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { claimNotice } from '../../db/queries/claim-notice.ts';
import { startDelivery } from '../../runtime/temporal/start.ts';
import { explainFailure } from './build-alerts.ts';

export interface ReportFailureDeps {
  client: Client;
  publicUrl: string | undefined;
}

/** Creates and starts the deliveries of the alerts. May be repeated: a receiver is reported once an hour. A failed report is not reported. */
export async function reportFailure({ client, publicUrl }: ReportFailureDeps, delivery: DeliveryModel): Promise<void> {
  const { id: delivery_id, workspace_id, session_id, assistant_id, event: failed_event, assistant } = delivery;
  const alerts = assistant?.alerts?.filter(({ event }) => event === 'delivery.failed') ?? [];
  if (alerts.length === 0 || session_id === null || failed_event === 'delivery.failed') return;
  const last = await DeliveryAttemptModel.query().where({ delivery_id }).orderBy('attempt', 'desc').first();
  if (!last) return;
  const { attempt: attempts, failure, failure_code, status_code } = last;
  const event = 'delivery.failed';
  const receiver = new URL(last.url).host;
  await DeliveryModel.transaction(async (trx) => {
    for (const { name, url, format } of alerts) {
      if (!(await claimNotice({ workspace_id, receiver, url }, trx))) continue;
      const created_at = delivery.created_at.toISOString();
      const facts = { failed_event, receiver, attempts, failure, failure_code, status_code, created_at };
      const ids = { delivery_id, session_id, assistant_id };
      const payload: DeliveryFailedPayload = { event, ...ids, ...facts, alert: { name } };
      const body = JSON.stringify(explainFailure(format, payload, { workspaceId: workspace_id, publicUrl }));
      await DeliveryModel.createOwn(
        [{ workspace_id, session_id, assistant_id, event, alert: name, payload: body }],
        trx,
      );
    }
  });
  const pending = await DeliveryModel.findPendingOfSession(session_id, event);
  await Promise.all(pending.map((report) => startDelivery(client, report)));
}
