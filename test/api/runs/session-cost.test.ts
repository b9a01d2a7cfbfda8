import { randomUUID } from 'node:crypto';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { testDatabase } from '../../support/database.ts';
import { eventsOf } from '../../support/history.ts';
import { startReceiver } from '../../support/receiver.ts';
import { useTestService } from '../../support/set-up.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { workflowOf } from '../../support/temporal.ts';
import { send } from '../../support/api.ts';
import { runToEnd, statementsDuring } from '../../support/session-statements.ts';
import { VOICE } from '../../support/factories.ts';
import { useStarted } from '../../support/use-started.ts';

/** See docs/performance.md, "A session". */
const COSTS = [
  { type: 'text', hasWebhook: false, statements: 7, commits: 4 },
  { type: 'text', hasWebhook: true, statements: 10, commits: 6 },
  { type: 'voice', hasWebhook: false, statements: 13, commits: 7 },
  { type: 'voice', hasWebhook: true, statements: 16, commits: 9 },
] as const;
/** With the request, and when the session is stored. */
const MAX_OWNER_LOOK_UPS = 2;
const MAX_EVENTS = 18;
const MAX_EVENTS_WITHOUT_WEBHOOK = 12;

describe('The cost of a session', () => {
  const service = useTestService();
  const receiver = useStarted(() => startReceiver());
  let owner: SessionOwner;
  before(async () => {
    owner = await createSessionOwner(() => service.api, { webhook_url: receiver.url });
    // The first use of a token causes an additional statement.
    await statementsDuring(() => runToEnd(service.api, owner));
  });

  /** Returns a filter for statements that commit: `COMMIT`, and writes outside of a transaction. */
  async function commitFinder(): Promise<(sql: string, index: number, all: string[]) => boolean> {
    const { rows } = await testDatabase().db.raw<{ rows: { proname: string }[] }>(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and provolatile = 'v'`,
    );
    const writes = new RegExp(`\\b(insert into|update|delete from|${rows.map(({ proname }) => proname).join('|')})\\b`);
    const isBegin = (sql: string) => sql.startsWith('BEGIN');
    const isCommit = (sql: string) => sql.startsWith('COMMIT');
    return (sql, index, all) => {
      const before = all.slice(0, index);
      const isInTransaction = before.filter(isBegin).length > before.filter(isCommit).length;
      return isCommit(sql) || (!isInTransaction && writes.test(sql));
    };
  }

  /** Returns how often `run` looks up the owner of a workspace. */
  async function ownerLookUpsDuring(run: () => Promise<unknown>): Promise<number> {
    const { db } = testDatabase();
    await db.raw(`create sequence owner_look_ups;
      alter function owner_of rename to real_owner_of;
      create function owner_of(workspace text) returns text language plpgsql stable as
        'begin perform nextval(''owner_look_ups''); return real_owner_of(workspace); end'`);
    try {
      await run();
      const { rows } = await db.raw<{ rows: { count: number }[] }>("select nextval('owner_look_ups') - 1 as count");
      return rows[0]?.count ?? NaN;
    } finally {
      await db.raw(
        `drop function owner_of; alter function real_owner_of rename to owner_of; drop sequence owner_look_ups`,
      );
    }
  }

  for (const { type, hasWebhook, statements: most, commits: mostCommits } of COSTS) {
    const title = `${type} session with${hasWebhook ? '' : 'out'} a webhook`;
    it(`is at most ${most} prepared statements and ${mostCommits} commits in PostgreSQL for a ${title}`, async () => {
      const settings = { ...(type === 'voice' && VOICE), ...(hasWebhook && { webhook_url: receiver.url }) };
      const used = await createSessionOwner(() => service.api, settings);
      const run = () => runToEnd(service.api, used);
      await statementsDuring(run);
      let statements = await statementsDuring(run);
      // If a request takes longer than a second, the service reads the assistant again.
      for (let tries = 0; tries < 4 && statements.length > most; tries++) statements = await statementsDuring(run);
      const texts = statements.map(({ sql }) => sql);
      const commits = texts.filter(await commitFinder());
      expect(texts.length, texts.join('\n')).to.be.at.most(most);
      expect(commits.length, commits.join('\n')).to.be.at.most(mostCommits);
      const planned = statements.filter(({ options }) => options?.isPrepared !== true).map(({ sql }) => sql);
      expect(planned).to.deep.equal([]);
      expect(await ownerLookUpsDuring(run)).to.be.within(1, MAX_OWNER_LOOK_UPS);
    });
  }

  it('does not include a stale assistant: each change and a deletion apply to the next session', async () => {
    const { token, assistant } = await createSessionOwner(() => service.api);
    const submit = () => {
      const body = {
        assistant_id: assistant.id,
        conversation: [{ role: 'client', text: 'My card is 4111111111111111.' }],
      };
      return send(service.api, 'submitTextRequest', { token, body, headers: { 'Idempotency-Key': randomUUID() } });
    };
    const change = (body: object) =>
      send(service.api, 'updateAssistant', { token, params: { id: assistant.id }, body });
    const promptOf = async (id: string) =>
      (await SessionModel.query().findById(id).throwIfNotFound()).assistant.system_prompt;
    await submit();
    for (const system_prompt of ['Count parcels.', 'Count cards.']) {
      await change({ system_prompt });
      const response = await submit();
      expect(response.headers.get('idempotent-replayed')).to.equal(null);
      expect(await promptOf(response.body.session_id)).to.equal(system_prompt);
    }
    await change({ redaction: { entities: ['card'] } });
    expect(JSON.stringify((await submit()).body.conversation)).not.to.contain('4111');
    await change({ redaction: null });
    await submit();
    await send(service.api, 'deleteAssistant', { token, params: { id: assistant.id } });
    expect((await submit()).problem.code).to.equal('validation_failed');
  });

  it(`is at most ${MAX_EVENTS} events in Temporal, ${MAX_EVENTS_WITHOUT_WEBHOOK} without a webhook, and starts eagerly`, async () => {
    const historyOf = async (id: string) => eventsOf(await (await workflowOf(id)).fetchHistory());
    const id = await runToEnd(service.api, owner);
    const events = await historyOf(id);
    expect(events[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted).to.equal(true);
    expect(events.length).to.be.at.most(MAX_EVENTS);
    const delivery = await DeliveryModel.query().findOne({ session_id: id }).throwIfNotFound();
    expect(delivery.status).to.equal('delivered');
    const plain = await runToEnd(service.api, await createSessionOwner(() => service.api));
    expect((await historyOf(plain)).length).to.be.at.most(MAX_EVENTS_WITHOUT_WEBHOOK);
  });
});
