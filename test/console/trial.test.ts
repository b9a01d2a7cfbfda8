import { expect } from 'chai';
import { createAssistant, getAssistant } from '../../contract/assistants.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { listSessions } from '../../contract/sessions.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectNoSidewaysScroll } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';

const FIELDS = [{ name: 'about', type: 'string', description: 'What is said about the parcel?' }];

describe("The console's trial of settings", () => {
  const { service, visitor } = visitEachTest();

  const create = async () => {
    const body = { name: 'Review', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise.', fields: FIELDS };
    return (await send(service.api, createAssistant, { token: visitor.token, body })).body.id;
  };

  it('shows what comes of the form beside what a past session has, and saves nothing', async () => {
    const { page, token } = visitor;
    const id = await create();
    const conversation = [{ role: 'client', text: 'My parcel has not arrived.' }];
    await send(service.api, submitTextRequest, { token, body: { assistant_id: id, conversation } });
    const assistant = (await send(service.api, getAssistant, { token, params: { id } })).body;

    await page.goto(`/console/assistants/${id}`);
    await page.getByLabel('System prompt').fill('Say it in one word.');
    await page.getByLabel('Name', { exact: true }).last().fill('renamed');
    await page.getByRole('button', { name: 'Try on a past session' }).click();
    const dialog = page.getByRole('dialog', { name: 'Try on a past session' });
    await expectLocator(dialog.getByText('at most', { exact: false })).toBeVisible();
    await dialog.getByRole('button', { name: 'Try', exact: true }).click();
    const results = dialog.getByRole('row').filter({ hasText: 'Summary' });
    await expectLocator(results.getByRole('rowheader', { name: /^about/ })).toBeVisible();
    await expectLocator(results.getByRole('rowheader', { name: /^renamed/ })).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoSidewaysScroll(page);

    const { data } = (await send(service.api, listSessions, { token })).body;
    expect(data.map(({ trial }) => trial)).to.deep.equal([true, false]);
    expect((await send(service.api, getAssistant, { token, params: { id } })).body).to.deep.equal(assistant);
    await dialog.getByRole('link', { name: 'Both beside each other' }).click();
    await expectLocator(page.getByText('Say it in one word.')).toBeVisible();
    await page.goto('/console/sessions');
    await expectLocator(page.getByText('trial', { exact: true })).toHaveCount(1);
    expect(visitor.faults).to.deep.equal([]);
  });

  it('takes any session for an assistant that is new, and says where there is none', async () => {
    const { page, token } = visitor;
    const id = await create();
    await page.goto(`/console/assistants/${id}`);
    await page.getByRole('button', { name: 'Try on a past session' }).click();
    await expectLocator(page.getByText('No completed session yet')).toBeVisible();
    const conversation = [{ role: 'client', text: 'My parcel has not arrived.' }];
    await send(service.api, submitTextRequest, { token, body: { assistant_id: id, conversation } });
    await page.goto('/console/assistants/new');
    await page.getByLabel('Name', { exact: true }).fill('Another');
    await page.getByLabel('System prompt').fill('Say it in one word.');
    await page.getByRole('button', { name: 'Try on a past session' }).click();
    await expectLocator(page.getByRole('dialog').getByLabel('Session')).toBeVisible();
    expect(visitor.faults).to.deep.equal([]);
  });
});
