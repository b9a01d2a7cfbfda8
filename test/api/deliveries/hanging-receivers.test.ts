import type { DeliveryStatus } from '../../../contract/values/constants.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { startDelivery } from '../../../runtime/temporal/start.ts';
import { send } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, createOwner, createSession, createUser, says } from '../../support/factories.ts';
import { startReceiver, type Answering, type Receiver } from '../../support/receiver.ts';
import { useTestService } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { testTemporal } from '../../support/temporal.ts';

/** A worker has twice as many slots for webhooks: 5 % of them for one host, 25 % for one workspace. */
const CALLS_PER_PROVIDER = 40;
const PER_HOST = 4;
const PER_WORKSPACE = 20;

describe('A webhook receiver that hangs', () => {
  const service = useTestService({ env: { WORKER_CALLS_PER_PROVIDER: String(CALLS_PER_PROVIDER) } });
  let hanging: Receiver;
  let healthy: Receiver;
  let hang: Answering;
  let letGo: () => void;
  /** Number of connections that the hanging receiver holds. */
  let open: number;
  let mostOpen: number;
  beforeEach(async () => {
    const held = Promise.withResolvers<void>();
    letGo = held.resolve;
    [open, mostOpen] = [0, 0];
    hang = (response) => {
      mostOpen = Math.max(mostOpen, ++open);
      response.once('close', () => (open -= 1));
      void held.promise.then(() => response.end());
    };
    hanging = await stopAfterTest(startReceiver(hang));
    healthy = await stopAfterTest(startReceiver(undefined, '127.0.0.2'));
  });
  afterEach(() => letGo());
  const newSession = async (webhook_url: string) => {
    return createSession((await createOwner({ webhook_url })).assistant);
  };

  /** Starts `count` deliveries of the session, and returns their workflows. */
  async function start(count: number, { id: session_id, workspace_id, assistant_id }: SessionModel) {
    const { temporal } = await testTemporal();
    const fields = { workspace_id, session_id, assistant_id, event: 'session.completed', payload: '{}' } as const;
    const rows = await DeliveryModel.createOwn(Array.from({ length: count }, () => fields));
    await Promise.all(rows.map((row) => startDelivery(temporal.client, row)));
    return rows.map(({ id }) => temporal.client.workflow.getHandle(id));
  }

  const count = (session: SessionModel, status: DeliveryStatus) =>
    DeliveryModel.query().where({ session_id: session.id, status }).resultSize();

  it('does not delay other receivers and analyses while it holds its connections', async () => {
    const [stuck, well] = [await newSession(hanging.url), await newSession(healthy.url)];
    await start(20, stuck);
    await eventually(() => open, PER_HOST);
    await start(PER_HOST, well);
    await eventually(() => count(well, 'delivered'), PER_HOST);
    const { token, assistant } = await createOwner();
    const body = { assistant_id: assistant.id, conversation: says('Hello.') };
    expect((await send(service.api, 'submitTextRequest', { token, body })).body.status).to.equal('completed');
    expect(await count(stuck, 'delivered')).to.equal(0);
    expect(mostOpen).to.equal(PER_HOST);
  });

  it('gets a limited number of concurrent requests, and all deliveries once it responds', async () => {
    const stuck = await newSession(hanging.url);
    await start(PER_HOST, stuck);
    await eventually(() => open, PER_HOST);
    const refused = (await start(4, stuck)).map((handle) =>
      eventually(
        async () => (await handle.describe()).raw.pendingActivities?.[0]?.lastFailure?.applicationFailureInfo?.type,
        'no_slot',
      ),
    );
    await Promise.all(refused);
    expect(hanging.requests).to.have.length(PER_HOST);
    letGo();
    await eventually(() => count(stuck, 'delivered'), 2 * PER_HOST);
    expect(hanging.requests).to.have.length(2 * PER_HOST);
    expect(mostOpen).to.equal(PER_HOST);
    expect(hanging.requests.every(({ headers }) => headers['x-webhook-attempt'] === '1')).to.equal(true);
  });

  it('with many host names uses only the slots of its own workspace', async () => {
    const hosts = [3, 4, 5, 6, 7, 8].map((last) => `127.0.0.${last}`);
    const others = await Promise.all(hosts.map((host) => stopAfterTest(startReceiver(hang, host))));
    const { workspaceId } = await createUser();
    for (const { url } of [hanging, ...others]) {
      await start(5, await createSession(await createAssistant(workspaceId, { webhook_url: url })));
    }
    await eventually(() => open, PER_WORKSPACE);
    const well = await newSession(healthy.url);
    await start(PER_HOST, well);
    await eventually(() => count(well, 'delivered'), PER_HOST);
    expect(mostOpen).to.equal(PER_WORKSPACE);
    letGo();
  });
});
