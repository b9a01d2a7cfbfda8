import type { ProviderList } from 'conversation-analysis-client';
import { send } from '../support/api.ts';
import { expectLocator, expectUsable } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createSession, says } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import { addAssistant } from '../support/started-service.ts';
import { stopAfterTest } from '../support/stop-after-test.ts';

describe("The console's assistant form", () => {
  const { service, visitor } = visitEachTest();

  const fallbackOf = async (id: string) =>
    (await send(service.api, 'getAssistant', { token: visitor.token, params: { id } })).body.fallback;

  it('sets and removes the fallback providers, and keeps the Save button on screen', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token);
    await page.goto(`/console/assistants/${id}`);
    const provider = page.getByLabel('Fallback for analysis');
    await expectLocator(provider).not.toBeInViewport();
    await expectLocator(page.getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 });
    await expectLocator(page.getByLabel('Fallback model for analysis')).toHaveCount(0);
    await page.getByRole('heading', { name: 'If the provider is down' }).click();
    await provider.selectOption('anthropic');
    const discard = page.getByRole('button', { name: 'Discard changes' });
    await discard.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
    await expectLocator(provider).toHaveValue('');
    await expectLocator(discard).toHaveCount(0);
    await provider.selectOption('anthropic');
    await page.getByLabel('Fallback model for analysis').fill('claude-haiku-5-5');
    await expectLocator(page.getByText('Changed: Fallback')).toBeVisible();
    await expectUsable(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByRole('link', { name: 'Versions 2' })).toBeVisible();
    await expectLocator(page.getByText('Changed:')).toHaveCount(0);
    expect(await fallbackOf(id)).to.include({ llm_provider: 'anthropic', llm_model: 'claude-haiku-5-5' });
    await provider.selectOption('');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByRole('link', { name: 'Versions 3' })).toBeVisible();
    expect(await fallbackOf(id)).to.equal(null);
  });

  it('offers the local server only if it is configured, and requires a model if there is no default', async () => {
    const { page } = visitor;
    await page.goto('/console/assistants/new');
    const provider = page.getByLabel('Provider', { exact: true });
    await expectLocator(provider.getByRole('option', { name: 'OpenAI' })).toBeAttached();
    await expectLocator(provider.getByRole('option', { name: 'Local server' })).toHaveCount(0);

    await page.route('**/v1/providers', async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as ProviderList;
      const changed = data.map((each) => (each.provider === 'local' ? { ...each, configured: true } : each));
      await route.fulfill({ response, json: { data: changed } });
    });
    await page.reload();
    await provider.selectOption('Local server');
    const model = page.getByLabel('Model', { exact: true });
    await expectLocator(model).toHaveAttribute('required');
    // Chromium drew the part without its content.
    await page.getByLabel('Type', { exact: true }).first().selectOption('Voice');
    await expectLocator(model).toBeVisible();
    await expectLocator(model).toHaveAccessibleDescription('Runs on your own server: no charge.');
    await expectUsable(page);
  });

  it('starts with the first real provider that has a model, such as a server on this machine, before a stand-in', async () => {
    const { page } = visitor;
    let facts: Partial<ProviderList['data'][number]> = { configured: true, simulated: true, default_model: 'qwen3:8b' };
    await page.route('**/v1/providers', async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as ProviderList;
      const changed = data.map((each) => ({ ...each, simulated: true, ...(each.provider === 'local' && facts) }));
      await route.fulfill({ response, json: { data: changed } });
    });
    const expectProvider = async (name: string) => {
      await page.goto('/console/assistants/new');
      await expectLocator(page.getByLabel('Provider', { exact: true })).toHaveValue(name);
    };
    await expectProvider('openai');
    facts = { ...facts, simulated: false };
    await expectProvider('local');
    facts = { ...facts, default_model: null };
    await expectProvider('openai');
  });

  it('shows long questions and descriptions whole', async () => {
    const { page, token } = visitor;
    const description = 'A long sentence about calls. '.repeat(15).trim();
    const field = { name: 'solved', type: 'boolean', description, evidence: true };
    const { id } = await addAssistant(service.api, token, { description, fields: [field] });
    await page.goto(`/console/assistants/${id}`);
    await page.getByRole('heading', { name: 'General' }).click();
    await page.getByText('Yes or no').first().click();
    for (const label of ['Description (optional)', 'Question'])
      await expectLocator(page.getByLabel(label, { exact: true })).toHaveValue(description);
    const hidden = '(box) => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]';
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('[name=description], [name="fields.0.description"]')].map(${hidden})`,
      ),
    ).to.deep.equal([
      [0, 0],
      [0, 0],
    ]);
  });

  it('selects the webhook events', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token);
    const read = async () => (await send(service.api, 'getAssistant', { token, params: { id } })).body.webhook_events;
    await page.goto(`/console/assistants/${id}`);
    await page.getByRole('heading', { name: 'Webhook' }).click();
    const events = page.getByLabel('Events');
    await expectLocator(events).toHaveValue('session.completed');
    for (const [choice, expected] of [
      ['Completed sessions, Failed sessions', ['session.completed', 'session.failed']],
      ['Completed sessions, Reviewed sessions', ['session.completed', 'session.reviewed']],
      ['Failed sessions', ['session.failed']],
    ] as const) {
      await events.selectOption(choice);
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).click();
      await saved;
      expect(await read()).to.deep.equal(expected);
    }
  });

  it('edits alerts, reports conditions that do not fit the fields, and shows the alert of a delivery', async () => {
    const { page, token } = visitor;
    const { url } = await stopAfterTest(startReceiver());
    const fields = [{ name: 'resolved', type: 'boolean', description: 'Solved?' }] as const;
    const { id } = await addAssistant(service.api, token, { fields: [...fields] });
    const params = { id };
    const alertsOf = async () => (await send(service.api, 'getAssistant', { token, params })).body.alerts;
    await page.goto(`/console/assistants/${id}`);
    await page.getByRole('heading', { name: 'Alerts' }).click();
    await page.getByRole('button', { name: 'Add alert' }).click();
    const row = page.getByRole('group', { name: 'Alerts' }).locator('ol > li');
    const add = row.getByRole('button', { name: 'Add condition' });
    await row.getByLabel('Webhook URL').fill(url);
    await row.getByLabel('Webhook secret').fill('a-secret-of-the-alert');
    await row.getByLabel('Answer').selectOption('No');
    await add.click();
    // A field that is not saved yet.
    await page.getByRole('button', { name: 'Add question' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).nth(1).fill('Mood');
    await page.getByRole('textbox', { name: 'Question' }).last().fill('How does the client feel?');
    await row.getByRole('combobox', { name: 'Question', exact: true }).focus();
    await row.getByRole('combobox', { name: 'Question', exact: true }).selectOption('Mood');
    await row.getByLabel('Comparison').selectOption('≠');
    await row.getByRole('textbox', { name: 'Answer' }).fill('calm');
    await add.click();
    await expectLocator(row.getByText('Mood ≠ calm', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Remove question 2' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(row.getByText('The assistant has no question mood; its questions: resolved.')).toBeVisible();
    await row.getByRole('button', { name: 'Remove: mood ≠ calm' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(row.getByLabel('Webhook secret')).toHaveValue('');
    const [saved] = await alertsOf();
    expect(saved).to.deep.include({
      name: 'resolved = No',
      when: ['resolved:eq:false'],
      has_secret: true,
      format: 'json',
    });

    const body = { assistant_id: id, conversation: says('[value resolved=false] It is broken.') };
    const { session_id } = (await send(service.api, 'submitTextRequest', { token, body })).body;
    await page.goto(`/console/sessions/${session_id}?tab=deliveries`);
    await expectLocator(page.getByRole('link', { name: 'resolved = No', exact: true })).toBeVisible();
    await expectLocator(page.getByText('resolved = No, attempt 1')).toBeVisible();
    await page.goto('/console/deliveries');
    await expectLocator(page.getByRole('cell').getByText('resolved = No')).toBeVisible();

    await send(service.api, 'updateAssistant', { token, params, body: { fields: [] } });
    await page.goto(`/console/assistants/${id}`);
    await expectLocator(row.getByText('these conditions do not match the questions: resolved = No.')).toBeVisible();
    await row.locator('summary').click();
    await expectUsable(page);
    await row.getByLabel('Post to').selectOption('slack');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(alertsOf, ([alert]) => alert?.format === 'slack');
    expect((await alertsOf())[0]).to.deep.include({ has_secret: true, broken: ['resolved:eq:false'] });
  });

  it('of a new assistant leads to a conversation for it, also through the menu', async () => {
    const { page, user, token } = visitor;
    await createSession(await createAssistant(user.default_workspace_id));
    const { id } = await addAssistant(service.api, token, { name: 'Newest' });
    await page.goto(`/console/assistants/${id}`);
    await page.getByRole('banner').getByRole('link', { name: 'New conversation' }).click();
    await expectLocator(page.getByRole('combobox', { name: 'Assistant' })).toHaveValue(id);
    await page.goBack();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('main').getByRole('link', { name: 'New conversation' }).click();
    await expectLocator(page).toHaveURL(new RegExp(`/start\\?assistant=${id}$`));
    await page.goBack();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Sessions' }).click();
    await expectLocator(page).toHaveURL(new RegExp(`/sessions\\?assistant_id=${id}$`));
  });

  it('returns to the previous page with Esc, after Esc closed a dialog', async () => {
    const { page, token } = visitor;
    await addAssistant(service.api, token);
    await page.goto('/console/sessions');
    await page.getByRole('link', { name: 'Assistants' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Review' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Review', level: 1 })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expectLocator(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expectLocator(page.getByRole('dialog')).toHaveCount(0);
    await expectLocator(page.getByRole('heading', { name: 'Review', level: 1 })).toBeVisible();
    await page.getByRole('heading', { name: 'Review', level: 1 }).click();
    await page.keyboard.press('Escape');
    await expectLocator(page.getByRole('heading', { name: 'Assistants', level: 1 })).toBeVisible();
  });
});
