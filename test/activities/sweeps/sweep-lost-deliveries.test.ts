import { createSweepLostDeliveries } from '../../../activities/sweeps/sweep-lost-deliveries.ts';
import { TASK_QUEUE } from '../../../contract/workflows.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { startDelivery } from '../../../runtime/temporal/start.ts';
import { createDelivery, createOwner, createSession } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { testTemporal } from '../../support/temporal.ts';

const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

describe('The sweep of lost deliveries', () => {
  before(async function () {
    this.timeout(0);
    await testTemporal();
  });

  const client = async () => (await testTemporal()).temporal.client;
  const sweep = async () => createSweepLostDeliveries({ client: await client(), log: silentLog })();
  const describeWorkflow = async (id: string) => (await client()).workflow.getHandle(id).describe();
  const rowOf = (id: string) => DeliveryModel.query().findById(id).throwIfNotFound();

  async function createOwn(fields: Partial<DeliveryModel> = {}): Promise<DeliveryModel> {
    const { id: session_id, assistant_id, workspace_id } = await createSession((await createOwner()).assistant);
    const event = 'session.completed' as const;
    const [row] = await DeliveryModel.createOwn([{ workspace_id, session_id, assistant_id, event, payload: '{}' }]);
    return DeliveryModel.query().patchAndFetchById(row?.id ?? '', { next_attempt_at: AN_HOUR_AGO, ...fields });
  }

  it('starts a delivery whose start was lost, with its own ID', async () => {
    const { id } = await createOwn();
    await sweep();
    expect(await describeWorkflow(id)).to.deep.include({ type: 'deliverWebhook', taskQueue: TASK_QUEUE });
    expect(await rowOf(id)).to.include({ status: 'pending', workflow_id: id });
  });

  it('does not start a delivery that may still be starting', async () => {
    const { id } = await createOwn({ next_attempt_at: new Date() });
    await sweep();
    const failure = await describeWorkflow(id).catch((error: unknown) => error);
    expect(failure).to.have.property('name', 'WorkflowNotFoundError');
  });

  it('starts nothing twice', async () => {
    const delivery = await createOwn();
    await startDelivery(await client(), delivery);
    const { runId } = await describeWorkflow(delivery.id);
    await sweep();
    // The workflow runs, so the next sweep does not check it again.
    expect((await DeliveryModel.findOverdue(500)).map(({ id }) => id)).not.to.include(delivery.id);
    await startDelivery(await client(), delivery);
    expect((await describeWorkflow(delivery.id)).runId).to.equal(runId);
  });

  it('continues a delivery whose session workflow Temporal lost, after its recorded attempts', async () => {
    const session = await createSession((await createOwner()).assistant, { status: 'completed' });
    const { id } = await createDelivery(session);
    await DeliveryModel.query().patch({ next_attempt_at: AN_HOUR_AGO }).where({ id });
    await DeliveryAttemptModel.open({ delivery_id: id, attempt: 1, url: 'https://example.com/', request_headers: {} });
    await DeliveryAttemptModel.close(id, 1, { failure: 'timeout', next_attempt_at: new Date() });
    await sweep();
    expect(await rowOf(id)).to.include({ status: 'pending', workflow_id: id });
    const history = await (await client()).workflow.getHandle(id).fetchHistory();
    const input = history.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data ?? '';
    expect(JSON.parse(Buffer.from(input).toString())).to.deep.equal({ delivery_id: id, attempts_made: 1 });
  });

  it('stops a delivery whose workflow was terminated in Temporal', async () => {
    const delivery = await createOwn();
    await startDelivery(await client(), delivery);
    await (await client()).workflow.getHandle(delivery.id).terminate();
    await sweep();
    const row = await rowOf(delivery.id);
    expect(row).to.include({ status: 'stopped', stop_reason: 'terminated', next_attempt_at: null });
    expect(row.ended_at).to.be.instanceOf(Date);
  });
});
