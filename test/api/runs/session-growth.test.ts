/** Tests that no statement of a session reads the stored sessions of its owner, whatever the planner knows about the tables. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { testDatabase, useOwnDatabase } from '../../support/database.ts';
import { readsDuring } from '../../support/explain.ts';
import { VOICE } from '../../support/factories.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startTestService } from '../../support/service.ts';
import { runToEnd, statementsDuring, type Statement } from '../../support/session-statements.ts';
import { createSessionOwner } from '../../support/sessions.ts';

const COPIES = 5_000;
/** Rows that a step of a plan may read: of the session, and of the workspaces of its owner. */
const MAX_ROWS = 50;

const FIELDS = [{ name: 'solved', type: 'boolean' as const, description: 'Is it solved?', evidence: true }];

interface Copied {
  /** The columns whose values differ between the copies. */
  ids: readonly string[];
  /** $1 is the session, $2 its workspace. */
  where: string;
}

/** Copied with a session, for the same owner. */
const OF_SESSION: Record<string, Copied> = {
  sessions: { ids: ['id'], where: 'id = $1' },
  session_words: { ids: ['session_id'], where: 'session_id = $1' },
  session_fields: { ids: ['session_id'], where: 'session_id = $1' },
  provider_calls: { ids: ['session_id'], where: 'session_id = $1' },
  delivery_attempts: {
    ids: ['delivery_id'],
    where: 'delivery_id in (select id from deliveries where session_id = $1)',
  },
  deliveries: { ids: ['id', 'session_id', 'workflow_id'], where: 'session_id = $1' },
  idempotency_keys: { ids: ['session_id', 'key'], where: 'session_id = $1' },
};

/** Copied for other owners. */
const OF_WORKSPACE: Record<string, Copied> = {
  users: {
    ids: ['id', 'email', 'default_workspace_id'],
    where: 'id in (select user_id from memberships where workspace_id = $2)',
  },
  workspaces: { ids: ['id'], where: 'id = $2' },
  memberships: { ids: ['workspace_id', 'user_id'], where: 'workspace_id = $2' },
  assistants: { ids: ['id', 'workspace_id'], where: 'workspace_id = $2' },
  assistant_fields: { ids: ['assistant_id', 'workspace_id'], where: 'workspace_id = $2' },
  api_keys: { ids: ['id', 'chain_id', 'workspace_id', 'token_hash'], where: 'workspace_id = $2' },
  stored_texts: { ids: ['workspace_id'], where: 'workspace_id = $2' },
  stored_recordings: { ids: ['workspace_id'], where: 'workspace_id = $2' },
};

const COPIED = { ...OF_SESSION, ...OF_WORKSPACE };

/** Values of columns that are no text. */
const VALUES: Record<string, string> = {
  completed_at: "completed_at - n * interval '1 s'",
  token_hash: 'sha256(token_hash || cast(cast(n as text) as bytea))',
};

const CLEAR_STATISTICS = `
  select pg_clear_attribute_stats('public', cast(table_name as text), cast(column_name as text), false),
    pg_clear_relation_stats('public', cast(table_name as text))
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE'`;

/** What the planner knows about the tables, in the order in which the tests get there. */
const KNOWLEDGE: Record<string, string> = {
  'statistics of the time before the copies': 'select 1',
  'no statistics': CLEAR_STATISTICS,
  'current statistics': 'vacuum analyze',
};

describe('The statements of a session', () => {
  useOwnDatabase('growth');
  const replayed: { name: string; workspaceId: string; id: string; statements: Statement[] }[] = [];
  let client: pg.Client;

  before(async function () {
    this.timeout(0);
    // With the sums of budgets of the owner and of the installation.
    const env = { MAX_MONTHLY_BUDGET_USD: '1000', INSTALLATION_MONTHLY_BUDGET_USD: '1000' };
    const receiver = await startReceiver();
    const service = await startTestService({ env });
    client = new pg.Client({ connectionString: testDatabase().url });
    await client.connect();
    const owners = [];
    for (const [name, settings] of Object.entries({ text: { fields: FIELDS }, voice: VOICE })) {
      const used = await createSessionOwner(() => service.api, { ...settings, webhook_url: receiver.url });
      const run = () => runToEnd(service.api, used, { 'Idempotency-Key': randomUUID() });
      await statementsDuring(run);
      owners.push({ name, run, workspaceId: used.assistant.workspace_id });
    }
    await client.query('analyze');
    for (const { run, ...owner } of owners) {
      let id = '';
      const statements = await statementsDuring(async () => void (id = await run()));
      replayed.push({ ...owner, id, statements });
    }
    await service.stop();
    await receiver.stop();
    for (const { id, workspaceId } of replayed) await copy(id, workspaceId);
  });
  after(() => client.end());

  /** Without triggers and foreign keys. */
  async function copy(sessionId: string, workspaceId: string): Promise<void> {
    await client.query('set session_replication_role = replica');
    for (const [table, { ids, where }] of Object.entries(COPIED)) {
      const { rows } = await client.query<{ name: string }>(
        `select column_name as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
        [table],
      );
      const names = rows.map(({ name }) => name);
      const values = names.map((name) => VALUES[name] ?? (ids.includes(name) ? `${name} || n` : name));
      await client.query(
        `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
         from ${table}, generate_series(1, ${COPIES}) n where (${where}) and $1::text <> $2::text`,
        [sessionId, workspaceId],
      );
    }
    await client.query('reset session_replication_role');
  }

  async function run(statements: Statement[]): Promise<void> {
    for (const { sql, bindings } of statements) await client.query(sql, bindings);
  }

  /** Runs the statements of a session again, as if it had not existed. Returns the status of the session and its delivery. */
  async function replay({ id, statements }: (typeof replayed)[number]): Promise<unknown[]> {
    for (const table of ['provider_calls', 'idempotency_keys', 'sessions']) {
      await client.query(`delete from ${table} where ${COPIED[table]?.where}`, [id]);
    }
    await run(statements);
    await client.query('set constraints all immediate');
    const { rows } = await client.query<object>(
      'select sessions.status, deliveries.status as delivery from sessions join deliveries on session_id = sessions.id where sessions.id = $1',
      [id],
    );
    return rows;
  }

  for (const [knowledge, prepare] of Object.entries(KNOWLEDGE)) {
    describe(`with ${knowledge}`, () => {
      before(async () => void (await client.query(prepare)));

      for (const plan of ['custom', 'generic']) {
        it(`read none of the owner's other sessions with ${plan} plans`, async () => {
          await client.query(`set plan_cache_mode = force_${plan}_plan`);
          for (const each of replayed) {
            await client.query('begin');
            let ended: unknown[] = [];
            const reads = await readsDuring(client, async () => void (ended = await replay(each)));
            await client.query('rollback');
            expect(ended).to.deep.equal([{ status: 'completed', delivery: 'delivered' }]);
            expect(reads.length).to.be.above(each.statements.length);
            expect(
              reads.filter(({ rows }) => rows > MAX_ROWS),
              each.name,
            ).to.deep.equal([]);
          }
        });
      }
    });
  }
});
