import type { Knex } from 'knex';
import type pg from 'pg';

interface Statement {
  sql: string;
  bindings: unknown[];
}

/**
 * Returns how many blocks of 8 kB the statements of `ask` read. `client` runs each statement again, so they must be
 * read-only.
 */
export async function countBlocks(db: Knex, client: pg.Client, ask: () => Promise<unknown>): Promise<number> {
  const statements: Statement[] = [];
  const note = (statement: Statement) => void statements.push(statement);
  db.on('query', note);
  await ask().finally(() => db.off('query', note));
  let blocks = 0;
  for (const { sql, bindings } of statements) {
    const explained = await client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) ${sql}`,
      bindings,
    );
    const plan = explained.rows[0]?.['QUERY PLAN'][0]?.Plan;
    blocks += (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
  }
  return blocks;
}
