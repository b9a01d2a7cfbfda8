import { hasRoleScope } from '../../contract/values/scopes.ts';
import type { MemberRole } from '../../contract/values/constants.ts';
import { send } from '../support/api.ts';
import {
  expectAccessible,
  expectLocator,
  openPage,
  openWithin,
  type TestPage,
  expectUsable,
} from '../support/browser.ts';
import { logInTo, openPageOf, visitEachTest } from '../support/console.ts';
import { createAssistant, createSession, PASSWORD, says } from '../support/factories.ts';
import { createMember, logInAs } from '../support/members.ts';

describe('Members in the console', () => {
  const { service, visitor } = visitEachTest();
  let others: TestPage[];
  beforeEach(() => (others = []));
  afterEach(async () => {
    await Promise.all(others.map((other) => other.close()));
    expect(others.flatMap(({ faults }) => faults)).to.deep.equal([]);
  });

  async function openOther(opening: Promise<TestPage>) {
    const opened = await opening;
    others.push(opened);
    return opened.page;
  }

  /** Opens the console of a new member of the visitor's workspace. */
  async function openMember(role: MemberRole) {
    const workspace = visitor.user.default_workspace_id;
    const member = await createMember(workspace, role);
    const page = await openOther(openPageOf(service.api, member.user));
    return { ...member, page, base: `/console/w/${workspace}` };
  }

  it('can be invited by a link, register in another browser, and see a session that a token submitted', async () => {
    const { page, token, user } = visitor;
    const email = `${crypto.randomUUID()}@example.com`;
    const assistant = await createAssistant(user.default_workspace_id, { name: 'Support calls' });
    const body = { assistant_id: assistant.id, conversation: says('Where is my parcel?') };
    const { session_id: id } = (await send(service.api, 'submitTextRequest', { token, body })).body;
    await page.goto('/console/settings/members');
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite member' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Role').selectOption('Analyst');
    await expectLocator(dialog.getByLabel('Role')).toHaveAccessibleDescription(/Edits prompts/);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Invite member' }).click();
    const link = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await expectLocator(page.getByRole('row', { name: email })).toContainText('Analyst');
    await expectAccessible(page);

    const colleague = await openOther(openPage(service.api.url));
    await colleague.goto(link);
    await expectLocator(colleague.getByText('Ada invited you. Your role will be Analyst.')).toBeVisible();
    await expectUsable(colleague);
    await colleague.setViewportSize({ width: 1280, height: 800 });
    await colleague.getByLabel('Name').fill('Grace');
    await colleague.getByLabel('Password').fill(PASSWORD);
    await colleague.getByRole('button', { name: 'Create account and join' }).click();
    await expectLocator(colleague.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
    await colleague.getByRole('link', { name: 'Sessions & Logs' }).click();
    await colleague.locator(`a[href$="/sessions/${id}"]`).click();
    await expectLocator(colleague.getByRole('heading', { name: 'Support calls', level: 1 })).toBeVisible();
    // The URL also works for the inviter.
    await page.goto(colleague.url());
    await expectLocator(page.getByRole('heading', { name: 'Support calls', level: 1 })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
    await expectLocator(page.getByText('test token of Ada')).toBeVisible();
    await openWithin(page, '/console/settings/members');
    await expectLocator(page.getByRole('row', { name: /Grace/ })).toContainText('password');
    await expectLocator(page.getByRole('heading', { name: 'Open invitations' })).not.toBeVisible();
    await openWithin(page, '/console/settings/audit');
    await expectLocator(page.getByRole('row', { name: /Member joined/ })).toContainText('Grace');
    await page.getByLabel('Event').selectOption('Token rolled');
    await expectLocator(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expectLocator(page.getByRole('row', { name: /Member joined/ })).toBeVisible();
  });

  it('can accept an invitation with their account, but only for their address', async () => {
    const { user } = visitor;
    const invited = await createMember(
      (await createMember(user.default_workspace_id, 'analyst')).workspaceId,
      'auditor',
    );
    const invite = async (email: string) => {
      const options = { token: await logInAs(user), body: { email, role: 'developer' } };
      return (await send(service.api, 'createInvitation', options)).body.token;
    };
    const page = await openOther(openPage(service.api.url));
    await page.goto(`/console/invitation#${await invite(invited.user.email.toUpperCase())}`);
    await page.getByRole('link', { name: 'Log in' }).click();
    expect(page.url()).not.to.contain('#');
    await page.getByLabel('Email').fill(invited.user.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Join workspace' }).click();
    await expectLocator(page).toHaveURL(new RegExp(`/console/w/${user.default_workspace_id}/$`));
    await expectLocator(page.getByRole('button', { name: 'Switch workspace' })).toContainText('Developer');

    await page.goto(`/console/invitation#${await invite('someone.else@example.com')}`);
    await expectLocator(page.getByRole('alert')).toContainText('is for someone.else@example.com');
    await page.getByRole('button', { name: 'Log out' }).click();
    await expectLocator(page.getByRole('button', { name: 'Create account and join' })).toBeVisible();
    await page.goto('/console/invitation#unknown');
    await expectLocator(page.getByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible();
    await expectAccessible(page);
  });

  it('have open invitations, which can get a new link or be revoked', async () => {
    const { page, user } = visitor;
    const token = await logInAs(user);
    const created = await send(service.api, 'createInvitation', {
      token,
      body: { email: 'grace@example.com', role: 'auditor' },
    });
    await page.goto('/console/settings/members');
    const expires = page.getByRole('row', { name: 'grace@example.com' }).getByRole('time');
    const before = (await expires.getAttribute('title')) ?? '';
    await page.getByRole('button', { name: 'New link grace@example.com' }).click();
    const link = page.getByRole('dialog').locator('pre');
    await expectLocator(link).toContainText('/console/invitation#');
    await expectLocator(link).not.toContainText(created.body.token);
    await page.getByRole('button', { name: 'Done' }).click();
    // The row of the former invitation has the same buttons.
    await expectLocator(expires).not.toHaveAttribute('title', before);
    await page.getByRole('button', { name: 'Revoke grace@example.com' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Open invitations' })).not.toBeVisible();
    expect((await send(service.api, 'listInvitations', { token })).body.data).to.deep.equal([]);
  });

  it('lose access to the page when they are removed, while the token that they created keeps working', async () => {
    const { page, user } = visitor;
    const workspace = user.default_workspace_id;
    const member = await openMember('developer');
    const key = await send(service.api, 'createKey', { token: member.token, workspace, body: { name: 'crm' } });
    await createSession(await createAssistant(workspace), { summary_text: 'Only for members.' });
    await member.page.goto(`${member.base}/sessions`);
    await expectLocator(member.page.getByText('Only for members.')).toBeVisible();

    await page.goto('/console/settings/members');
    await page
      .getByRole('row', { name: member.user.email })
      .getByRole('button', { name: /^Remove/ })
      .click();
    const dialog = page.getByRole('dialog');
    await expectLocator(dialog.getByRole('listitem')).toHaveText(/crm, last used:\s*never/);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expectLocator(dialog.getByText(/^Must be keep or revoke/)).toBeVisible();
    await dialog.getByLabel('They keep working').check();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expectLocator(page.getByRole('row')).toHaveCount(2);

    const ended = member.page.getByRole('heading', { name: 'You are not a member of this workspace' });
    await expectLocator(ended).toBeVisible();
    await expectLocator(member.page.getByText('Only for members.')).not.toBeVisible();
    expect((await send(service.api, 'listKeys', { token: key.body.token })).status).to.equal(200);
    await page.getByRole('link', { name: 'API tokens' }).click();
    await expectLocator(page.getByRole('row', { name: /crm/ })).toContainText('left the workspace');
    await member.page.getByRole('link', { name: /^Open / }).click();
    await expectLocator(member.page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  });

  it('can leave a workspace, which revokes their tokens, even if their role cannot list tokens', async () => {
    const { page } = visitor;
    const workspace = visitor.user.default_workspace_id;
    const member = await createMember(workspace, 'developer');
    await logInTo(page, service.api, member.user);
    const key = await send(service.api, 'createKey', { token: member.token, workspace, body: { name: 'crm' } });
    const options = { token: await logInAs(visitor.user), params: { user_id: member.user.id } };
    await send(service.api, 'updateMember', { ...options, body: { role: 'analyst' } });
    await page.goto(`/console/w/${workspace}/settings/workspace`);
    await page.getByRole('button', { name: 'Leave workspace' }).click();
    const dialog = page.getByRole('dialog');
    await expectLocator(dialog.getByText('your API tokens of this workspace are revoked')).toBeVisible();
    await expectLocator(dialog.getByText('The member created')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Leave workspace' }).click();
    await expectLocator(page).toHaveURL(/\/console\/$/);
    expect((await send(service.api, 'listKeys', { token: key.body.token })).status).to.equal(401);
  });

  it('can get another role', async () => {
    const { page } = visitor;
    const member = await openMember('auditor');
    await member.page.goto(`${member.base}/sessions`);
    await expectLocator(member.page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
    await expectLocator(member.page.getByText('Your role can only read.')).toBeVisible();
    await expectLocator(member.page.getByRole('link', { name: 'New conversation' })).toHaveCount(0);
    await page.goto('/console/settings/members');
    const row = page.getByRole('row', { name: member.user.email });
    await row.getByRole('combobox').selectOption('Analyst');
    await expectLocator(page.getByText('Saved.')).toBeVisible();
    await member.page.reload();
    await expectLocator(member.page.getByRole('link', { name: 'New conversation' }).first()).toBeVisible();
  });

  for (const [role, { shown, hidden, closed }] of Object.entries({
    developer: { shown: ['Reanalyze …', 'Delete'], hidden: [], closed: '/settings/audit' },
    analyst: { shown: ['Reanalyze …'], hidden: ['Delete'], closed: '/settings/tokens' },
    reviewer: { shown: [], hidden: ['Reanalyze …', 'Delete', 'Share'], closed: '/deliveries' },
    auditor: { shown: [], hidden: ['Reanalyze …', 'Delete'], closed: '/assistants/new' },
  })) {
    it(`see only what their role includes (${role})`, async () => {
      const workspace = visitor.user.default_workspace_id;
      const { page } = visitor;
      await logInTo(page, service.api, (await createMember(workspace, role as MemberRole)).user);
      const base = `/console/w/${workspace}`;
      const isEditor = hasRoleScope(role as MemberRole, 'assistants:write');
      const assistant = await createAssistant(workspace);
      const session = await createSession(assistant, { status: 'completed' });
      await page.goto(`${base}/sessions/${session.id}`);
      await page.getByRole('button', { name: 'Actions' }).click();
      await expectLocator(page.getByRole('link', { name: 'Session (JSON)', exact: true })).toBeVisible();
      for (const name of shown) await expectLocator(page.getByRole('button', { name, exact: true })).toBeVisible();
      for (const name of hidden) await expectLocator(page.getByRole('button', { name, exact: true })).toHaveCount(0);

      await openWithin(page, `${base}${closed}`);
      await expectLocator(page.getByRole('heading', { name: 'Your role can’t open this page' })).toBeVisible();
      await expectLocator(
        page.getByText(/^Your role in this workspace is \w+\. Roles that can open this page: Owner, Admin/),
      ).toBeVisible();
      await expectAccessible(page);
      await openWithin(page, `${base}/assistants/${assistant.id}`);
      const save = page.getByRole('button', { name: 'Save', exact: true });
      await expectLocator(page.getByLabel('Webhook URL')).toBeEnabled({ enabled: role === 'developer' });
      await expectLocator(save).toHaveCount(isEditor ? 1 : 0);
      await expectLocator(page.getByText('Read only:')).toHaveCount(isEditor ? 0 : 1);
      await expectLocator(page.getByLabel('System prompt')).toBeEnabled({ enabled: isEditor });
      await expectAccessible(page);
    });
  }
});
