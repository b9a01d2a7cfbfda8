import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectFitsPhone } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';

const TEXT = {
  name: 'Review',
  type: 'text',
  llm_provider: 'openai',
  system_prompt: 'Summarize the call.\nName the product.',
};

describe("The console's versions page", () => {
  const { service, visitor } = visitEachTest();

  /** Creates an assistant with three versions. */
  async function addAssistant(): Promise<string> {
    const { token } = visitor;
    const { id } = (await send(service.api, 'createAssistant', { token, body: TEXT })).body;
    for (const body of [{ system_prompt: 'Summarize the call.\nName the price.' }, { temperature: 0.1 }]) {
      await send(service.api, 'updateAssistant', { token, params: { id }, body });
    }
    return id;
  }

  const isPresent = async (id: string) =>
    (await send(service.api, 'getAssistant', { token: visitor.token, params: { id } })).body;

  it('lists the changes, compares two versions, and restores one', async () => {
    const id = await addAssistant();
    const { page } = visitor;
    await page.goto(`/console/assistants/${id}`);
    await page.getByRole('link', { name: 'Versions 3' }).click();
    const rows = page.getByRole('row');
    await expectLocator(rows.nth(1)).toContainText('Temperature');
    await expectLocator(rows.nth(2)).toContainText('System prompt');
    await expectLocator(rows.nth(3)).toContainText('Initial version');

    await page.getByRole('link', { name: 'Compare version 1' }).click();
    const comparison = page.getByRole('region', { name: 'Version 1 vs. version 3' });
    const temperature = comparison.getByRole('row').filter({ hasText: 'Temperature' });
    await expectLocator(temperature).toHaveText(/Temperature.*0\.7.*0\.1/);
    await expectLocator(comparison.getByRole('row')).toHaveCount(3);
    await page.getByText(/^\d+ equal$/).click();
    await expectLocator(page.getByRole('definition').filter({ hasText: 'OpenAI' })).toBeVisible();
    const diff = comparison.getByLabel('System prompt', { exact: true });
    await expectLocator(diff).toContainText('− Name the product.');
    await expectLocator(diff).toContainText('+ Name the price.');
    await expectLocator(diff.locator('mark')).toHaveText(['product', 'price']);
    await expectAccessible(page);
    await page.getByLabel('Compare with').selectOption({ label: 'Version 2' });
    await expectLocator(page.getByRole('heading', { name: 'Version 1 vs. version 2' })).toBeVisible();

    await expectFitsPhone(page);
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
    await expectLocator(rows.filter({ hasText: 'Restored from version 1: System prompt, Temperature' })).toBeVisible();
    expect(await isPresent(id)).to.include({ version: 4, temperature: 0.7, system_prompt: TEXT.system_prompt });
  });

  it('marks whole words in any script', async () => {
    const { token, page } = visitor;
    // cspell:disable
    const [before, after] = ['Назови причину, потом город.', 'Назови результат, потом товар.'];
    const marks = ['причину', 'город', 'результат', 'товар'];
    // cspell:enable
    const { id } = (await send(service.api, 'createAssistant', { token, body: { ...TEXT, system_prompt: before } }))
      .body;
    await send(service.api, 'updateAssistant', { token, params: { id }, body: { system_prompt: after } });
    await page.goto(`/console/assistants/${id}/versions?version=1&with=2`);
    await expectLocator(page.getByLabel('System prompt', { exact: true }).locator('mark')).toHaveText(marks);
  });

  it('shows which fields were added, removed or changed, and how', async () => {
    const { token, page } = visitor;
    const mood = { name: 'mood', type: 'string', description: 'How is the client?' };
    const reason = { name: 'reason', type: 'enum', description: 'Why the call?', options: ['bill', 'parcel'] };
    const solved = { name: 'solved', type: 'boolean', description: 'Is it solved?' };
    const body = { ...TEXT, fields: [solved, reason, mood] };
    const { id } = (await send(service.api, 'createAssistant', { token, body })).body;
    const fields = [solved, { ...reason, options: ['bill', 'other'] }, { ...mood, name: 'tone' }];
    await send(service.api, 'updateAssistant', { token, params: { id }, body: { fields } });
    await page.goto(`/console/assistants/${id}/versions?version=1`);
    const rows = page.getByRole('region', { name: 'Version 1 vs. version 2' }).getByRole('row');
    await expectLocator(rows.nth(1)).toHaveText(/Questions\s*solved, reason, mood\s*solved, reason, tone/);
    await expectLocator(rows.nth(2)).toHaveText(/reason\s*Options: bill, parcel\s*Options: bill, other/);
    await expectLocator(rows.nth(3)).toHaveText(/tone\s*–\s*Type: Text\s*Question: How is the client\?/);
    await expectLocator(rows.nth(4)).toHaveText(/mood\s*Type: Text\s*Question: How is the client\?.*\s.*–/);
    await expectLocator(rows).toHaveCount(5);
    await expectFitsPhone(page);
    await expectAccessible(page);
  });

  it('is linked from a session, which shows its version', async () => {
    const { token, page } = visitor;
    const id = await addAssistant();
    const body = { assistant_id: id, conversation: [{ role: 'client', text: 'Hello' }] };
    const headers = { Prefer: 'respond-async' };
    const { session_id } = (await send(service.api, 'submitTextRequest', { token, body, headers })).body;
    await page.goto(`/console/sessions/${session_id}`);
    await page.getByRole('link', { name: 'Version 3' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Version 2 vs. version 3' })).toBeVisible();
  });
});
