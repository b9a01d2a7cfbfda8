/**
 * `npm run user -- list | add EMAIL NAME | disable EMAIL | enable EMAIL`: the accounts of this installation, for who runs
 * it. The password of a new account is asked for, or read from the first line of the standard input.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { register } from '../contract/account.ts';
import { connectDatabase } from '../db/connect.ts';
import { AuditEventModel } from '../db/models/audit-event.ts';
import { UserModel } from '../db/models/user.ts';
import { readConfig } from '../runtime/config.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { runMain, StartError } from '../runtime/process.ts';
import { addUser } from './commands/register-user.ts';
import { ApiError } from './errors.ts';

const USAGE = 'Usage: npm run user -- list | add EMAIL NAME | disable EMAIL | enable EMAIL';

type Config = ReturnType<typeof readConfig>;

async function list(): Promise<void> {
  for (const { id, email, name, disabled_at, created_at } of await UserModel.query()
    .whereNull('deleted_at')
    .orderBy('id')) {
    const state = disabled_at === null ? 'active' : `disabled since ${disabled_at.toISOString()}`;
    console.log([id, email, name, `since ${created_at.toISOString()}`, state].join('\t'));
  }
}

async function add(config: Config, email: string, name: string): Promise<void> {
  const password = await readPassword();
  const { data, error } = register.body.safeParse({ email, name, password });
  if (error) throw new StartError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
  const user = await addUser(config, data).catch((reason: unknown) => {
    throw reason instanceof ApiError ? new StartError(reason.message) : reason;
  });
  console.log(`Made ${user.id}.`);
}

/** Its tokens and logins are refused from now on; then its runs are ended, which may be repeated. */
async function disable(config: Config, email: string): Promise<void> {
  const { id } = await setDisabled(email, new Date());
  // Temporal's SDK takes longer to load than all else, and no other command needs it.
  const { connectTemporal } = await import('../runtime/temporal/connect.ts');
  const { stopRunsOf } = await import('./commands/stop-runs.ts');
  const temporal = await connectTemporal(config.temporal, createLog('silent'));
  try {
    console.log(`Disabled ${id}; ended ${await stopRunsOf(temporal.client, id)} runs.`);
  } finally {
    await temporal.connection.close();
  }
}

async function enable(email: string): Promise<void> {
  console.log(`Enabled ${(await setDisabled(email, null)).id}.`);
}

async function setDisabled(email: string, disabled_at: Date | null): Promise<UserModel> {
  const user = await UserModel.findByEmail(email);
  if (!user) throw new StartError('There is no account with this e-mail address.');
  const action = disabled_at === null ? 'account_enabled' : 'account_disabled';
  await AuditEventModel.record({ user_id: user.id, action });
  return user.$query().patchAndFetch({ disabled_at });
}

/** Reads a password; what is typed is not shown. */
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
  const [command, email, name] = process.argv.slice(2);
  const config = readConfig(process.env);
  const db = connectDatabase(config.database);
  try {
    if (command === 'list') await list();
    else if (command === 'add' && email && name) await add(config, email, name);
    else if (command === 'disable' && email) await disable(config, email);
    else if (command === 'enable' && email) await enable(email);
    else throw new StartError(USAGE);
  } finally {
    await db.destroy();
  }
});
