/** `npm run user`: `add` prompts for the password, or reads it from the first line of standard input. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { connectDatabase } from '../../db/connect.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { runMain } from '../../runtime/process/process.ts';
import { createLog } from '../../runtime/telemetry/log.ts';
import { createMailer } from '../mail/mailer.ts';
import { runUserCommand } from './user-commands.ts';

/** Reads a password without showing what is typed. */
async function readPassword(): Promise<string> {
  const { isTTY } = process.stdin;
  const output = isTTY ? new Writable({ write: (_chunk, _encoding, done) => done() }) : undefined;
  const lines = createInterface({ input: process.stdin, terminal: isTTY, ...(output && { output }) });
  if (isTTY) process.stderr.write('Password: ');
  const { value } = await lines[Symbol.asyncIterator]().next();
  if (isTTY) process.stderr.write('\n');
  lines.close();
  return value ?? '';
}

await runMain(async () => {
  const config = readConfig(process.env);
  const db = connectDatabase(config.database);
  const mailer = config.mail && createMailer(config.mail, createLog('warn'));
  try {
    console.log(await runUserCommand({ config, mailer, readPassword }, process.argv.slice(2)));
  } finally {
    await mailer?.stop();
    await db.destroy();
  }
});
