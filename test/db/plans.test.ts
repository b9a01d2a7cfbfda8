/** What PostgreSQL reads among the sessions of many users: about what is asked for, whatever that is. */
import { expect } from 'chai';
import knex from 'knex';
import type { Knex } from 'knex';
import pg from 'pg';
import { fillSessions, idOfAssistant, idOfUser, NEWEST } from '../../bench/fill-sessions.ts';
import { migrate } from '../../db/migrate.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { findPage } from '../../db/page.ts';
import { findOwnQueue } from '../../db/queries/own-queue.ts';
import { filterSessions } from '../../db/queries/filter-sessions.ts';
import type { SessionFilter } from '../../db/queries/filter-sessions.ts';
import { searchSessions } from '../../db/queries/search-sessions.ts';
import { countBlocks } from '../support/count-blocks.ts';
import { createDatabase, testDatabase } from '../support/database.ts';
import { runnerName, serverAddress } from '../support/run.ts';

const USERS = 50;
const USER = 7;
/** Her conversations have none of the words that everybody else's have, but for one of them. */
const QUIET = 8;
const FORGET_WORDS = `
  update session_words set words = array_to_tsvector(array[$1])
  where session_id in (select id from sessions where user_id = $1 order by id offset 1)`;
const LIMIT = 50;
const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(NEWEST - days * DAY_MS);
const WEEK = { created_after: daysAgo(183), created_before: daysAgo(176) };

describe('A page of one user among many,', function () {
  this.timeout(120_000);
  let db: Knex;
  let client: pg.Client;

  before(async () => {
    const url = await createDatabase(await serverAddress('postgres'), `${runnerName()}_plans`);
    await migrate(url);
    client = new pg.Client({ connectionString: url });
    await client.connect();
    await fillSessions(client, { users: Array.from({ length: USERS }, (_, user) => idOfUser(user)) });
    await client.query(FORGET_WORDS, [idOfUser(QUIET)]);
    await client.query('vacuum analyze session_words');
    db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  });

  after(async () => {
    await db.destroy();
    await client.end();
  });

  const select = () => SessionModel.query(db).select('id');
  const list = (filter: SessionFilter) => findPage(filterSessions(select(), idOfUser(USER), filter), { limit: LIMIT });
  const search = (q: string, filter: SessionFilter = {}, user = USER) =>
    searchSessions(select, { userId: idOfUser(user), q, filter }, { limit: LIMIT });

  /** At most so many blocks for each; a way round the index that a statement is written for reads twice as many. */
  const ASKED: Record<string, [number, () => Promise<unknown>]> = {
    'without a filter': [20, () => list({})],
    'of a week half a year ago': [20, () => list(WEEK)],
    'of what was delivered, as most is': [800, () => list({ delivery_status: 'delivered' })],
    'of what one assistant delivered': [
      600,
      () => list({ delivery_status: 'delivered', assistant_id: idOfAssistant(USER, 7) }),
    ],
    'of what failed and was delivered, which is nothing': [
      300,
      () => list({ delivery_status: 'delivered', status: 'failed' }),
    ],
    'of what was delivered in a week half a year ago': [250, () => list({ ...WEEK, delivery_status: 'delivered' })],
    'with a label of one session': [50, () => list({ metadata: { call_id: 'c-500' } })],
    'with a label of all sessions': [1_500, () => list({ metadata: { channel: 'phone' } })],
    'with a word of all sessions': [500, () => search('parcel')],
    'with a word of all sessions, and without another': [500, () => search('parcel -zebra')],
    'with a word of one session in a hundred': [300, () => search('zebra')],
    'with a word of none': [300, () => search('unicorn')],
    'with a word that is rare here, and in all sessions of others': [500, () => search('parcel', {}, QUIET)],
    'with a word, of what was delivered': [1_200, () => search('zebra', { delivery_status: 'delivered' })],
  };
  for (const [name, [most, ask]] of Object.entries(ASKED)) {
    it(`${name} reads at most ${most} blocks`, async () => {
      expect(await countBlocks(db, client, ask)).to.be.at.most(most);
    });
  }

  describe('and a worker’s look', () => {
    const LOOKS: Record<string, (sessionId: string) => Promise<unknown>> = {
      'for what a session has to deliver': (id) => DeliveryModel.findOfWorkflow(id).execute(),
      'for overdue deliveries': () => DeliveryModel.findOverdue(LIMIT).execute(),
      'for overdue sessions': () => SessionModel.findOverdue(LIMIT).execute(),
      'for the queue of a user': () => findOwnQueue(idOfUser(USER)),
    };
    for (const [name, look] of Object.entries(LOOKS)) {
      it(`${name} reads at most 20 blocks`, async () => {
        const { rows } = await client.query<{ id: string }>(
          `select session_id as id from deliveries where user_id = $1 limit 1`,
          [idOfUser(USER)],
        );
        // It runs in the database of the tests, and is explained in that of the many.
        expect(await countBlocks(testDatabase().db, client, () => look(rows[0]?.id ?? ''))).to.be.at.most(20);
      });
    }
  });
});
