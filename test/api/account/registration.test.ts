import { fileURLToPath } from 'node:url';
import { register } from '../../../contract/account/account.ts';
import { registerInConsole } from '../../../contract/account/logins.ts';
import { AuditEventModel } from '../../../db/models/audit-event.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { UserModel } from '../../../db/models/user.ts';
import { send, startTestApi, testEnvironment } from '../../support/api.ts';
import { createDatabase, testDatabase, useConnections } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, createUser, PASSWORD, says } from '../../support/factories.ts';
import { operate } from '../../support/operate.ts';
import { runCommand } from '../../support/run-command.ts';
import { testTemporal } from '../../support/temporal.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { useSharedService } from '../../support/shared-service.ts';

const account = () => ({ email: `${crypto.randomUUID()}@example.com`, password: PASSWORD, name: 'Ada' });

const PROGRAM = fileURLToPath(new URL('../../../api/account/manage-users.ts', import.meta.url));

const REGISTER_IN_EMPTY = `
  import { connectDatabase } from './db/connect.ts';
  import { migrate } from './db/migrate.ts';
  import { registerUser } from './api/account/register-user.ts';
  const db = connectDatabase({ url: process.env.DATABASE_URL, poolMax: 10 });
  await migrate(process.env.DATABASE_URL);
  const budgets = { defaultUsd: null, maxUsd: null, installationUsd: null };
  const try5 = (registration) => Promise.all(Array.from({ length: 5 }, (_, n) =>
    registerUser({ config: { passwordLogin: 'on', registration, budgets } }, { email: n + '@example.com', name: 'a', password: 'correct horse' }, '')
      .then(() => 201, ({ status }) => status)));
  // No account is stored until all five requests wait, so each of them has seen an empty table.
  const meeting = async (asking) => {
    const held = await db.transaction();
    await held.raw('lock table users in share mode');
    const answers = asking();
    for (let waiting = 0; waiting < 5; await new Promise((resolve) => setTimeout(resolve, 20))) {
      const { rows } = await db.raw(\`select count(*)::int as waiting from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()\`);
      waiting = rows[0].waiting;
    }
    await held.commit();
    return answers;
  };
  const answers = { closed: (await try5('closed')).sort(), first: (await meeting(() => try5('first'))).sort() };
  await db.destroy();
  console.log(JSON.stringify(answers));
`;

describe('Registration', () => {
  useConnections();
  it('closed or first: refused if there are accounts, which can still log in', async () => {
    const { user } = await createUser();
    for (const REGISTRATION of ['closed', 'first']) {
      const api = await stopAfterTest(startTestApi({ env: { REGISTRATION } }));
      for (const endpoint of [register, registerInConsole]) {
        const { problem } = await send(api, endpoint, { body: account() });
        expect(problem, REGISTRATION).to.include({ status: 403, code: 'registration_closed' });
      }
      expect((await send(api, 'login', { body: { email: user.email, password: PASSWORD } })).status).to.equal(200);
    }
  });

  it('in an empty installation: first accepts one of several concurrent requests, closed accepts none', async () => {
    const url = await createDatabase(testDatabase().url, `empty_${crypto.randomUUID().replaceAll('-', '')}`);
    // In a separate process, because the models of this process are bound to the database of other tests.
    const { output, errors } = await runCommand(process.execPath, ['--input-type=module', '-e', REGISTER_IN_EMPTY], {
      DATABASE_URL: url,
    });
    expect(errors).to.equal('');
    expect(JSON.parse(output)).to.deep.equal({ closed: [403, 403, 403, 403, 403], first: [201, 403, 403, 403, 403] });
  });
});

