import type { Page, Response } from '@playwright/test';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { PASSWORD } from '../support/factories.ts';
import { addAssistant } from '../support/started-service.ts';

describe('Unsaved text in the console', () => {
  const { service, visitor } = visitEachTest();
  const prompt = (page: Page) => page.getByRole('textbox', { name: 'System prompt' });

  async function edit(): Promise<string> {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token);
    await page.goto('/console/assistants');
    await page.getByRole('main').getByRole('link', { name: 'Review' }).click();
    await prompt(page).fill('Name the parcel.');
    return id;
  }

  const read = async (id: string) =>
    (await send(service.api, 'getAssistant', { token: visitor.token, params: { id } })).body;

  const change = (id: string, body: object) =>
    send(service.api, 'updateAssistant', { token: visitor.token, params: { id }, body });

  it('is not lost by following a link, going back, Esc or a reload', async () => {
    await edit();
    const { page } = visitor;
    const dialog = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    const leave = [
      () => page.getByRole('link', { name: 'Usage' }).click(),
      () => page.evaluate('history.back()'),
      async () => {
        await page.getByRole('heading', { name: 'Review', level: 1 }).click();
        await page.keyboard.press('Escape');
      },
    ];
    for (const by of leave) {
      await by();
      await expectLocator(dialog).toBeVisible();
      await dialog.getByRole('button', { name: 'Keep editing' }).click();
      await expectLocator(dialog).toHaveCount(0);
      await expectLocator(prompt(page)).toHaveValue('Name the parcel.');
    }
    const asked = page.waitForEvent('dialog');
    void page.evaluate('location.reload()').catch(() => undefined);
    const reload = await asked;
    expect(reload.type()).to.equal('beforeunload');
    await reload.dismiss();
    await expectLocator(prompt(page)).toHaveValue('Name the parcel.');
    await page.getByRole('link', { name: 'Usage' }).click();
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
  });

  it('is not lost if it was typed without a click and without the focus of the window', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token);
    await page.goto(`/console/assistants/${id}`);
    await prompt(page).waitFor();
    await page.evaluate(
      `for (const type of ['focusin', 'pointerdown']) addEventListener(type, (event) => event.stopImmediatePropagation(), true)`,
    );
    await prompt(page).pressSequentially('Name the parcel.');
    await page.getByRole('link', { name: 'Usage' }).click();
    await expectLocator(page.getByRole('alertdialog', { name: 'Discard your changes?' })).toBeVisible();
  });

  it('needs no confirmation to leave the page after a save, which keeps the focus', async () => {
    const id = await edit();
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Webhook' }).click();
    await page.getByLabel('Webhook URL').fill('http://127.0.0.1:8080/hook');
    await page.getByLabel('Webhook secret').fill('a-secret-of-sixteen');
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await expectLocator(page.getByRole('link', { name: 'Versions 2' })).toBeVisible();
    await expectLocator(page.getByLabel('Webhook secret')).toHaveValue('');
    await expectLocator(save).toBeFocused();
    await page.getByRole('link', { name: 'Usage' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    expect(await read(id)).to.include({ system_prompt: 'Name the parcel.', has_webhook_secret: true });
  });

  it('is replaced by a template only on request', async () => {
    const { page } = visitor;
    await page.goto('/console/assistants/new');
    const name = page.locator('input[name=name]');
    await page.getByLabel('Template').selectOption('Sales call');
    await expectLocator(name).toHaveValue('Sales call');
    await prompt(page).fill('Name the parcel.');
    await page.getByLabel('Template').selectOption('Support call review');
    const dialog = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expectLocator(prompt(page)).toHaveValue('Name the parcel.');
    await page.getByLabel('Template').selectOption('Support call review');
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await expectLocator(name).toHaveValue('Support call review');
  });

  it('is not lost if it was typed while a save was running', async () => {
    await edit();
    const { page } = visitor;
    const saving = Promise.withResolvers<void>();
    await page.route('**/v1/assistants/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      const response = await route.fetch();
      await saving.promise;
      await route.fulfill({ response });
    });
    // The event of the change arrives before the response.
    const isRefresh = (response: Response) =>
      response.request().method() === 'GET' && /assistants\/\w+$/.test(response.url());
    const refreshed = page.waitForResponse(isRefresh);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await prompt(page).fill('Name the parcel and the street.');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await refreshed;
    saving.resolve();
    await expectLocator(page.getByText('Saved.')).toBeVisible();
    await expectLocator(page.getByText(/^Someone changed this assistant/)).toHaveCount(0);
    await page.getByRole('link', { name: 'Usage' }).click();
    await expectLocator(page.getByRole('alertdialog', { name: 'Discard your changes?' })).toBeVisible();
  });

  it('counts as saved if the state from before the save arrives last', async () => {
    const id = await edit();
    const { page } = visitor;
    const [reading, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The page renders its own state before that of its queries, which arrives with a timer.
    await page.evaluate('window.setTimeout = ((set) => (run, ms) => set(run, ms || 50))(setTimeout)');
    await page.route(`**/v1/assistants/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') return route.continue();
      const response = await route.fetch();
      reading.resolve();
      await late.promise;
      await route.fulfill({ response }).catch(() => undefined);
    });
    // The page reads the assistant again when it is no longer fresh.
    let isRead = false;
    void reading.promise.then(() => (isRead = true));
    await eventually(
      () => page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))"),
      () => isRead,
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectLocator(page.getByText('Saved.')).toBeVisible();
    late.resolve();
    await expectLocator(page.getByRole('link', { name: 'Versions 2' })).toBeVisible();
    await prompt(page).pressSequentially(' Name the street.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectLocator(page.getByRole('link', { name: 'Versions 3' })).toBeVisible();
    expect((await read(id)).system_prompt).to.equal('Name the parcel. Name the street.');
  });

  it('counts as saved if the response of the save is lost', async () => {
    const id = await edit();
    const { page } = visitor;
    await page.route('**/v1/assistants/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(async () => (await read(id)).version, 2);
    await expectLocator(page.getByRole('link', { name: 'Versions 2' })).toBeVisible();
    await expectLocator(page.getByText(/^Someone changed this assistant/)).toHaveCount(0);
    await expectLocator(page.getByRole('main').getByRole('alert')).toHaveCount(0);
    await page.getByRole('link', { name: 'Usage' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
  });

  it('is kept when the same assistant is changed elsewhere; the change is reported and not overwritten', async () => {
    const id = await edit();
    const { page } = visitor;
    await change(id, { description: 'Changed by a program.' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByRole('cell', { name: 'Changed by a program.' })).toBeVisible();
    await expectLocator(page.getByText('Load the page again')).toHaveCount(0);
    await expectLocator(
      page.getByText('Someone changed this assistant while you were editing (Description)'),
    ).toBeVisible();
    await expectLocator(prompt(page)).toHaveValue('Name the parcel.');
    await page.getByRole('button', { name: 'Keep my edits' }).click();
    for (const name of ['One', 'Two']) {
      await page.getByLabel('Name', { exact: true }).fill(name);
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).click();
      await saved;
      // The second message replaces the first.
      await expectLocator(page.getByText('Saved.')).toHaveCount(1);
    }
    expect(await read(id)).to.include({ description: 'Changed by a program.', system_prompt: 'Name the parcel.' });
  });

  it('is merged with a field that somebody else added', async () => {
    const { page, token } = visitor;
    const field = (name: string, description: string) => ({ name, type: 'string', description });
    const first = field('reason', 'Why did the client call?');
    const { id } = await addAssistant(service.api, token, { fields: [first, field('city', 'In which town?')] });
    await page.goto(`/console/assistants/${id}`);
    await page.getByText('Why did the client call?').first().click();
    await page.getByRole('textbox', { name: 'Question' }).fill('Why did they call?');
    await change(id, { fields: [first, field('promise', 'What was promised?')] });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Keep my edits' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByText('Saved.')).toBeVisible();
    const questions = (await read(id)).fields?.map(({ description }) => description);
    expect(questions).to.deep.equal(['Why did they call?', 'What was promised?']);
  });

  it('is replaced by a change made elsewhere only on request; an unedited form is updated', async () => {
    const id = await edit();
    const { page } = visitor;
    await change(id, { system_prompt: 'Prompt of a program.' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Discard changes' }).click();
    await expectLocator(prompt(page)).toHaveValue('Prompt of a program.');
    await page.getByRole('heading', { name: 'Webhook' }).click();
    await change(id, { system_prompt: 'Another prompt.' });
    await expectLocator(async () => {
      // The page refreshes the assistant when its tab is shown.
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
      await expectLocator(prompt(page)).toHaveValue('Another prompt.', { timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    await expectLocator(page.getByLabel('Webhook URL')).toBeVisible();
    expect((await read(id)).version).to.equal(3);
  });

  it('is kept when the assistant is deleted elsewhere, and can be saved as a new one', async () => {
    const id = await edit();
    const { page, token } = visitor;
    await send(service.api, 'deleteAssistant', { token, params: { id } });
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByRole('alert')).toContainText('Someone deleted this assistant');
    await expectLocator(prompt(page)).toHaveValue('Name the parcel.');
    await expectAccessible(page);
    await prompt(page).fill('Name the parcel and its sender.');
    await page.getByRole('button', { name: 'Save as new assistant' }).click();
    await expectLocator(page).not.toHaveURL(new RegExp(id));
    await expectLocator(prompt(page)).toHaveValue('Name the parcel and its sender.');
    const [created, ...others] = (await send(service.api, 'listAssistants', { token })).body.data;
    expect(others).to.deep.equal([]);
    expect(created).to.include({ name: 'Review', system_prompt: 'Name the parcel and its sender.' });

    await send(service.api, 'deleteAssistant', { token, params: { id: created?.id ?? '' } });
    await expectLocator(async () => {
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
      await expectLocator(page.getByRole('heading', { name: 'Not found' })).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
  });

  it('of a new conversation is kept when another assistant is chosen, or the chosen one is deleted elsewhere', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token, { name: 'Sales' });
    await addAssistant(service.api, token, { name: 'Support' });
    await addAssistant(service.api, token, { name: 'Claims' });
    await page.goto('/console/start');
    const choice = page.getByRole('combobox', { name: 'Assistant' });
    const conversation = page.getByRole('textbox', { name: 'Conversation' });
    await conversation.fill('operator: Good morning');
    await choice.selectOption('Sales');
    await expectLocator(page).toHaveURL(new RegExp(id));
    await expectLocator(conversation).toHaveValue('operator: Good morning');
    await send(service.api, 'deleteAssistant', { token, params: { id } });
    await expectLocator(async () => {
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
      await expectLocator(choice.getByRole('option', { name: 'Sales' })).toHaveCount(0, { timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    await expectLocator(page.getByRole('alert')).toContainText('was deleted. Another one is selected.');
    await expectLocator(conversation).toHaveValue('operator: Good morning');
  });

  it('is kept when the login ends: a login above the form sends the change that was refused', async () => {
    const id = await edit();
    const { page, user } = visitor;
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Log in' });
    await expectLocator(dialog.getByText('Your login has ended.')).toBeVisible();
    await expectLocator(page.getByText('Invalid email or password.')).toHaveCount(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Password').fill('not this one');
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(dialog.getByRole('alert')).toContainText('Invalid email or password.');
    await expectLocator(dialog.getByLabel('Email')).toHaveValue(user.email);
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await expectLocator(page.getByRole('link', { name: 'Versions 2' })).toBeVisible();
    await expectLocator(dialog).toHaveCount(0);
    expect(await read(id)).to.include({ system_prompt: 'Name the parcel.' });
  });

  it('stays in a dialog after a click outside of it or Esc', async () => {
    const { page } = visitor;
    await page.goto('/console/usage');
    const open = page.getByRole('button', { name: 'Set budget' });
    await open.click();
    const dialog = page.getByRole('dialog');
    const budget = dialog.getByRole('spinbutton');
    await expectLocator(budget).toBeVisible();
    await page.keyboard.press('Escape');
    await expectLocator(dialog).toHaveCount(0);
    await open.click();
    await budget.fill('12');
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    await expectLocator(budget).toHaveValue('12');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expectLocator(dialog).toHaveCount(0);
  });
});
