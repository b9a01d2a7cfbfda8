/** Brings the database's schema up to date, once PostgreSQL is there: `npm run migrate`. */
import { readDatabaseUrl } from '../runtime/settings/config.ts';
import { EnvironmentSchema } from '../runtime/settings/environment.ts';
import { refuseArguments, runMain, StartError } from '../runtime/process/process.ts';
import { readSecretFiles } from '../runtime/settings/secret-files.ts';
import { checkSettings } from '../runtime/settings/setting-rules.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { awaitServer } from './await-database.ts';
import { migrate } from './migrate.ts';

const SettingsSchema = EnvironmentSchema.pick({ DATABASE_URL: true, DATABASE_PASSWORD: true, LOG_LEVEL: true });

await runMain(async () => {
  refuseArguments();
  const { env, problems } = readSecretFiles(process.env);
  const settings = checkSettings(SettingsSchema, env, problems);
  if (problems.length > 0 || !settings) throw new StartError(problems.join('; '));
  const url = readDatabaseUrl(settings);
  await awaitServer(url, createLog(settings.LOG_LEVEL));
  const applied = await migrate(url);
  const outcome = applied.length === 0 ? 'The schema is current.' : `Applied to the schema: ${applied.join(', ')}.`;
  process.stdout.write(`${outcome}\n`);
});
