/** What happens to an assistant, and to a profile, when several clients change it at the same moment. */
import { expect } from 'chai';
import { changePassword, getCurrentUser, login, updateCurrentUser } from '../../contract/account.ts';
import {
  createAssistant,
  deleteAssistant,
  duplicateAssistant,
  getAssistant,
  updateAssistant,
} from '../../contract/assistants.ts';
import { redeliver } from '../../contract/deliveries.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { send } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import {
  createAssistant as storeAssistant,
  createDelivery,
  createSession,
  createUser,
  PASSWORD,
} from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const TEXT = { name: 'Review', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise.' };

describe('Changes at the same moment', () => {
  const api = useTestApi();
  let token: string;
  let user: Awaited<ReturnType<typeof createUser>>['user'];
  beforeEach(async () => {
    ({ token, user } = await createUser());
  });

  const created = async (fields: object = {}) =>
    (await send(api, createAssistant, { token, body: { ...TEXT, ...fields } })).body;
  const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
    send(api, updateAssistant, { token, params: { id }, body, headers });
  const read = (id: string) => send(api, getAssistant, { token, params: { id } });

  it('of one assistant all stay', async () => {
    const changes = [
      { name: 'Other' },
      { description: 'd' },
      { system_prompt: 'Judge.' },
      { temperature: 0.1 },
      { webhook_secret: null },
      { webhook_events: ['session.failed'] },
      { llm_model: 'gpt-6.1-terra' },
    ];
    for (let round = 0; round < 5; round++) {
      const { id } = await created({ webhook_secret: 's', webhook_url: 'http://127.0.0.1/' });
      const answers = await Promise.all([...changes, { webhook_url: null }].map((change) => patch(id, change)));
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
      const { webhook_secret: _, ...visible } = Object.assign({}, ...changes) as Record<string, unknown>;
      expect((await read(id)).body).to.deep.include({ ...visible, has_webhook_secret: false, webhook_url: null });
    }
  });

  it('of a profile all stay', async () => {
    const changes = [{ name: 'Grace' }, { monthly_budget_usd: 7 }];
    await Promise.all(changes.map((body) => send(api, updateCurrentUser, { token, body })));
    const { body } = await send(api, getCurrentUser, { token });
    expect(body).to.include({ name: 'Grace', monthly_budget_usd: 7 });
  });

  it('with its deletion find it or do not, and are no fault of the service', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await storeAssistant(user.id);
      const params = { id };
      const [removal, ...others] = await Promise.all([
        send(api, deleteAssistant, { token, params }),
        ...Array.from({ length: 4 }, (_, index) => patch(id, { name: `n${index}` })),
        send(api, duplicateAssistant, { token, params }),
      ]);
      expect(removal.status).to.equal(204);
      for (const { status } of others) expect(status).to.be.oneOf([200, 201, 404]);
    }
  });

  it('with the deletion of what they refer to find nothing, and are no fault of the service', async () => {
    const session = await createSession(await storeAssistant(user.id), { status: 'completed' });
    const { id } = await createDelivery(session);
    await DeliveryModel.query().findById(id).patch({ status: 'failed', next_attempt_at: null });
    const { db } = testDatabase();
    const deletion = await db.transaction();
    await deletion('sessions').where({ id: session.id }).delete();
    const answer = send(api, redeliver, { token, params: { id } });
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

  describe('that name the state they know', () => {
    it('are made once: the others get 412, and change nothing', async () => {
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

    it('notice a change that the record does not show, such as another secret', async () => {
      const answer = await send(api, createAssistant, { token, body: { ...TEXT, webhook_secret: 's' } });
      const known = { 'If-Match': answer.headers.get('etag') ?? '' };
      await patch(answer.body.id, { webhook_secret: 't' });
      expect((await patch(answer.body.id, { name: 'x' }, known)).status).to.equal(412);
    });

    it('are made once of a profile too', async () => {
      const known = { 'If-Match': (await send(api, getCurrentUser, { token })).headers.get('etag') ?? '' };
      const answers = await Promise.all(
        ['a', 'b'].map((name) => send(api, updateCurrentUser, { token, body: { name }, headers: known })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412]);
    });
  });

  it('of a password: one wins, and no token but its own lives on', async () => {
    const { email } = user;
    const before = (await send(api, login, { body: { email, password: PASSWORD } })).body.token;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => {
        const body = { current_password: PASSWORD, new_password: `new password ${index}` };
        return send(api, changePassword, { token, body });
      }),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    for (const status of statuses) expect(status).to.be.oneOf([200, 409, 422]);
    const winner = statuses.indexOf(200);
    const mine = answers[winner]?.body?.token ?? '';
    expect((await send(api, getCurrentUser, { token: mine })).status).to.equal(200);
    expect((await send(api, getCurrentUser, { token: before })).status).to.equal(401);
    const password = `new password ${winner}`;
    expect((await send(api, login, { body: { email, password } })).status).to.equal(200);
  });
});
