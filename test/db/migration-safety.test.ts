import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import { MIGRATIONS } from '../../db/migrate.ts';

const SQUAWK = fileURLToPath(new URL('../../node_modules/.bin/squawk', import.meta.url));

/** Excluded rules: style, and what db/migrate.ts does for every migration. */
const EXCLUDED = [
  'prefer-bigint-over-int',
  'prefer-text-field',
  'prefer-identity',
  'prefer-robust-stmts',
  'prefer-timestamp-tz',
  'require-timeout-settings',
];

/** Returns the rules that the SQL breaks: https://squawkhq.com/docs/rules */
function findDangers(sql: string, { isInTransaction }: { isInTransaction: boolean }): string[] {
  const args = ['--pg-version', '18', '--reporter', 'Json', '--exclude', EXCLUDED.join(',')];
  if (isInTransaction) args.push('--assume-in-transaction');
  try {
    execFileSync(SQUAWK, args, { input: sql, stdio: ['pipe', 'pipe', 'pipe'] });
    return [];
  } catch (error) {
    const found = JSON.parse(String((error as { stdout: Buffer }).stdout)) as { rule_name: string }[];
    return found.map(({ rule_name }) => rule_name);
  }
}

/** Returns the statements of a migration without running them. Bindings are null. */
async function recordSql(up: (db: Knex) => Promise<void>): Promise<string> {
  const statements: string[] = [];
  const raw = (sql: string) => {
    statements.push(sql.trim().replaceAll('?', 'null').replace(/;?$/, ';'));
    return Promise.resolve({ rows: [] });
  };
  await up({ raw } as unknown as Knex);
  return statements.join('\n');
}

describe('A migration that runs beside the former release', () => {
  it('is refused if it breaks the former release or blocks it', () => {
    for (const [sql, rule] of [
      ['alter table sessions drop column title;', 'ban-drop-column'],
      ['alter table sessions rename column title to name;', 'renaming-column'],
      ['alter table sessions alter column title type int using 1;', 'changing-column-type'],
      ['alter table sessions add column owner text not null;', 'adding-required-field'],
      ['alter table sessions add constraint c check (true);', 'constraint-missing-not-valid'],
      ['create index on sessions (title);', 'require-concurrent-index-creation'],
    ] as const) {
      expect(findDangers(sql, { isInTransaction: true }), sql).to.include(rule);
    }
    const safe =
      'alter table sessions add column owner text; create table t (id text primary key); create index on t (id);';
    expect(findDangers(safe, { isInTransaction: true })).to.deep.equal([]);
  });

  for (const [name, { up, config }] of Object.entries(MIGRATIONS)) {
    if (name === '010-shares') continue; // It finds an empty database.
    it(`is allowed: ${name}`, async () => {
      expect(findDangers(await recordSql(up), { isInTransaction: config?.transaction !== false })).to.deep.equal([]);
    });
  }
});
