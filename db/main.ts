/** Brings the database's schema up to date: `npm run migrate`. */
import { z } from 'zod';
import { runMain } from '../runtime/process.ts';
import { connectDatabase } from './connect.ts';
import { migrate } from './migrate.ts';

await runMain(async () => {
  const url = z.string({ error: 'DATABASE_URL is required' }).parse(process.env['DATABASE_URL']);
  const db = connectDatabase({ url, poolMax: 4 });
  await migrate(db);
  await db.destroy();
});
