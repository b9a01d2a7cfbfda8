/** `npm run schema`: writes db/schema.sql from a fresh database. A test compares the file with the migrations. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { printSchema } from '../db/print-schema.ts';
import { startPostgres } from '../local/postgres.ts';
import { createLog } from '../runtime/telemetry/log.ts';

const directory = mkdtempSync(join(tmpdir(), 'cas-schema-'));
mkdirSync(join(directory, 'run'));
const postgres = await startPostgres({ directory, password: 'schema', log: createLog('warn') });
await migrate(postgres.databaseUrl);
const db = connectDatabase({ url: postgres.databaseUrl, poolMax: 1 });
writeFileSync(new URL('../db/schema.sql', import.meta.url), await printSchema(db));
await db.destroy();
await postgres.stop();
rmSync(directory, { recursive: true });
