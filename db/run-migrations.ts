/** Brings the database's schema up to date: `npm run migrate`. */
import { EnvironmentSchema } from '../runtime/environment.ts';
import { runMain, StartError } from '../runtime/process.ts';
import { connectDatabase } from './connect.ts';
import { migrate } from './migrate.ts';

await runMain(async () => {
  const { data: url, error } = EnvironmentSchema.shape.DATABASE_URL.safeParse(process.env['DATABASE_URL']);
  if (error) throw new StartError(`DATABASE_URL ${error.issues[0]?.message ?? ''}`);
  const db = connectDatabase({ url, poolMax: 4 });
  await migrate(db);
  await db.destroy();
});
