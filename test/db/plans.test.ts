/** Tests how many blocks PostgreSQL reads for a page of one user among many users. */
import { createHash } from 'node:crypto';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { fillSessions, idOfAssistant, idOfUser, NEWEST } from '../support/fill-sessions.ts';
import type { SessionSort } from '../../contract/values/session-lists.ts';
import { migrate } from '../../db/migrate.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { LoginModel } from '../../db/models/login.ts';
import { SessionModel } from '../../db/models/session.ts';
import { countUpTo, findPage } from '../../db/page.ts';
import { findOwnQueue } from '../../db/queries/queue.ts';
import { filterSessions, type SessionFilter } from '../../db/queries/filter-sessions.ts';
import { searchSessions } from '../../db/queries/search-sessions.ts';
import { shuffleSessions, sortSessions } from '../../db/queries/sort-sessions.ts';
import { countBlocks } from '../support/count-blocks.ts';
import { createDatabase, testDatabase } from '../support/database.ts';
import { runnerName, serverAddress } from '../support/run.ts';

const USERS = 20;
const USER = 7;
/** Only one conversation of this user contains the words that all conversations of others contain. */
const QUIET = 8;
const FORGET_WORDS = `
  update session_words set words = array_to_tsvector(array['/' || $1])
  where session_id in (select id from sessions where workspace_id = $1 order by id offset 1)`;
/** 2,000 people with a login, each a member of three workspaces. */
const PEOPLE = `
  insert into workspaces (id, name) select 'ws_' || n, 'W' from generate_series(1, 2000) n;
  insert into users (id, email, name, password_hash, default_workspace_id)
    select 'user_' || n, n || '@example.com', 'U', '', 'ws_' || n from generate_series(1, 2000) n;
  insert into memberships (user_id, workspace_id, role)
    select 'user_' || n, 'ws_' || 1 + (n + k * 7) % 2000, 'admin' from generate_series(1, 2000) n, generate_series(-1, 1) k;
  insert into logins (id, user_id, kind, secret_hash, credentials_version, address, expires_at)
    select 'login_' || n, 'user_' || n, 'token', sha256(cast('secret-' || n as bytea)), 1, '', now() + interval '1 hour'
    from generate_series(1, 2000) n;
  insert into api_keys (id, chain_id, workspace_id, name, prefix, token_hash, created_by)
    select 'key_' || n, 'key_' || n, 'ws_' || n, '', '', sha256(cast('token-' || n as bytea)), 'user_' || n
    from generate_series(1, 2000) n`;
/** Reviews of a tenth of all sessions, of which this user has written ten. */
const REVIEWS = `
  insert into session_reviews (session_id, workspace_id, assistant_id, day, sampled, corrected, reviewed_by)
    select id, workspace_id, assistant_id, created_at, true, array['reason'], 'user_1' from (
      select *, row_number() over (partition by workspace_id order by hashtext(id)) as place from sessions
      where status = 'completed') completed
    where place <= case when workspace_id = '${idOfUser(USER)}' then 10 else 500 end`;
const LIMIT = 50;
const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(NEWEST - days * DAY_MS).toISOString();
const WEEK = { created_after: daysAgo(183), created_before: daysAgo(176) };

