import { expect } from 'chai';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { testDatabase } from '../support/database.ts';
import { eventsOf } from '../support/history.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { useTestService } from '../support/set-up.ts';
import { createSessionOwner, type SessionOwner } from '../support/sessions.ts';
import { untilWorkflowEnds, workflowOf } from '../support/temporal.ts';
import { send } from '../support/api.ts';
import { submitTextRequest } from '../../contract/sessions/requests.ts';

/** See docs/performance.md, "A session". */
const MAX_STATEMENTS = 10;
const MAX_COMMITS = 6;
const MAX_EVENTS = 18;
const MAX_EVENTS_WITHOUT_WEBHOOK = 12;

/** Heartbeat of workers, which is not part of a session's cost. */
const OF_NO_SESSION = /\bworkers\b/;

describe('The cost of a text session with a webhook', () => {
  const service = useTestService();
  let receiver: Receiver;
  let owner: SessionOwner;
  before(async () => {
    receiver = await startReceiver();
    owner = await createSessionOwner(() => service.api, { webhook_url: receiver.url });
    // The first use of a token causes an additional statement.
    await runToEnd();
  });
  after(() => receiver.stop());

  /** Submits a session, and waits for its result and for the end of the workflow. */
  async function runToEnd({ token, assistant }: SessionOwner = owner): Promise<string> {
    const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text: 'My parcel is late.' }] };
    const { session_id } = (await send(service.api, submitTextRequest, { token, body })).body;
    await untilWorkflowEnds(session_id);
    return session_id;
  }

  /** Returns the SQL statements that `run` causes. */
  async function statementsDuring(run: () => Promise<unknown>): Promise<string[]> {
    const { db } = testDatabase();
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => void statements.push(sql);
    db.on('query', note);
    await run().finally(() => db.off('query', note));
    return statements.filter((sql) => !OF_NO_SESSION.test(sql));
  }

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

  it(`is at most ${MAX_STATEMENTS} statements and ${MAX_COMMITS} commits in PostgreSQL`, async () => {
    const statements = await statementsDuring(() => runToEnd());
    const commits = statements.filter(await commitFinder());
    expect(statements.length, statements.join('\n')).to.be.at.most(MAX_STATEMENTS);
    expect(commits.length, commits.join('\n')).to.be.at.most(MAX_COMMITS);
  });

  it(`is at most ${MAX_EVENTS} events in Temporal, ${MAX_EVENTS_WITHOUT_WEBHOOK} without a webhook, and starts eagerly`, async () => {
    const historyOf = async (id: string) => eventsOf(await (await workflowOf(id)).fetchHistory());
    const id = await runToEnd();
    const events = await historyOf(id);
    expect(events[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted).to.equal(true);
    expect(events.length).to.be.at.most(MAX_EVENTS);
    const delivery = await DeliveryModel.query().findOne({ session_id: id }).throwIfNotFound();
    expect(delivery.status).to.equal('delivered');
    const plain = await runToEnd(await createSessionOwner(() => service.api));
    expect((await historyOf(plain)).length).to.be.at.most(MAX_EVENTS_WITHOUT_WEBHOOK);
  });
});
