import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectFitsPhone } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { addAssistant } from '../support/started-service.ts';

const FIELDS = [{ name: 'about', type: 'string', description: 'What is said about the parcel?' }];

describe('A trial of settings in the console', () => {
  const { service, visitor } = visitEachTest();

  const create = async () => (await addAssistant(service.api, visitor.token, { fields: FIELDS })).id;

  it("compares the result of the form's settings with that of a past session, and saves nothing", async () => {
    const { page, token } = visitor;
    const id = await create();
    const conversation = [{ role: 'client', text: 'My parcel has not arrived.' }];
    const metadata = { call_id: 'c-1042' };
    const { body } = await send(service.api, 'submitTextRequest', {
      token,
      body: { assistant_id: id, conversation, metadata },
    });
    const { session_id } = body;
    await send(service.api, 'reanalyzeSession', { token, params: { id: session_id }, body: { temperature: 0 } });
    const assistant = (await send(service.api, 'getAssistant', { token, params: { id } })).body;

    await page.goto(`/console/assistants/${id}`);
    await page.getByLabel('System prompt').fill('Say it in one word.');
    await page.getByRole('group', { name: 'Questions' }).locator('summary').click();
    await page.getByLabel('Key', { exact: true }).fill('renamed');
    await page.getByRole('button', { name: 'Try on a past session' }).click();
    const dialog = page.getByRole('dialog', { name: 'Try on a past session' });
    await expectLocator(dialog.getByText('At most')).toBeVisible();
    const choices = dialog.getByLabel('Session', { exact: true }).getByRole('option');
    await expectLocator(choices).toHaveText([/c-1042/]);
    await dialog.getByRole('button', { name: 'Start trial', exact: true }).click();
    const row = (title: string) => dialog.getByRole('row').filter({ hasText: title });
    await expectLocator(row('renamed')).toHaveText(/^renamed\s*–/);
    await expectLocator(row('about')).toHaveText(/^about.*–$/);
    await expectLocator(dialog.getByText('2 of 2 answers changed')).toBeVisible();
    await expectLocator(dialog.getByRole('link', { name: 'Version 1' })).toBeVisible();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectFitsPhone(page);

    const { data } = (await send(service.api, 'listSessions', { token })).body;
    expect(data.map(({ trial }) => trial)).to.deep.equal([true, false, false]);
    expect((await send(service.api, 'getAssistant', { token, params: { id } })).body).to.deep.equal(assistant);
    await expectLocator(row('System prompt')).toContainText('Say it in one word.');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto('/console/sessions?trial=true');
    await expectLocator(page.getByText('trial', { exact: true })).toHaveCount(1);
  });

  it('uses any session for a new assistant, and reports that there is none', async () => {
    const { page, token } = visitor;
    const id = await create();
    await page.goto(`/console/assistants/${id}`);
    await page.getByRole('button', { name: 'Try on a past session' }).click();
    await expectLocator(page.getByText('No completed sessions yet')).toBeVisible();
    const conversation = [{ role: 'client', text: 'My parcel has not arrived.' }];
    await send(service.api, 'submitTextRequest', { token, body: { assistant_id: id, conversation } });
    await page.goto('/console/assistants/new');
    await page.locator('input[name=name]').fill('Another');
    await page.getByLabel('System prompt').fill('Say it in one word.');
    await page.getByRole('button', { name: 'Try on a past session' }).click();
    await expectLocator(page.getByRole('dialog').getByLabel('Session')).toBeVisible();
  });
});
