import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectUsable } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createSession, createUser, PASSWORD, says } from '../support/factories.ts';
import { createMember, join, logInAs } from '../support/members.ts';

const UNKNOWN = 'ws_01kaj4v5rzf1xtm8w3b2c9d0e7';

describe('Workspaces in the console', () => {
  const { service, visitor } = visitEachTest();

  /** Makes the visitor a member of another person's workspace, and adds a name and an assistant to it. */
  async function joinOther() {
    const other = await createUser();
    await join(other.workspaceId, visitor, 'developer');
    const owner = await logInAs(other.user);
    await send(service.api, 'updateWorkspace', { token: owner, body: { name: 'Night shift' } });
    return { ...other, assistant: await createAssistant(other.workspaceId, { name: 'Night calls' }) };
  }

  it('can be open in two tabs at the same time, each with its own data, live events and downloads', async () => {
    const other = await joinOther();
    await createSession(await createAssistant(visitor.user.default_workspace_id), { summary_text: 'Own call.' });
    const [first, second] = [visitor.page, await visitor.page.context().newPage()];
    const rows = { first: first.locator('tbody tr'), second: second.locator('tbody tr') };
    await first.goto('/console/sessions');
    await expectLocator(rows.first).toHaveText(/Own call/);
    await second.goto(`/console/w/${other.workspaceId}/sessions`);
    await expectLocator(second.getByText('No sessions yet')).toBeVisible();

    const body = { assistant_id: other.assistant.id, conversation: says('Hello from the night shift.') };
    const { session_id: id } = (await send(service.api, 'submitTextRequest', { token: other.token, body })).body;
    await expectLocator(second.locator(`tbody a[href="/console/w/${other.workspaceId}/sessions/${id}"]`)).toBeVisible();
    await expectLocator(rows.first).toHaveText(/Own call/);

    await second.goto(`/console/w/${other.workspaceId}/sessions/${id}`);
    await expectLocator(second.getByRole('heading', { name: 'Night calls', level: 1 })).toBeVisible();
    const download = second.waitForEvent('download');
    await second.getByRole('button', { name: 'Actions' }).click();
    await second.getByRole('link', { name: 'Session (JSON)', exact: true }).first().click();
    expect(await (await download).failure()).to.equal(null);
    // In the other tab's workspace, nothing has this ID.
    await first.goto(`/console/sessions/${id}`);
    await expectLocator(first.getByRole('heading', { name: 'Not found' })).toBeVisible();
  });

  it('can be switched with the list that the key w opens, and have URLs that other members can open', async () => {
    const { page } = visitor;
    const other = await joinOther();
    await page.goto('/console/assistants');
    await expectLocator(page.getByRole('button', { name: 'Switch workspace' })).toContainText('Owner');
    await page.keyboard.press('w');
    const dialog = page.getByRole('dialog', { name: 'Switch workspace' });
    await expectAccessible(page);
    await dialog.getByRole('link', { name: /Night shift/ }).click();
    await expectLocator(page.getByRole('button', { name: 'Switch workspace' })).toContainText('Night shift');
    await page.getByRole('link', { name: 'Assistants' }).click();
    await page.getByRole('link', { name: 'Night calls' }).click();
    const path = `/console/w/${other.workspaceId}/assistants/${other.assistant.id}`;
    await expectLocator(page).toHaveURL(new RegExp(`${path}$`));
  });

  it('open again on the start page: the last one, not the empty one of the member', async () => {
    const other = await joinOther();
    const { page } = visitor;
    await page.goto(`/console/w/${other.workspaceId}/usage`);
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    await page.goto('/console/');
    await expectLocator(page).toHaveURL(new RegExp(`/console/w/${other.workspaceId}/$`));
    await expectLocator(page.getByRole('button', { name: 'Switch workspace' })).toContainText('Night shift');
    await page.goto(`/console/w/${visitor.user.default_workspace_id}/`);
    await expectLocator(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
    await page.goto('/console/');
    await expectLocator(page).toHaveURL(/\/console\/$/);
  });

  it('with several members have such a URL even if they are the default workspace', async () => {
    const { page, user } = visitor;
    await page.goto('/console/usage');
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).to.equal('/console/usage');
    await expectLocator(page.getByRole('button', { name: 'Switch workspace' })).not.toBeVisible();
    await createMember(user.default_workspace_id, 'analyst');
    await page.goto('/console/usage?range=7d');
    await expectLocator(page).toHaveURL(new RegExp(`/console/w/${user.default_workspace_id}/usage\\?range=7d$`));
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
  });

  it('of others show that the user is not a member, with a link back; a login returns to the URL', async () => {
    const { page, user } = visitor;
    await page.goto(`/console/w/${UNKNOWN}/usage`);
    await expectLocator(page.getByRole('heading', { name: 'You are not a member of this workspace' })).toBeVisible();
    await expectUsable(page);
    await page.getByRole('link', { name: /^Open / }).click();
    await expectLocator(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();

    await page.context().clearCookies();
    const path = `/console/w/${user.default_workspace_id}/usage`;
    await page.goto(path);
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).to.equal(path);
  });

  it('can be created, renamed and deleted', async () => {
    const { page, user } = visitor;
    const namesOf = async () => {
      const { body } = await send(service.api, 'listWorkspaces', { token: await logInAs(user) });
      return body.data.map(({ name }) => name);
    };
    const before = await namesOf();
    await page.goto('/console/settings');
    await page.getByRole('button', { name: 'New workspace' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Support team');
    await page.getByRole('dialog').getByRole('button', { name: 'New workspace' }).click();
    await expectLocator(page.getByRole('button', { name: 'Switch workspace' })).toContainText('Support team');

    await page.getByRole('link', { name: 'Settings' }).click();
    await expectLocator(page.getByText(/\/w\/ws_\w{26}\/api$/)).toBeVisible();
    await page.getByLabel('Name', { exact: true }).fill('Support');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByRole('button', { name: 'Switch workspace' })).toHaveText(/: Support\s*Owner$/);
    await expectAccessible(page);

    const policy = page.getByLabel('Sign-in');
    await policy.selectOption('Second factor');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByRole('main').getByRole('alert')).toContainText('second factor');
    await policy.selectOption('Any login');

    await page.getByRole('button', { name: 'Delete workspace' }).click();
    await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete workspace' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
    await eventually(namesOf, before);
  });
});
