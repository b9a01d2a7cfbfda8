/** The commands of `npm run user`, which manages the accounts of this installation. */
import { register } from '../../contract/account/account.ts';
import { UNFINISHED_SESSION_STATUSES } from '../../contract/values/constants.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import { SessionModel } from '../../db/models/session.ts';
import { UserModel } from '../../db/models/user.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { inBatches } from '../../db/page.ts';
import { StartError } from '../../runtime/process/process.ts';
import { createLog } from '../../runtime/telemetry/log.ts';
import { connectTemporal, type TemporalCaller } from '../../runtime/temporal/connect.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import { ApiError } from '../errors.ts';
import { endUnstarted } from '../../db/queries/end-unstarted.ts';
import { callTemporal } from '../temporal.ts';
import { notifyOwners } from '../workspaces/members.ts';
import {
  changeEmail,
  findAccount,
  createResetLink,
  record,
  linkSubject,
  removeSecondFactor,
  verifyEmail,
  type OperatorDeps,
} from './operator-recovery.ts';
import { addUser } from './register-user.ts';

interface UserCommandDeps extends OperatorDeps {
  /** Returns the password of a new account. */
  readPassword(): Promise<string>;
}

/** The arguments of each command, with literal ones in lowercase, and what it does. */
const COMMANDS: Record<string, { args: string[]; run: (deps: UserCommandDeps, ...args: string[]) => Promise<string> }> =
  {
    list: { args: [], run: list },
    add: { args: ['EMAIL', 'NAME'], run: add },
    disable: { args: ['EMAIL'], run: disable },
    enable: { args: ['EMAIL'], run: enableUser },
    admin: { args: ['EMAIL', 'on|off'], run: (_, email = '', state = '') => setAdmin(email, state === 'on') },
    owner: { args: ['WORKSPACE_ID', 'EMAIL'], run: appointOwner },
    policy: { args: ['WORKSPACE_ID', 'any'], run: (_, id = '') => openWorkspace(id) },
    reset: { args: ['EMAIL'], run: ({ config }, email = '') => createResetLink(email, config.publicUrl) },
    verify: { args: ['EMAIL'], run: (_, email = '') => verifyEmail(email) },
    'second-factor': { args: ['EMAIL', 'off'], run: removeSecondFactor },
    link: { args: ['EMAIL', 'SUBJECT'], run: linkSubject },
    email: { args: ['OLD', 'NEW'], run: changeEmail },
  };

const USAGE = `Usage: npm run user -- ${Object.entries(COMMANDS)
  .map(([name, { args }]) => [name, ...args].join(' '))
  .join(' | ')}`;

/** Runs one command and returns what it prints. Throws `StartError` for wrong arguments. */
export async function runUserCommand(deps: UserCommandDeps, [name = '', ...args]: readonly string[]): Promise<string> {
  const command = COMMANDS[name];
  const isGiven = (arg: string, index: number) =>
    arg === arg.toUpperCase() ? args[index] : arg.split('|').includes(args[index] ?? '');
  if (command?.args.length !== args.length || !command.args.every(isGiven)) throw new StartError(USAGE);
  return command.run(deps, ...args);
}

/** Returns one line per account, with its workspaces and roles. */
async function list(): Promise<string> {
  const users = await UserModel.query().orderBy('id');
  const memberships = Map.groupBy(await MembershipModel.query().orderBy('created_at'), ({ user_id }) => user_id);
  const lines = users.map(({ id, email, name, is_admin, disabled_at, created_at }) => {
    const state = disabled_at === null ? 'active' : `disabled since ${disabled_at.toISOString()}`;
    const roles = (memberships.get(id) ?? []).map(({ workspace_id, role }) => `${role} of ${workspace_id}`);
    const since = `since ${created_at.toISOString()}`;
    return [id, email, name, since, is_admin ? `${state}, admin` : state, roles.join(', ')].join('\t');
  });
  return lines.join('\n');
}

