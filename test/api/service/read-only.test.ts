import knex, { type Knex } from 'knex';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { startApi } from '../../../api/start.ts';
import { send, startTestApi, testConfig } from '../../support/api.ts';
import { isPassing, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createOwner, says, TEXT_SETTINGS } from '../../support/factories.ts';
import { recordedLog, silentLog } from '../../support/log.ts';
import { startReceiver } from '../../support/receiver.ts';
import { serverAddress } from '../../support/run.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { testTemporal } from '../../support/temporal.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

describe('A read-only PostgreSQL', () => {
  const service = useSharedService();
  /** A connection to another database of the server, which stays writable. */
  let admin: Knex;
  let owner: Awaited<ReturnType<typeof createOwner>>;
  before(async () => {
    const url = await serverAddress('postgres');
    admin = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  });
  beforeEach(async () => {
    const tryToCreate = () =>
      createOwner().catch((error: unknown) => {
        if (!isPassing(error)) throw error;
        return undefined;
      });
    owner = (await eventually(tryToCreate, (made) => made !== undefined)) as typeof owner;
  });
  afterEach(setWritable);
  after(() => admin.destroy());

  const name = () => new URL(testDatabase().url).pathname.slice(1);

  /** Makes the database read-only for new connections, and ends the others. */
  async function setReadOnly(): Promise<void> {
    await admin.raw('alter database ?? set default_transaction_read_only = on', [name()]);
    await admin.raw('select pg_terminate_backend(pid) from pg_stat_activity where datname = ?', [name()]);
  }

  /** Makes the database writable for new connections only: others stay, as connections to a former primary. */
  async function setWritable(): Promise<void> {
    await admin.raw('alter database ?? reset default_transaction_read_only', [name()]);
  }

  const submit = (text = 'Hello.') =>
    send(service.api, 'submitTextRequest', {
      token: owner.token,
      body: { assistant_id: owner.assistant.id, conversation: says(text) },
    });

  const create = () =>
    send(service.api, 'createAssistant', { token: owner.token, body: { ...TEXT_SETTINGS, name: 'Support' } });

  const readiness = async () => {
    const response = await fetch(`${service.api.url}/readyz`);
    return { status: response.status, body: (await response.json()) as { problems?: string[] } };
  };

  it('and a full disk are told apart in /readyz, which also names the free space of the disks it knows', async () => {
    const full = Object.assign(new Error('could not write to file: No space left on device'), { code: '53100' });
    const db = new Proxy(testDatabase().db, {
      get: (target, name) => (name === 'raw' ? () => Promise.reject(full) : (Reflect.get(target, name) as unknown)),
    });
    const config = testConfig({ DATABASE_DISK: '/' });
    const api = await stopAfterTest(
      startApi({ config, db, temporal: (await testTemporal()).temporal, log: silentLog }),
    );
    const response = await fetch(`${api.url}/readyz?exclude=temporal&exclude=worker`);
    expect(response.status).to.equal(503);
    const body = (await response.json()) as { problems: string[] };
    // Anybody can read this response, so it names no sizes.
    expect(body).to.deep.equal({ status: 'not ready', problems: ['the disk of the database is full'] });
  });

  it('is named in the log once, and when it is writable again', async () => {
    const { log, find } = recordedLog();
    const api = await stopAfterTest(startTestApi({ log }));
    const probe = async () => (await fetch(`${api.url}/readyz`)).json() as Promise<{ problems?: string[] }>;
    const names = ({ problems = [] }: { problems?: string[] }) => problems.includes('the database is read-only');
    await setReadOnly();
    await eventually(probe, names);
    await probe();
    await setWritable();
    await eventually(probe, (body) => !names(body));
    const logged = find('not ready').filter((line) => names(line as { problems?: string[] }));
    expect(logged).to.have.length(1);
  });

  it('is an outage: writes get 503, /readyz names it, and after the failover almost no write is refused', async () => {
    await setReadOnly();
    await eventually(
      readiness,
      ({ status, body }) => status === 503 && body.problems?.includes('the database is read-only') === true,
    );
    const started = await stopAfterTest(startTestApi());
    expect((await fetch(`${started.url}/readyz`)).status).to.equal(503);
    for (const write of [submit, create]) {
      const answer = await write();
      expect(answer.problem).to.include({ status: 503, code: 'unavailable' });
      expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
    }
    // Fills the pool with connections that stay read-only, and are no longer young.
    await Promise.all(Array.from({ length: 10 }, () => testDatabase().db.raw('select pg_sleep(1.2)')));
    await setWritable();
    const refused: unknown[] = [];
    for (let count = 0; count < 30; count++) {
      const { status } = await create();
      if (status !== 201) refused.push(status);
    }
    expect(refused.length).to.be.at.most(2);
    await eventually(readiness, ({ status }) => status === 200);
    expect((await submit()).body).to.include({ status: 'completed' });
  });

  describe('in one table', () => {
    /** Makes updates of the table fail as on a read-only server until the returned function is called. */
    async function refuseUpdates(table: string): Promise<() => Promise<void>> {
      const { db } = testDatabase();
      await db.raw(`create or replace function refuse_write() returns trigger language plpgsql as
        $$ begin raise exception 'cannot execute UPDATE in a read-only transaction' using errcode = '25006'; end $$`);
      await db.raw('create trigger refuse_write before update on ?? for each row execute function refuse_write()', [
        table,
      ]);
      return async () => void (await db.raw('drop function refuse_write cascade'));
    }

    it('does not repeat a paid call', async () => {
      const accept = await refuseUpdates('provider_calls');
      const answering = submit();
      const { workspace_id } = owner.assistant;
      await eventually(
        async () => ProviderCallModel.query().where({ workspace_id }),
        (calls) => calls.length > 0,
      );
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await accept();
      expect((await answering).body).to.include({ status: 'completed' });
      const calls = await ProviderCallModel.query().where({ workspace_id });
      expect(calls.map(({ status }) => status)).to.deep.equal(['succeeded']);
      expect(await SessionModel.query().where({ workspace_id }).resultSize()).to.equal(1);
    });

    it('does not post a webhook again', async () => {
      const { url, requests } = await stopAfterTest(startReceiver());
      owner = await createOwner({ webhook_url: url });
      const accept = await refuseUpdates('delivery_attempts');
      const params = { id: owner.assistant.id };
      const { body } = await send(service.api, 'testWebhook', { token: owner.token, params });
      await eventually(
        () => requests,
        ({ length }) => length > 0,
      );
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await accept();
      const { delivery_id } = body;
      await eventually(
        async () => DeliveryModel.query().findById(delivery_id),
        (delivery) => delivery?.status === 'delivered',
      );
      const attempts = await DeliveryAttemptModel.query().where({ delivery_id });
      expect([requests.length, attempts.length]).to.deep.equal([1, 1]);
    });
  });
});