describe('npm run user', () => {
  useConnections();
  const service = useSharedService();

  async function environment(): Promise<Record<string, string>> {
    const { address, temporal } = await testTemporal();
    const own = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: temporal.client.options.namespace };
    return { ...(testEnvironment() as Record<string, string>), ...own };
  }

  const run = async (args: readonly string[], password = PASSWORD) =>
    operate(args, { env: await environment(), password });

  it('adds an account that can log in, whatever REGISTRATION is, and fails with code 1 for a second one', async () => {
    const { email } = account();
    const add = async () =>
      runCommand(process.execPath, [PROGRAM, 'add', email, 'Grace'], await environment(), { input: `${PASSWORD}\n` });
    const { code, errors } = await add();
    expect([code, errors]).to.deep.equal([0, '']);
    expect((await send(service.api, 'login', { body: { email, password: PASSWORD } })).body.user.name).to.equal(
      'Grace',
    );
    expect((await run(['list'])).output).to.include(email);
    const again = await add();
    expect(again.code).to.equal(1);
    expect(again.errors.trim()).to.include('exists').and.not.to.include('\n');
  });

  it('explains errors in one line, and changes nothing', async () => {
    const { user } = await createUser();
    const cases = [
      [['add', 'nobody@example.com', 'x'], 'password'],
      [['disable', 'nobody@example.com'], 'no account'],
      [['owner', 'ws_1', user.email], 'no workspace'],
      [['admin', user.email, 'yes'], 'Usage'],
      [['remove', user.email], 'Usage'],
    ] as const;
    expect((await run(['add', 'nobody@example.com', 'x'], '')).errors).to.match(
      /^No password: type one, or send it with/,
    );
    for (const [args, message] of cases) {
      const { errors } = await run(args, message === 'password' ? 'short' : PASSWORD);
      expect(errors, args.join(' ')).to.include(message).and.not.to.include('\n');
    }
  });

  it('appoints an owner of a workspace and marks admins, and lists both', async () => {
    const [owner, { user }] = [await createUser(), await createUser()];
    await MembershipModel.query().insert({
      user_id: user.id,
      workspace_id: owner.workspaceId,
      role: 'analyst',
      source: 'sso',
    });
    const commands = [
      ['owner', owner.workspaceId, user.email],
      ['admin', user.email, 'on'],
    ];
    for (const args of commands) expect((await run(args)).errors).to.equal('');
    const line = (await run(['list'])).output.split('\n').find((one) => one.includes(user.email));
    expect(line)
      .to.match(/\tactive, admin\t/)
      .and.contain(`owner of ${owner.workspaceId}`);
    const member = await MembershipModel.query().findById([user.id, owner.workspaceId]);
    expect(member?.source, 'no group takes the role').to.equal('person');
    expect((await run(['admin', user.email, 'off'])).errors).to.equal('');
    expect((await UserModel.query().findById(user.id))?.is_admin).to.equal(false);
    const marks = await AuditEventModel.query().where({ user_id: user.id, action: 'admin_changed' }).orderBy('id');
    expect(marks.map(({ details }) => details)).to.deep.equal([{ admin: 'on' }, { admin: 'off' }]);
  });

  it('disables an account: its logins and the tokens of its own workspaces are refused, and its sessions end', async () => {
    const { user, token } = await createUser();
    const assistant = await createAssistant(user.default_workspace_id);
    const body = { email: user.email, password: PASSWORD };
    const session = (await send(service.api, 'login', { body })).body.token;
    service.providers.hang();
    const submission = { assistant_id: assistant.id, conversation: says('Hello.') };
    const submitted = { token, headers: { Prefer: 'respond-async' }, body: submission };
    const { session_id } = (await send(service.api, 'submitTextRequest', submitted)).body;
    await eventually(() => SessionModel.findStatus(session_id), 'analyzing');
    expect((await run(['disable', user.email])).output).to.include('canceled 1 runs');
    for (const used of [token, session]) {
      expect((await send(service.api, 'getCurrentUser', { token: used })).status).to.equal(401);
    }
    expect((await send(service.api, 'login', { body })).status).to.equal(401);
    await eventually(() => SessionModel.findStatus(session_id), 'canceled');
    await service.providers.pass();
    await run(['enable', user.email]);
    for (const used of [token, session]) {
      expect((await send(service.api, 'getCurrentUser', { token: used })).status).to.equal(200);
    }
  });
});
