import { expect } from 'chai';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { testDatabase } from '../support/database.ts';
import { eventsOf } from '../support/history.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { createSessionOwner } from '../support/sessions.ts';
import type { SessionOwner } from '../support/sessions.ts';
import { testTemporal } from '../support/temporal.ts';
import { send } from '../support/api.ts';
import { submitTextRequest } from '../../contract/requests.ts';

/** docs/performance.md, "What a session costs". */
const MAX_STATEMENTS = 8;
const MAX_COMMITS = 4;
const MAX_EVENTS = 12;

/** A worker says every 5 s that it lives, whatever it does. */
const OF_NO_SESSION = /\bworkers\b/;

describe('A text session with a webhook', () => {
  let service: TestService;
  let receiver: Receiver;
  let owner: SessionOwner;
  before(async function () {
    this.timeout(0);
    service = await startTestService();
    receiver = await startReceiver();
    owner = await createSessionOwner(() => service.api, { webhook_url: receiver.url });
    // The first use of a token is written down.
    await runToEnd();
  });
  after(async () => {
    await service.stop();
    await receiver.stop();
  });

  /** Waits for the result as a client does, and for what goes on after the answer. */
  async function runToEnd(): Promise<string> {
    const body = { assistant_id: owner.assistant.id, conversation: [{ role: 'client', text: 'My parcel is late.' }] };
    const { session_id } = (await send(service.api, submitTextRequest, { token: owner.token, body })).body;
    const { client } = (await testTemporal()).temporal;
    await client.workflow.getHandle(session_id).result();
    return session_id;
  }

  /** Returns the statements that `run` causes in the service's own database. */
  async function statementsDuring(run: () => Promise<unknown>): Promise<string[]> {
    const { db } = testDatabase();
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => void statements.push(sql);
    db.on('query', note);
    await run().finally(() => db.off('query', note));
    return statements.filter((sql) => !OF_NO_SESSION.test(sql));
  }

  /** Returns what finds the statements that commit something: `COMMIT`, and those that write outside of a transaction. */
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

  it(`takes at most ${MAX_STATEMENTS} statements and ${MAX_COMMITS} commits in the service's own database`, async () => {
    const statements = await statementsDuring(runToEnd);
    const commits = statements.filter(await commitFinder());
    expect(statements.length, statements.join('\n')).to.be.at.most(MAX_STATEMENTS);
    expect(commits.length, commits.join('\n')).to.be.at.most(MAX_COMMITS);
  });

  it('is handed to the worker with its start where both are one process', async () => {
    const { client } = (await testTemporal()).temporal;
    const { events } = await client.workflow.getHandle(await runToEnd()).fetchHistory();
    expect(events?.[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted).to.equal(true);
  });

  it(`is at most ${MAX_EVENTS} events of Temporal's, and delivered`, async () => {
    const id = await runToEnd();
    const { client } = (await testTemporal()).temporal;
    const history = await client.workflow.getHandle(id).fetchHistory();
    expect(eventsOf(history).length).to.be.at.most(MAX_EVENTS);
    const delivery = await DeliveryModel.query().findOne({ session_id: id }).throwIfNotFound();
    expect(delivery.status).to.equal('delivered');
  });
});
