import { randomUUID } from 'node:crypto';
import { Model } from 'objection';
import { awaitServer } from '../../db/await-database.ts';
import { connectDatabase, isDatabaseUnavailable } from '../../db/connect.ts';
import { freePort } from '../support/free-port.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { errorOf } from '../support/error-of.ts';
import { testConfig } from '../support/api.ts';
import { SELF_SIGNED } from '../runtime/outbound/self-signed.ts';
import { newFolder } from '../support/new-folder.ts';
import { recordedLog } from '../support/log.ts';
import { startPooler } from '../support/pooler.ts';
import { stopAfterTest } from '../support/stop-after-test.ts';

const MISSING = { code: '3D000', message: 'database "app" does not exist' };

/** Refusals that end only when somebody changes the settings, with the advice. */
const FINAL = [
  ['28P01', 'password authentication failed for user "app"', 'DATABASE_PASSWORD'],
  ['28000', 'no pg_hba.conf entry for host "10.0.0.1", user "app", database "app", no encryption', 'sslmode=require'],
  [MISSING.code, MISSING.message, 'Create the database'],
  ['42501', 'permission denied for database "app"', ''],
  ['42704', 'unrecognized configuration parameter "statement_timeout"', 'ignore_startup_parameters'],
  ['08P01', 'unsupported startup parameter in options: statement_timeout', 'ignore_startup_parameters'],
  ['08P01', 'unsupported startup parameter: options', 'ignore_startup_parameters'],
  ['08P01', 'server login failed: wrong password', 'DATABASE_PASSWORD'],
  ['08P01', 'no such database: app', 'Create the database'],
  ['08P01', 'no such user: app', 'DATABASE_PASSWORD'],
  ['08P01', 'SASL authentication failed', 'DATABASE_PASSWORD'],
  ['XX000', 'Tenant or user not found', ''],
] as const;

/** Refusals of which the next one may be none. */
const BRIEF = [
  ['53300', 'sorry, too many clients already'],
  ['57P03', 'the database system is starting up'],
  ['57P01', 'terminating connection due to administrator command'],
  ['57P02', 'terminating connection because of crash of another server process'],
  ['08006', 'connection failure'],
  ['58000', 'could not get connection from the pool'],
  ['08P01', 'no more connections allowed (max_client_conn)'],
  ['08P01', 'query_wait_timeout'],
  ['08P01', 'pgbouncer cannot connect to server'],
  ['08P01', 'server login has been failing, try again later (server_login_retry)'],
  ['08P01', 'the database system is starting up'],
  ['XX000', 'MaxClientsInSessionMode: max clients reached'],
] as const;

describe('The start of a process', () => {
  // Connecting binds the models.
  after(() => Model.knex(testDatabase().db));

  for (const [code, message, advice] of FINAL) {
    it(`ends with one sentence that names the setting if PostgreSQL or a pooler refuses: ${code} ${message}`, async () => {
      const { url } = await stopAfterTest(startPooler(() => ({ code, message })));
      const error = await errorOf(awaitServer(url, recordedLog().log));
      expect(error).to.include({ name: 'StartError' });
      expect((error as Error).message).to.match(/^DATABASE_URL can't be used: /);
      expect((error as Error).message)
        .to.contain(message)
        .and.to.contain(advice);
    });
  }

  it('ends likewise with a server without TLS, a missing certificate file, and an address that is none', async () => {
    const { url } = testDatabase();
    for (const [broken, reason] of [
      [`${url}?sslmode=require&uselibpqcompat=true`, 'does not support SSL'],
      [`${url}?sslmode=verify-full&sslrootcert=/no/such/file`, 'no such file'],
      ['postgresql://u@[::1/db', 'Invalid URL'],
    ] as const) {
      const error = await errorOf(awaitServer(broken, recordedLog().log));
      expect((error as Error).message)
        .to.match(/^DATABASE_URL can't be used: /)
        .and.to.contain(reason);
    }
  });

  it('waits while PostgreSQL or a pooler may accept it later, and logs the reason', async () => {
    await Promise.all(
      BRIEF.map(async ([code, message]) => {
        const refusals = [{ code, message }];
        const { url } = await stopAfterTest(startPooler(() => refusals.shift() ?? MISSING));
        const { log, find } = recordedLog();
        expect(await errorOf(awaitServer(url, log)), message).to.include({ name: 'StartError' });
        const [logged, ...more] = find('waiting');
        expect(logged).to.include({ missing: 'PostgreSQL (DATABASE_URL)', reason: message });
        expect(more).to.have.length(0);
      }),
    );
  });

  it('waits for a port or a socket where nobody listens yet', async () => {
    const folder = newFolder();
    const port = await freePort();
    for (const [url, at] of [
      [`postgresql://app@127.0.0.1:${port}/app`, { port, host: '127.0.0.1' }],
      [`postgresql://app@/app?host=${folder}`, { path: `${folder}/.s.PGSQL.5432` }],
    ] as const) {
      const { log, find } = recordedLog();
      const waiting = errorOf(awaitServer(url, log));
      await eventually(
        () => find('waiting'),
        ({ length }) => length > 0,
      );
      await stopAfterTest(startPooler(() => MISSING, { at }));
      expect(await waiting).to.include({ name: 'StartError' });
    }
  });

  it('of a migration waits for a server that accepts writes', async () => {
    const { log, find } = recordedLog();
    const { db, url } = testDatabase();
    const user = `reader_${randomUUID().slice(0, 8)}`;
    const asUser = new URL(url);
    asUser.username = user;
    await db.raw(`create role ?? login superuser password '${asUser.password}'`, [user]);
    await db.raw('alter role ?? set default_transaction_read_only = on', [user]);
    const waiting = awaitServer(asUser.href, log);
    await eventually(
      () => find('the server is read-only'),
      ({ length }) => length > 0,
    );
    await db.raw('alter role ?? reset default_transaction_read_only', [user]);
    await waiting;
    await db.raw('drop role ??', [user]);
  });

  it('reads sslmode like libpq: require encrypts, verify-full also checks the certificate', async () => {
    const { url } = await stopAfterTest(startPooler(() => MISSING, { tls: SELF_SIGNED }));
    for (const [query, reason] of [
      ['?sslmode=require', MISSING.message],
      ['?sslmode=no-verify', MISSING.message],
      ['?sslmode=verify-full', 'self-signed certificate'],
      ['?sslmode=verify-ca', 'self-signed certificate'],
    ] as const) {
      const { database } = testConfig({ DATABASE_URL: url + query });
      const error = await errorOf(awaitServer(database.url, recordedLog().log));
      expect((error as Error).message, query).to.contain(reason);
    }
  });
});

describe('While a process runs, a refused connection', () => {
  after(() => Model.knex(testDatabase().db));

  it('is an outage, whatever its code', async () => {
    for (const [code, message] of [...FINAL, ...BRIEF]) {
      const { url } = await stopAfterTest(startPooler(() => ({ code, message })));
      const db = connectDatabase({ url, poolMax: 1 });
      expect(isDatabaseUnavailable(await errorOf(db.raw('select 1'))), message).to.equal(true);
      await db.destroy();
    }
  });
});
