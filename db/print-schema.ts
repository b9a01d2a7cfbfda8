/** Prints the schema of a database as SQL, for readers: docs/architecture.md. */
import type { Knex } from 'knex';

const HEADING = `-- The schema after all migrations, printed by "npm run schema" for readers. Change it with a migration.`;

/** Returns every table with its indexes and triggers, then every function, of the schema \`public\`. */
export async function printSchema(db: Knex): Promise<string> {
  const tables = await listTables(db);
  const functions = await db.raw<{ rows: { body: string }[] }>(FUNCTIONS);
  return [HEADING, ...tables, ...functions.rows.map(({ body }) => `${body.trim()};`), ''].join('\n\n');
}

async function listTables(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: PrintedTable[] }>(TABLES);
  return rows.map(({ name, options, lines, indexes, triggers }) => {
    const table = `create ${options.startsWith('unlogged ') ? 'unlogged ' : ''}table ${name} (`;
    const storage = options.replace('unlogged ', '');
    const end = storage === '' ? ');' : `) with (${storage});`;
    return [
      table,
      lines.map((line) => `  ${line}`).join(',\n'),
      end,
      ...[...indexes, ...triggers].map((line) => `${line};`),
    ].join('\n');
  });
}

interface PrintedTable {
  name: string;
  options: string;
  lines: string[];
  indexes: string[];
  triggers: string[];
}

/** Knex's own tables are not part of the schema. */
const OWN = `c.relnamespace = 'public'::regnamespace and c.relname not like 'knex%'`;

const TABLES = `
  select c.relname as name,
    case c.relpersistence when 'u' then 'unlogged ' else '' end || coalesce(array_to_string(c.reloptions, ', '), '') as options,
    array(
      select format('%s %s%s%s%s', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
        case when a.attcollation = '"C"'::regcollation then ' collate "C"' else '' end,
        case when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
          when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end,
        case when a.attidentity <> '' then ' generated always as identity' when a.attnotnull then ' not null' else '' end)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum
    ) || array(
      select format('constraint %s %s', quote_ident(conname), pg_get_constraintdef(oid)) from pg_constraint
      where conrelid = c.oid and contype <> 'n' order by contype = 'p' desc, conname
    ) as lines,
    array(
      select pg_get_indexdef(i.indexrelid) from pg_index i
      where i.indrelid = c.oid and not exists (select from pg_constraint where conindid = i.indexrelid and conrelid = c.oid)
      order by i.indexrelid::regclass::text
    ) as indexes,
    array(select pg_get_triggerdef(t.oid) from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal order by t.tgname) as triggers
  from pg_class c where c.relkind = 'r' and ${OWN} order by c.relname`;

const FUNCTIONS = `
  select pg_get_functiondef(p.oid) as body from pg_proc p
  where p.pronamespace = 'public'::regnamespace order by p.proname`;
