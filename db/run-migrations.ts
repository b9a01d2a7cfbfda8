/** Brings the database's schema up to date: `npm run migrate`. */
import { EnvironmentSchema } from '../runtime/environment.ts';
import { runMain, StartError } from '../runtime/process.ts';
import { migrate } from './migrate.ts';

await runMain(async () => {
  const { data: url, error } = EnvironmentSchema.shape.DATABASE_URL.safeParse(process.env['DATABASE_URL']);
  if (error) throw new StartError(`DATABASE_URL ${error.issues[0]?.message ?? ''}`);
  await migrate(url);
});
