import { expect } from 'chai';
import { submitTextRequest } from '../../contract/requests.ts';
import type { DeliveryStatus } from '../../contract/constants.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { startDelivery } from '../../runtime/temporal/start-delivery.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createSession, createUser } from '../support/factories.ts';
import { delaysOf } from '../support/history.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Answering, Receiver } from '../support/receiver.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';

const SLOTS = 20;
const PER_HOST = 4;
const PER_USER = 6;

describe('A receiver that hangs', () => {
  let service: TestService;
  let hanging: Receiver;
  let healthy: Receiver;
  let hang: Answering;
  let letGo: () => void;
  /** Connections that the hanging receiver holds. */
  let open: number;
  let mostOpen: number;
  before(async function () {
    this.timeout(0);
    service = await startTestService({
      env: {
        WORKER_ACTIVITY_SLOTS: '2',
        WORKER_WEBHOOK_SLOTS: String(SLOTS),
        WORKER_WEBHOOK_SLOTS_PER_HOST: String(PER_HOST),
        WORKER_WEBHOOK_SLOTS_PER_USER: String(PER_USER),
      },
    });
  });
  after(() => service.stop());
  beforeEach(async () => {
    const held = Promise.withResolvers<void>();
    letGo = held.resolve;
    [open, mostOpen] = [0, 0];
    hang = (response) => {
      mostOpen = Math.max(mostOpen, ++open);
      response.once('close', () => (open -= 1));
      void held.promise.then(() => response.end());
    };
    hanging = await startReceiver(hang);
    healthy = await startReceiver(undefined, '127.0.0.2');
  });
  afterEach(async () => {
    letGo();
    await Promise.all([hanging.stop(), healthy.stop()]);
  });

  const newSession = async (webhook_url: string) => {
    const { user } = await createUser();
    return createSession(await createAssistant(user.id, { webhook_url }));
  };

  /** Starts `count` deliveries of the session; gives their workflows. */
  async function start(count: number, { id: session_id, user_id, assistant_id }: SessionModel) {
    const { temporal } = await testTemporal();
    const fields = { user_id, session_id, assistant_id, event: 'session.completed', payload: '{}' } as const;
    const rows = await DeliveryModel.createOwn(Array.from({ length: count }, () => fields));
    await Promise.all(rows.map((row) => startDelivery(temporal.client, row)));
    return rows.map(({ id }) => temporal.client.workflow.getHandle(id));
  }

  const count = (session: SessionModel, status: DeliveryStatus) =>
    DeliveryModel.query().where({ session_id: session.id, status }).resultSize();

  it('holds no other back: all of theirs are delivered while it still holds its connections', async () => {
    const [stuck, well] = [await newSession(hanging.url), await newSession(healthy.url)];
    await start(60, stuck);
    await eventually(
      () => open,
      (held) => held === PER_HOST,
    );
    await start(12, well);
    await eventually(
      () => count(well, 'delivered'),
      (delivered) => delivered === 12,
    );
    expect(await count(stuck, 'delivered')).to.equal(0);
    expect(mostOpen).to.equal(PER_HOST);
  });

  it('is asked by a bounded number at once, and gets everything once it answers', async () => {
    const stuck = await newSession(hanging.url);
    await start(PER_HOST, stuck);
    await eventually(
      () => open,
      (held) => held === PER_HOST,
    );
    const refused = (await start(16, stuck)).map((handle) =>
      eventually(
        async () => delaysOf(await handle.fetchHistory()),
        (waits) => waits.length > 0,
      ),
    );
    await Promise.all(refused);
    expect(hanging.requests).to.have.length(PER_HOST);
    letGo();
    await eventually(
      () => count(stuck, 'delivered'),
      (delivered) => delivered === 20,
    );
    expect(hanging.requests).to.have.length(20);
    expect(mostOpen).to.equal(PER_HOST);
    expect(hanging.requests.every(({ headers }) => headers['x-webhook-attempt'] === '1')).to.equal(true);
  });

  it('takes nothing from those who wait for their analysis', async () => {
    const stuck = await newSession(hanging.url);
    await start(60, stuck);
    await eventually(
      () => open,
      (held) => held === PER_HOST,
    );
    const { user, token } = await createUser();
    const assistant = await createAssistant(user.id);
    const { body } = await send(service.api, submitTextRequest, {
      token,
      body: { assistant_id: assistant.id, conversation: [{ role: 'client', text: 'Hello.' }] },
    });
    expect(body.status).to.equal('completed');
    expect(await count(stuck, 'delivered')).to.equal(0);
  });

  it('under many names takes the slots of its user, and none of others', async () => {
    const others = await Promise.all(['127.0.0.3', '127.0.0.4', '127.0.0.5'].map((host) => startReceiver(hang, host)));
    const { user } = await createUser();
    try {
      for (const { url } of [hanging, ...others]) {
        await start(15, await createSession(await createAssistant(user.id, { webhook_url: url })));
      }
      await eventually(
        () => open,
        (held) => held === PER_USER,
      );
      const well = await newSession(healthy.url);
      await start(PER_HOST, well);
      await eventually(
        () => count(well, 'delivered'),
        (delivered) => delivered === PER_HOST,
      );
      expect(mostOpen).to.equal(PER_USER);
    } finally {
      letGo();
      await Promise.all(others.map((receiver) => receiver.stop()));
    }
  });
});
