/** Concurrent changes of an assistant or a profile by several clients. */
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { send } from '../../support/api.ts';
import { testDatabase, useConnections } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createAssistant as storeAssistant,
  createDelivery,
  createSession,
  createUser,
  TEXT_SETTINGS,
} from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('Concurrent changes', () => {
  useConnections();
  const api = useTestApi();
  let token: string;
  let user: Awaited<ReturnType<typeof createUser>>['user'];
  beforeEach(async () => {
    ({ token, user } = await createUser());
  });

  const created = async (fields: object = {}) =>
    (await send(api, 'createAssistant', { token, body: { ...TEXT_SETTINGS, ...fields } })).body;
  const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
    send(api, 'updateAssistant', { token, params: { id }, body, headers });
  const read = (id: string) => send(api, 'getAssistant', { token, params: { id } });

  it('of one assistant are all applied', async () => {
    const changes = [
      { name: 'Other' },
      { description: 'd' },
      { system_prompt: 'Judge.' },
      { temperature: 0.1 },
      { webhook_secret: null },
      { webhook_events: ['session.failed'] },
      { llm_model: 'gpt-6.1-terra' },
    ];
    for (let round = 0; round < 2; round++) {
      const { id } = await created({ webhook_secret: 'whsec-0123456789', webhook_url: 'http://127.0.0.1/' });
      const answers = await Promise.all([...changes, { webhook_url: null }].map((change) => patch(id, change)));
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
      const { webhook_secret: _, ...visible } = Object.assign({}, ...changes) as Record<string, unknown>;
      expect((await read(id)).body).to.deep.include({ ...visible, has_webhook_secret: false, webhook_url: null });
    }
  });

  it('of a profile are all applied', async () => {
    const changes = [{ name: 'Grace' }, { monthly_budget_usd: 7 }];
    await Promise.all(changes.map((body) => send(api, 'updateCurrentUser', { token, body })));
    const { body, headers } = await send(api, 'getCurrentUser', { token });
    expect(body).to.include({ name: 'Grace', monthly_budget_usd: 7 });
    const known = { 'If-Match': headers.get('etag') ?? '' };
    const answers = await Promise.all(
      ['a', 'b'].map((name) => send(api, 'updateCurrentUser', { token, body: { name }, headers: known })),
    );
    expect(answers.map(({ status }) => status).sort(), 'with If-Match only one').to.deep.equal([200, 412]);
  });

  it('and a deletion cause no 5xx: changes succeed or get 404', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await storeAssistant(user.default_workspace_id);
      const params = { id };
      const [removal, ...others] = await Promise.all([
        send(api, 'deleteAssistant', { token, params }),
        ...Array.from({ length: 4 }, (_, index) => patch(id, { name: `n${index}` })),
        send(api, 'duplicateAssistant', { token, params }),
      ]);
      expect(removal.status).to.equal(204);
      for (const { status } of others) expect(status).to.be.oneOf([200, 201, 404]);
    }
  });

  it('and the deletion of a referenced session get 404, no 5xx', async () => {
    const session = await createSession(await storeAssistant(user.default_workspace_id), { status: 'completed' });
    const { id } = await createDelivery(session);
    await DeliveryModel.query().findById(id).patch({ status: 'failed', next_attempt_at: null });
    const { db } = testDatabase();
    const deletion = await db.transaction();
    await deletion('sessions').where({ id: session.id }).delete();
    const answer = send(api, 'redeliver', { token, params: { id } });
    await eventually(
      () =>
        db('pg_stat_activity')
          .where({ wait_event_type: 'Lock', datname: db.raw('current_database()') })
          .andWhere('query', 'like', 'insert into "deliveries"%'),
      (waiting) => waiting.length > 0,
    );
    await deletion.commit();
    expect((await answer).problem).to.include({ status: 404, code: 'not_found' });
  });

  describe('with If-Match', () => {
    it('are applied once: the others get 412 and change nothing', async () => {
      const { id } = await created();
      const known = (await read(id)).headers.get('etag') ?? '';
      expect(known).to.match(/^"[\w-]{22}"$/);
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((name) => patch(id, { name }, { 'If-Match': `"other", ${known}` })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412]);
      const winner = answers.find(({ status }) => status === 200);
      const loser = answers.find(({ status }) => status === 412);
      expect(loser?.problem.code).to.equal('precondition_failed');
      expect((await read(id)).body).to.deep.equal(winner?.body);
      const now = winner?.headers.get('etag') ?? '';
      expect(loser?.headers.get('etag')).to.equal(now);
      expect((await patch(id, { name: 'd' }, { 'If-Match': now })).status).to.equal(200);
      expect((await patch(id, { name: 'e' }, { 'If-Match': '*' })).status).to.equal(200);
    });

    it('get 412 also after a change that responses do not show, such as a new secret', async () => {
      const answer = await send(api, 'createAssistant', {
        token,
        body: { ...TEXT_SETTINGS, webhook_secret: 'whsec-0123456789' },
      });
      const known = { 'If-Match': answer.headers.get('etag') ?? '' };
      await patch(answer.body.id, { webhook_secret: 'whsec-9876543210' });
      expect((await patch(answer.body.id, { name: 'x' }, known)).status).to.equal(412);
    });
  });
});