async function add({ config, readPassword }: UserCommandDeps, email = '', name = ''): Promise<string> {
  const password = await readPassword();
  if (password === '')
    throw new StartError('No password: type one, or send it with echo "$PASSWORD" | npm run user -- add EMAIL NAME');
  const { data, error } = register.body.safeParse({ email, name, password });
  if (error) throw new StartError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
  const user = await addUser(config, data).catch((reason: unknown) => {
    throw reason instanceof ApiError ? new StartError(reason.message) : reason;
  });
  return `Created ${user.id}.`;
}

/**
 * Refuses the user's logins from now on, and the tokens of workspaces without another member. Then cancels what is running
 * there. May be repeated.
 */
async function disable({ config }: OperatorDeps, email = ''): Promise<string> {
  const { user, workspaceIds } = await setDisabled(email, true);
  const temporal = await connectTemporal(config.temporal, createLog('silent'));
  try {
    let canceled = 0;
    for (const id of workspaceIds) canceled += await cancelWorkflowsOf(temporal.client, id);
    return `Disabled ${user.id}; canceled ${canceled} runs.`;
  } finally {
    await temporal.connection.close();
  }
}

async function enableUser(_: OperatorDeps, email = ''): Promise<string> {
  return `Enabled ${(await setDisabled(email, false)).user.id}.`;
}

async function setDisabled(email: string, isDisabled: boolean) {
  const user = await findAccount(email);
  await record(user, isDisabled ? 'account_disabled' : 'account_enabled');
  return { user, workspaceIds: await UserModel.setDisabled(user, isDisabled) };
}

/** Lets the account log in with its password while `PASSWORD_LOGIN` is `admins`. */
async function setAdmin(email: string, is_admin: boolean): Promise<string> {
  const user = await findAccount(email);
  await user.$query().patch({ is_admin });
  await record(user, 'admin_changed', { admin: is_admin ? 'on' : 'off' });
  return `${user.id} is ${is_admin ? 'an' : 'no'} admin.`;
}

/** Makes the user an owner of the workspace, whose own owners may be gone. Reports it to them. */
async function appointOwner(deps: OperatorDeps, workspaceId = '', email = ''): Promise<string> {
  const user = await findAccount(email);
  const workspace = await WorkspaceModel.query().findById(workspaceId).whereNull('deleted_at');
  if (!workspace) throw new StartError('There is no workspace with this ID.');
  // `person`: a role that a group gave would return at the next single sign-on.
  const membership = { user_id: user.id, workspace_id: workspaceId, role: 'owner', source: 'person' } as const;
  await MembershipModel.query().insert(membership).onConflict(['user_id', 'workspace_id']).merge(['role', 'source']);
  await AuditEventModel.record({
    workspace_id: workspaceId,
    action: 'member_role_changed',
    object_id: user.id,
    details: { role: 'owner' },
  });
  await notifyOwners(deps, workspaceId, user);
  return `Made ${user.id} an owner of ${workspaceId}.`;
}

/** Accepts any login again: nobody may satisfy the policy any more. */
async function openWorkspace(workspaceId: string): Promise<string> {
  const changed = await WorkspaceModel.query().findById(workspaceId).patch({ sign_in: 'any' });
  if (changed === 0) throw new StartError('There is no workspace with this ID.');
  const details = { sign_in: 'any' };
  await AuditEventModel.record({ workspace_id: workspaceId, action: 'workspace_changed', details });
  return `${workspaceId} accepts any login.`;
}

/** Cancels the batches, sessions and deliveries of a workspace. Returns the number of canceled workflows. */
async function cancelWorkflowsOf(temporal: TemporalCaller['client'], workspace_id: string): Promise<number> {
  let canceled = 0;
  const cancel = async (workflowId: string) => {
    const isRunning = await callTemporal(temporal, () => cancelWorkflow(temporal, workflowId));
    if (isRunning) canceled += 1;
    return isRunning;
  };
  const batches = await BatchModel.query().select('id').where({ workspace_id }).whereNull('ended_at');
  for (const { id } of batches) await cancel(id);
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
