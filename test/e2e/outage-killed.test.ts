import { expect } from 'chai';
import { createSweepLostSessions } from '../../activities/sweeps/sweep-lost-sessions.ts';
import type { WebhookPayload } from '../../contract/deliveries.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { VendorOutageModel } from '../../db/models/vendor-outage.ts';
import { standInEnvironment } from '../../local/vendors/environment.ts';
import { startVendors } from '../../local/vendors/server.ts';
import type { RunningVendors } from '../../local/vendors/server.ts';
import { startVendorGate } from '../../bench/vendor-gate.ts';
import type { VendorGate } from '../../bench/vendor-gate.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/log.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { useTestApi } from '../support/set-up.ts';
import { createSessionOwner } from '../support/sessions.ts';
import type { StartedProcess } from '../support/started-service.ts';
import { testTemporal } from '../support/temporal.ts';
import { endWorkerProcess, startWorkerProcess } from '../support/worker-process.ts';

const SESSIONS_EACH = 4;
const CAP = 50;

/** A worker's death is noticed after 15 s of silence. */
const END_TIMEOUT_MS = 120_000;

describe('kill -9 of the worker while a vendor is away', () => {
  const api = useTestApi();
  let vendors: RunningVendors;
  let vendor: VendorGate;
  let webhooks: Receiver;
  let worker: StartedProcess | undefined;
  before(async () => {
    vendors = await startVendors();
    vendor = await startVendorGate(vendors.url);
    webhooks = await startReceiver();
  });
  after(async function () {
    this.timeout(0);
    await endWorkerProcess(worker);
    await VendorOutageModel.query().delete();
    await Promise.all([webhooks.stop(), vendor.stop(), vendors.stop()]);
  });

  const startWorker = () => startWorkerProcess(standInEnvironment(['openai'], vendor.url) as Record<string, string>);

  /** Has the sweep find the next probe due. */
  async function probe(): Promise<void> {
    const { temporal } = await testTemporal();
    await VendorOutageModel.query().patch({ next_probe_at: new Date() });
    await createSweepLostSessions({ client: temporal.client, log: silentLog, maxSessionsInFlight: CAP })();
  }

  it('loses no session, pays for each once, and tells of each once, at its end', async function () {
    this.timeout(0);
    vendor.state = 'away';
    worker = await startWorker();
    const settings = { on_vendor_outage: 'wait', webhook_url: webhooks.url } as const;
    const owners = [await createSessionOwner(() => api, settings), await createSessionOwner(() => api, settings)];
    const ids: string[] = [];
    for (let round = 0; round < SESSIONS_EACH; round++) for (const owner of owners) ids.push(await owner.submit());
    const sessions = () => SessionModel.query().whereIn('id', ids);
    // Long before the ten minutes in which one session alone would try again.
    await eventually(
      () => sessions().whereNotNull('waiting_for_provider').resultSize(),
      (count) => count === ids.length,
      END_TIMEOUT_MS,
    );

    vendor.state = 'silent';
    vendor.forget();
    await probe();
    await eventually(
      () => vendor.unanswered.calls,
      (calls) => calls === 1,
    );
    worker.signal('SIGKILL');
    await worker.ended;
    vendor.state = 'there';
    worker = await startWorker();

    await eventually(
      () => sessions().where({ status: 'completed' }).resultSize(),
      (count) => count === ids.length,
      END_TIMEOUT_MS,
    );
    expect(vendor.unanswered.calls, 'only the probe asked').to.equal(1);
    const paid = await VendorCallModel.query().whereIn('session_id', ids).where({ status: 'succeeded' });
    expect(paid.map(({ session_id }) => session_id).sort()).to.deep.equal(ids.toSorted());
    const told = await eventually(
      () => webhooks.requests.map(({ body }) => (JSON.parse(body.toString()) as WebhookPayload).session_id),
      (found) => found.length === ids.length,
    );
    expect(told.sort()).to.deep.equal(ids.toSorted());
    expect(await VendorOutageModel.find('openai')).to.equal(undefined);
  });
});