describe('A page of one user among many', () => {
  let db: Knex;
  let client: pg.Client;

  before(async () => {
    const url = await createDatabase(await serverAddress('postgres'), `${runnerName()}_plans`);
    await migrate(url);
    client = new pg.Client({ connectionString: url });
    await client.connect();
    await fillSessions(client, {
      users: Array.from({ length: USERS }, (_, user) => idOfUser(user)),
      isSearchable: true,
    });
    await client.query(FORGET_WORDS, [idOfUser(QUIET)]);
    await client.query(PEOPLE);
    await client.query(REVIEWS);
    await client.query('vacuum analyze');
    db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  });

  after(async () => {
    await db.destroy();
    await client.end();
  });

  const select = () => SessionModel.query(db).select('id');
  const list = (filter: SessionFilter) => findPage(filterSessions(select(), idOfUser(USER), filter), { limit: LIMIT });
  const search = (q: string, filter: SessionFilter = {}, user = USER) =>
    searchSessions(select, { workspaceId: idOfUser(user), q, filter }, { limit: LIMIT });

  const sorted = (sort: Exclude<SessionSort, 'random'>, filter: SessionFilter = {}) =>
    sortSessions(filterSessions(select(), idOfUser(USER), filter), idOfUser(USER), sort, { limit: LIMIT });
  const shuffled = (filter: SessionFilter) =>
    shuffleSessions(select(), filterSessions(select(), idOfUser(USER), filter), { limit: LIMIT });

  const DELIVERED = { delivery_status: 'delivered' } as const;
  const each = async (filters: SessionFilter[]) => {
    for (const filter of filters) await list(filter);
  };

  // Like `countSessions`, in the filled database.
  const count = (filter: SessionFilter) =>
    countUpTo(filterSessions(select().clearSelect().select('sessions.id'), idOfUser(USER), filter), 10_001);

  /** Maximum number of blocks. Without the intended index, a plan reads at least twice as many. */
  const PAGES: [string, number, () => Promise<unknown>][] = [
    ['without a filter', 20, () => list({})],
    ['of a week half a year ago', 40, () => list(WEEK)],
    ['of delivered sessions, as most are', 800, () => list(DELIVERED)],
    ['of delivered sessions of one assistant', 600, () => list({ ...DELIVERED, assistant_id: idOfAssistant(USER, 7) })],
    ['of failed and delivered sessions, which is empty', 300, () => list({ ...DELIVERED, status: 'failed' })],
    ['of delivered sessions of a week half a year ago', 250, () => list({ ...WEEK, ...DELIVERED })],
    ['of each other status', 400, () => each([{ status: 'queued' }, { status: 'failed' }, { status: 'canceled' }])],
    ['of failed sessions with one error, which is empty', 300, () => list({ error_code: 'auth' })],
    ['of trials and of another model', 100, () => each([{ trial: true }, { simulated: true }, { llm_model: 'other' }])],
    ['by cost', 100, () => sorted('-total_cost')],
    ['by length, of one assistant', 1_500, () => sorted('length', { assistant_id: idOfAssistant(USER, 7) })],
    ['by cost, of a week half a year ago', 150, () => sorted('total_cost', WEEK)],
    ['of sessions that ended since a day ago', 30, () => list({ completed_after: daysAgo(1) })],
    ['of sessions that ended since now, which is empty', 30, () => list({ completed_after: daysAgo(0) })],
    ['of sessions that ended more than half a year ago', 100, () => list({ completed_before: daysAgo(183) })],
    ['by end, since half a year ago', 100, () => sorted('completed_at', { completed_after: daysAgo(183) })],
    ['by change, since half a year ago', 300, () => sorted('updated_at', { updated_after: daysAgo(183) })],
    ['by change', 150, () => sorted('updated_at')],
    ['by end, newest first', 100, () => sorted('-completed_at')],
    ['with a label of one session', 50, () => list({ metadata: { call_id: 'c-500' } })],
    ['with a label of all sessions', 1_500, () => list({ metadata: { channel: 'phone' } })],
    ['with a word of all sessions', 500, () => search('parcel')],
    ['with a word of all sessions, and without another', 500, () => search('parcel -zebra')],
    ['with a word of one session in a hundred', 300, () => search('zebra')],
    ['with a word of no session', 300, () => search('unicorn')],
    ['with a word that is rare here, and in all sessions of others', 500, () => search('parcel', {}, QUIET)],
    ['with the beginning of a word of all sessions', 500, () => search('parc')],
    [
      'with the beginning of a word that is rare here, and in all sessions of others',
      500,
      () => search('parc', {}, QUIET),
    ],
    ['of reviewed sessions, among many of others', 70, () => list({ review: 'reviewed' })],
    ['of corrected sessions', 70, () => list({ review: 'corrected' })],
    ['of sessions with a corrected field', 70, () => list({ corrected: 'reason' })],
    [
      'of sampled sessions of one assistant',
      250,
      () => list({ review: 'sampled', assistant_id: idOfAssistant(USER, 7) }),
    ],
    ['of unreviewed sessions', 130, () => list({ review: 'unreviewed' })],
    [
      'of unsampled sessions of one assistant in random order',
      320,
      () => shuffled({ review: 'unsampled', assistant_id: idOfAssistant(USER, 7) }),
    ],
    ['of unsampled sessions of a week in random order', 130, () => shuffled({ review: 'unsampled', ...WEEK })],
    ['with a word, of delivered sessions', 1_200, () => search('zebra', DELIVERED)],
  ];
  /** 1,000 sessions. Most conditions are checked in the index, without a table row. */
  const COUNTS: [string, number, () => Promise<unknown>][] = [
    ['all originals, counted,', 100, () => count({ reanalysis: false })],
    ['those of one assistant, counted,', 100, () => count({ assistant_id: idOfAssistant(USER, 7), trial: false })],
    ['failed ones, counted,', 300, () => count({ status: 'failed' })],
    ['those that ended since a month ago, counted,', 150, () => count({ completed_after: daysAgo(30) })],
    ['those with one error, counted,', 300, () => count({ error_code: 'auth' })],
  ];
  for (const [name, most, ask] of [...PAGES, ...COUNTS]) {
    it(`${name} reads at most ${most} blocks`, async () => {
      expect(await countBlocks(db, client, ask)).to.be.at.most(most);
    });
  }

  describe('and authentication', () => {
    const hash = createHash('sha256').update('token-1200').digest();
    const CREDENTIALS: Record<string, () => Promise<unknown>> = {
      'with a login': () => LoginModel.authenticate('secret-1200', undefined),
      'with a login, in another workspace': () => LoginModel.authenticate('secret-1200', 'ws_1201'),
      'with an API token': () => ApiKeyModel.authenticate(hash, ''),
    };
    for (const [name, authenticate] of Object.entries(CREDENTIALS)) {
      it(`${name} reads at most 20 blocks`, async () => {
        expect(await countBlocks(testDatabase().db, client, authenticate)).to.be.at.most(20);
      });
    }
  });

  describe('and a lookup by a worker', () => {
    /** Overdue sessions and the queue are found among the open sessions: 1,100 of all users, 55 of each. */
    const LOOKS: Record<string, [number, (sessionId: string) => Promise<unknown>]> = {
      'for the delivery of a session': [20, (id) => DeliveryModel.findOfWorkflow(id).execute()],
      'for overdue deliveries': [20, () => DeliveryModel.findOverdue(LIMIT).execute()],
      'for overdue sessions': [800, () => SessionModel.findOverdue(LIMIT).execute()],
      'for the queue of a user': [80, () => findOwnQueue(idOfUser(USER))],
    };
    for (const [name, [most, look]] of Object.entries(LOOKS)) {
      it(`${name} reads at most ${most} blocks`, async () => {
        const { rows } = await client.query<{ id: string }>(
          `select session_id as id from deliveries where workspace_id = $1 limit 1`,
          [idOfUser(USER)],
        );
        // The statement runs in the database of the tests, and is explained in the filled one.
        expect(await countBlocks(testDatabase().db, client, () => look(rows[0]?.id ?? ''))).to.be.at.most(most);
      });
    }
  });
});
