import type { BatchEstimate } from '../../../contract/sessions/batches.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { send } from '../../support/api.ts';
import { createExperiment, type Values } from '../../support/experiments.ts';
import {
  createBatch as createStoredBatch,
  createDelivery,
  createOwner,
  createSession,
} from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const FIELDS = [
  { name: 'resolved', type: 'boolean' as const, description: 'So?', evidence: false },
  { name: 'mood', type: 'string' as const, description: 'How?', evidence: false },
];

describe('An experiment', () => {
  const api = useTestApi();
  let owner: Awaited<ReturnType<typeof createOwner>>;
  beforeEach(async () => {
    owner = await createOwner({ fields: FIELDS });
  });

  const right = { resolved: true, mood: 'calm' };
  const pair = (before: Values, after: Values, more: { right?: Values } = {}) => ({ before, after, right, ...more });
  const readComparison = async (id: string, query: Record<string, string | number>) =>
    (await send(api, 'compareBatch', { token: owner.token, params: { id }, query })).body;

  it('lists the pairs that differ: became wrong, still wrong, became right, without a review of the change', async () => {
    const noReview = { right: {} };
    const pairs = [
      pair({ ...right, resolved: false }, right),
      pair(right, right),
      pair({ ...right, mood: 'sad' }, { ...right, mood: 'glad' }),
      pair(right, { ...right, mood: 'Sad' }, noReview),
      pair(right, { ...right, resolved: false }),
    ];
    const id = await createExperiment(api, owner, pairs);
    const marksOf = ({ fields }: Awaited<ReturnType<typeof readComparison>>['data'][number]) =>
      fields
        .filter(({ change }) => change !== 'same')
        .map(({ name, was_right, is_right }) => [name, was_right, is_right]);
    const { data, totals } = await readComparison(id, { different: 'true' });
    expect(data.map(marksOf)).to.deep.equal([
      [['resolved', true, false]],
      [['mood', false, false]],
      [['resolved', false, true]],
      [['mood', null, null]],
    ]);
    expect(totals?.sessions, 'the totals count all pairs').to.equal(5);
    const pages: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await readComparison(id, { different: 'true', limit: 1, ...(cursor && { cursor }) });
      pages.push(...page.data.map(({ before }) => before.session_id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(pages).to.deep.equal(data.map(({ before }) => before.session_id));
    const changed = (await readComparison(id, { different: 'true', changed: 'mood' })).data;
    expect(changed.map(({ before }) => before.session_id)).to.deep.equal([pages[1], pages[3]]);
    expect((await readComparison(id, {})).data).to.have.length(5);
  });

  it('says which settings differ from those that the assistant has now', async () => {
    const { token, assistant } = owner;
    const params = { id: assistant.id };
    const other = await createOwner({});
    const changed = { ...assistant.freeze(), system_prompt: 'Shorter.', temperature: 0.1 };
    const own = await createExperiment(api, owner, []);
    const tested = await createExperiment(api, owner, [], { settings: changed });
    await createStoredBatch(assistant.workspace_id, { action: 'retry' });
    await createExperiment(api, other, []);
    const list = async (query: Record<string, string>) =>
      (await send(api, 'listBatches', { token, query })).body.data.map(({ batch_id, differs }) => [batch_id, differs]);
    const query = { action: 'reanalyze', assistant_id: assistant.id };
    expect(await list(query)).to.deep.equal([
      [tested, ['system_prompt', 'temperature']],
      [own, []],
    ]);
    expect((await list({}))[0]?.[1], 'a retry has no settings').to.equal(null);
    const titled = FIELDS.map((field) => ({ ...field, title: 'A title' }));
    const body = { system_prompt: 'Shorter.', temperature: 0.1, fields: titled };
    await send(api, 'updateAssistant', { token, params, body });
    expect(await list(query)).to.deep.equal([
      [tested, []],
      [own, ['system_prompt', 'temperature']],
    ]);
    await send(api, 'deleteAssistant', { token, params });
    expect((await send(api, 'getBatch', { token, params: { id: tested } })).body.differs).to.equal(null);
  });

  it('is no redelivery, which names its receivers: now before it starts, and those of the attempts afterwards', async () => {
    const { token, assistant } = owner;
    await AssistantModel.query()
      .findById(assistant.id)
      .patch({
        webhook_url: 'https://crm.example.com/hook',
        alerts: [
          { name: 'bad', when: [], url: 'https://alerts.example.com:8443/x', secret: null, auth: 'none' } as never,
        ],
      });
    const session = await createSession(assistant, { status: 'completed' });
    const failed = { status: 'failed', next_attempt_at: null, ended_at: new Date() } as const;
    for (const alert of [null, null, 'bad', 'removed']) await createDelivery(session, { ...failed, alert });
    const filter = { session_id: [session.id], delivery_status: 'failed' };
    const body = { action: 'redeliver', filter, dry_run: true };
    const estimate = (await send(api, 'createBatch', { token, body })).body as BatchEstimate;
    expect(estimate.receivers).to.deep.equal([
      { host: 'crm.example.com', deliveries: 2 },
      { host: 'alerts.example.com:8443', deliveries: 1 },
    ]);
    const { id } = await createStoredBatch(assistant.workspace_id, { action: 'redeliver' });
    const made = await createDelivery(session, { ...failed, batch_id: id });
    const attempt = { delivery_id: made.id, attempt: 1, url: 'https://former.example.com/', request_headers: '{}' };
    await DeliveryModel.knex()('delivery_attempts').insert(attempt);
    const { receivers } = (await send(api, 'getBatch', { token, params: { id } })).body;
    expect(receivers).to.deep.equal([{ host: 'former.example.com', deliveries: 1 }]);
  });
});
