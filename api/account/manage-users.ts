/**
 * `npm run user -- list | add EMAIL NAME | disable EMAIL | enable EMAIL | owner WORKSPACE_ID EMAIL` manages the accounts of
 * this installation. `add` prompts for the password, or reads it from the first line of standard input.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { register } from '../../contract/account.ts';
import { UNFINISHED_SESSION_STATUSES } from '../../contract/constants.ts';
import { connectDatabase } from '../../db/connect.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { UserModel } from '../../db/models/user.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { inBatches } from '../../db/page.ts';
import { readConfig } from '../../runtime/config.ts';
import type { Config } from '../../runtime/config.ts';
import { runMain, StartError } from '../../runtime/process.ts';
import { createLog } from '../../runtime/telemetry/log.ts';
import { CALL_TIMEOUT_MS, callInTime, connectTemporal } from '../../runtime/temporal/connect.ts';
import type { TemporalCaller } from '../../runtime/temporal/connect.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import { ApiError } from '../errors.ts';
import { endUnstarted } from '../sessions/commands.ts';
import { addUser } from './register-user.ts';

const USAGE = 'Usage: npm run user -- list | add EMAIL NAME | disable EMAIL | enable EMAIL | owner WORKSPACE_ID EMAIL';

/** Prints one line per account, with its workspaces and roles. */
async function list(): Promise<void> {
  for (const { id, email, name, disabled_at, created_at } of await UserModel.query().orderBy('id')) {
    const state = disabled_at === null ? 'active' : `disabled since ${disabled_at.toISOString()}`;
    const memberships = await MembershipModel.query().where({ user_id: id }).orderBy('created_at');
    const workspaces = memberships.map(({ workspace_id, role }) => `${role} of ${workspace_id}`).join(', ');
    console.log([id, email, name, `since ${created_at.toISOString()}`, state, workspaces].join('\t'));
  }
}

async function add(config: Config, email: string, name: string): Promise<void> {
  const password = await readPassword();
  const { data, error } = register.body.safeParse({ email, name, password });
  if (error) throw new StartError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
  const user = await addUser(config, data).catch((reason: unknown) => {
    throw reason instanceof ApiError ? new StartError(reason.message) : reason;
  });
  console.log(`Created ${user.id}.`);
}

/**
 * Refuses the user's logins from now on, and the tokens of workspaces without another member. Then cancels what is running
 * there. May be repeated.
 */
async function disable(config: Config, email: string): Promise<void> {
  const { user, workspaceIds } = await setDisabled(email, true);
  const temporal = await connectTemporal(config.temporal, createLog('silent'));
  try {
    let canceled = 0;
    for (const id of workspaceIds) canceled += await cancelWorkflowsOf(temporal.client, id);
    console.log(`Disabled ${user.id}; canceled ${canceled} runs.`);
  } finally {
    await temporal.connection.close();
  }
}

async function enable(email: string): Promise<void> {
  console.log(`Enabled ${(await setDisabled(email, false)).user.id}.`);
}

async function setDisabled(email: string, isDisabled: boolean) {
  const user = await findUser(email);
  const action = isDisabled ? 'account_disabled' : 'account_enabled';
  await AuditEventModel.record({ user_id: user.id, action });
  return { user, workspaceIds: await UserModel.setDisabled(user, isDisabled) };
}

async function findUser(email: string): Promise<UserModel> {
  const user = await UserModel.findByEmail(email);
  if (!user) throw new StartError('There is no account with this email address.');
  return user;
}

/** Makes the user an owner of the workspace, whose own owners may be gone. */
async function appointOwner(workspaceId: string, email: string): Promise<void> {
  const user = await findUser(email);
  const workspace = await WorkspaceModel.query().findById(workspaceId).whereNull('deleted_at');
  if (!workspace) throw new StartError('There is no workspace with this ID.');
  const membership = { user_id: user.id, workspace_id: workspaceId, role: 'owner' as const };
  await MembershipModel.query().insert(membership).onConflict(['user_id', 'workspace_id']).merge(['role']);
  await AuditEventModel.record({
    ...{ workspace_id: workspaceId, action: 'member_role_changed', object_id: user.id, details: { role: 'owner' } },
  });
  console.log(`Made ${user.id} an owner of ${workspaceId}.`);
}

/** Cancels the batches, redeliveries, sessions and deliveries of a workspace. Returns the number of canceled workflows. */
async function cancelWorkflowsOf(temporal: TemporalCaller['client'], workspace_id: string): Promise<number> {
  let canceled = 0;
  const cancel = async (workflowId: string) => {
    const isRunning = await callInTime(temporal, CALL_TIMEOUT_MS, () => cancelWorkflow(temporal, workflowId));
    if (isRunning) canceled += 1;
    return isRunning;
  };
  const batches = await BatchModel.query().select('id').where({ workspace_id }).whereNull('ended_at');
  const redeliveries = await RedeliveryModel.query().select('id').where({ workspace_id, status: 'running' });
  for (const { id } of [...batches, ...redeliveries]) await cancel(id);
  const unfinished = () =>
    SessionModel.query()
      .select('id')
      .where({ workspace_id })
      .whereIn('status', [...UNFINISHED_SESSION_STATUSES]);
  for await (const { id } of inBatches(unfinished)) if (!(await cancel(id))) await endUnstarted(id);
  const pending = () => DeliveryModel.query().select('id', 'workflow_id').where({ workspace_id, status: 'pending' });
  for await (const { workflow_id } of inBatches(pending)) await cancel(workflow_id);
  return canceled;
}

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
  const [command, email, name] = process.argv.slice(2);
  const config = readConfig(process.env);
  const db = connectDatabase(config.database);
  try {
    if (command === 'list') await list();
    else if (command === 'add' && email && name) await add(config, email, name);
    else if (command === 'disable' && email) await disable(config, email);
    else if (command === 'enable' && email) await enable(email);
    else if (command === 'owner' && email && name) await appointOwner(email, name);
    else throw new StartError(USAGE);
  } finally {
    await db.destroy();
  }
});
