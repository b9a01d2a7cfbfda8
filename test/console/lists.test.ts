import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { submitTextRequest } from '../../contract/requests.ts';
import { deleteSession } from '../../contract/session-operations.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectFitsPhone } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createDelivery, createSession } from '../support/factories.ts';
import { startClosedReceiver } from '../support/receiver.ts';
import { addAssistant } from '../support/started-service.ts';
import { useStarted } from '../support/use-started.ts';

describe("The console's Sessions & Logs", () => {
  const { service, visitor } = visitEachTest();
  const receiver = useStarted(() => startClosedReceiver('<b>closed</b>'));
  beforeEach(() => {
    receiver.isOpen = false;
  });

  async function submit(text: string, webhook_url?: string): Promise<void> {
    const { token } = visitor;
    const assistant = await addAssistant(service.api, token, webhook_url ? { webhook_url } : {});
    const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text }] };
    await send(service.api, submitTextRequest, { token, body });
  }

  it('explains the first step in an empty list', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions');
    await expectLocator(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'New conversation' }).last().click();
    await expectLocator(page).toHaveURL(/\/console\/start$/);
  });

  it('drops the parameters of a URL that it does not accept', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions?field=a&status=lost&sort=longest');
    await expectLocator(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
    await expectLocator(page).toHaveURL(/\/console\/sessions$/);
  });

  it('counts new rows, and shows them on request', async () => {
    await submit('The first parcel.');
    const { page } = visitor;
    await page.goto('/console/sessions');
    const rows = page.getByRole('row');
    await expectLocator(rows).toHaveCount(2);
    await submit('The second parcel.');
    await expectLocator(page.getByRole('button', { name: '1 new' })).toBeVisible();
    await expectLocator(rows).toHaveCount(2);
    await page.getByRole('button', { name: '1 new' }).click();
    await expectLocator(rows).toHaveCount(3);
    await expectLocator(page.getByRole('button', { name: '1 new' })).toHaveCount(0);
  });

  it('updates a row beyond the first page', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const ended = { status: 'completed' as const, completed_at: new Date(), summary_text: 'A parcel.' };
    const oldest = await createSession(assistant, ended);
    await Promise.all(Array.from({ length: 51 }, () => createSession(assistant, ended)));
    await page.goto('/console/sessions');
    await page.getByRole('button', { name: 'Load more' }).click();
    await expectLocator(page.getByRole('row')).toHaveCount(53);
    await SessionModel.query().patch({ status: 'failed' }).where({ id: oldest.id });
    await expectLocator(page.getByRole('row').last()).toContainText('Failed');
  });

  it('keeps the row of a session that is deleted elsewhere', async () => {
    const { page, token, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const { id } = await createSession(assistant, { status: 'completed', completed_at: new Date() });
    await page.goto('/console/sessions');
    await expectLocator(page.getByRole('row').last()).toContainText('Completed');
    await send(service.api, deleteSession, { token, params: { id } });
    await expectLocator(page.getByRole('row').last()).toContainText('Deleted');
    expect(visitor.faults).to.deep.equal([]);
  });

  it('keeps its filters in the URL after a reload, a step back and in the CSV link', async () => {
    await submit('A lost umbrella.');
    const { page } = visitor;
    await page.goto('/console/sessions');
    await page.getByLabel('Add filter').selectOption('Status');
    await expectLocator(page.getByLabel('Status', { exact: true })).toBeFocused();
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    await expectLocator(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
    await page.reload();
    await expectLocator(page.getByLabel('Status', { exact: true })).toHaveValue('failed');
    await page.goBack();
    await expectLocator(page.getByLabel('Status', { exact: true })).toHaveCount(0);
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('searchbox').fill('umbrella');
    await expectLocator(page).toHaveURL(/\?q=umbrella$/);
    await expectLocator(page.getByRole('link', { name: 'CSV' })).toHaveAttribute(
      'href',
      /q=umbrella&reanalysis=false&format=csv$/,
    );
    await expectLocator(page.getByRole('row')).toHaveCount(2);
  });

  it('updates its search field after cleared filters, links and the palette', async () => {
    await submit('A lost umbrella.');
    const { page } = visitor;
    await page.goto('/console/sessions');
    const field = page.getByRole('searchbox');
    await field.fill('xylophone');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await expectLocator(field).toHaveValue('');
    // The field changes the URL after 350 ms, so a search by the palette within this time could be lost.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('umbrella');
    await page.getByRole('option', { name: 'Search conversations for' }).click();
    await expectLocator(field).toHaveValue('umbrella');
    await expectLocator(page).toHaveURL(/\?q=umbrella$/);
    await page.getByRole('link', { name: 'Sessions & Logs' }).click();
    await expectLocator(field).toHaveValue('');
    await field.fill('parcel');
    await expectLocator(page).toHaveURL(/\?q=parcel$/);
  });

  it('copies its filters as a command that runs in a new shell, with the key c', async () => {
    await submit('A lost umbrella.');
    const { page, token } = visitor;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const path of ['sessions?q=umbrella', "deliveries?assistant_id=it's`id`$HOME"]) {
      await page.goto(`/console/${path}`);
      await expectLocator(page.getByRole('button', { name: 'Copy as cURL' })).toBeVisible();
      await page.keyboard.press('c');
      await expectLocator(page.getByRole('button', { name: 'Copied' })).toBeVisible();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      const { stdout } = await promisify(execFile)('sh', ['-c', copied.replace('<API token>', token)]);
      const { data, status } = JSON.parse(stdout) as { data?: unknown[]; status?: number };
      if (path.startsWith('sessions')) expect(data).to.have.length(1);
      else expect(status).to.equal(422);
    }
  });

  it('filters by several metadata pairs, by model and by live data', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions');
    await page.getByLabel('Add filter').selectOption('Metadata');
    await page.getByLabel('Metadata', { exact: true }).fill('call_id=c-1, note=one, two, team=north');
    await page.keyboard.press('Enter');
    await page.getByLabel('Add filter').selectOption('Model');
    await page.getByLabel('Model', { exact: true }).fill('gpt-6-luna');
    await page.keyboard.press('Enter');
    await page.getByLabel('Add filter').selectOption('Data');
    await page.getByLabel('Data', { exact: true }).selectOption('Live');
    await expectLocator(page).toHaveURL(/simulated=false/);
    const href = (await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '';
    expect(Object.fromEntries(new URL(href, service.api.url).searchParams)).to.include({
      ...{ 'metadata.call_id': 'c-1', 'metadata.note': 'one, two', 'metadata.team': 'north' },
      ...{ llm_model: 'gpt-6-luna', simulated: 'false' },
    });
  });

  it('shows each attempt of a delivery with request and response, and sends it now on request', async () => {
    await submit('Hello.', receiver.url);
    const { page } = visitor;
    await page.goto('/console/deliveries');
    await expectLocator(page.getByText('HTTP 503')).toBeVisible();
    await page.getByRole('link', { name: 'session.completed' }).click();
    await expectLocator(page.getByText(/in 0:[012]\d/).first()).toBeVisible();
    await expectLocator(page.getByLabel('Request body', { exact: true })).toContainText('"session.completed"');
    await expectLocator(page.getByLabel('Response body', { exact: true })).toHaveText('<b>closed</b>');
    receiver.isOpen = true;
    await page.getByRole('button', { name: 'Send now' }).click();
    await expectLocator(page.getByText('Delivered').first()).toBeVisible();
    await expectLocator(page.getByRole('button', { name: 'Redeliver' })).toBeVisible();
    await page.keyboard.press('r');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await expectLocator(page.getByRole('link', { name: 'Original delivery' })).toBeVisible();
    await expectLocator(dialog).toHaveCount(0);
  });

  it('opens a row by a click anywhere in it, and returns to the same row', async () => {
    await submit('The first parcel.');
    await submit('The second parcel.');
    const { page } = visitor;
    await page.goto('/console/sessions');
    const rows = page.getByRole('row');
    await expectLocator(rows).toHaveCount(3);
    // The first cell selects the row.
    for (const share of [0.06, 0.5, 0.98]) {
      const box = await rows.nth(2).boundingBox();
      if (!box) throw new Error('the row is not visible');
      await page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
      await expectLocator(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
      await expectLocator(page.getByRole('heading', { level: 1 })).toBeFocused();
      await page.keyboard.press('Escape');
      await expectLocator(rows.nth(2)).toHaveAttribute('aria-current', 'true');
      await expectLocator(rows.nth(2).getByRole('link').first()).toBeFocused();
    }
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await expectLocator(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expectLocator(rows.nth(1)).toHaveAttribute('aria-current', 'true');
  });

  it('sorts by cost, and keeps the order over pages, cleared filters and a reload', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const ended = { status: 'completed' as const, completed_at: new Date() };
    await Promise.all(
      Array.from({ length: 52 }, (_, cents) =>
        createSession(assistant, { ...ended, summary_text: `cents ${cents}.`, ...{ total_cost: cents / 100 } }),
      ),
    );
    await page.goto('/console/sessions?status=completed');
    const rows = page.getByRole('row');
    await page.getByRole('button', { name: 'Cost' }).click();
    await expectLocator(page).toHaveURL(/\?status=completed&sort=-total_cost$/);
    await expectLocator(page.getByRole('columnheader', { name: 'Cost' })).toHaveAttribute('aria-sort', 'descending');
    await expectLocator(rows.nth(1)).toContainText('cents 51.');
    await page.getByRole('button', { name: 'Load more' }).click();
    await expectLocator(rows).toHaveCount(53);
    await expectLocator(rows.last()).toContainText('cents 0.');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expectLocator(page).toHaveURL(/\?sort=-total_cost$/);
    await page.getByRole('button', { name: 'Cost' }).click();
    await page.reload();
    await expectLocator(rows.nth(1)).toContainText('cents 0.');
    await page.getByRole('button', { name: 'Started' }).click();
    await expectLocator(page).toHaveURL(/\/console\/sessions$/);
  });

  it('shows chosen columns and metadata, kept in the URL and in the browser', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    await createSession(assistant, { metadata: { call_id: 'c-1042', team: 'north' } });
    await page.goto('/console/sessions');
    const heads = page.getByRole('columnheader');
    await expectLocator(heads).toHaveCount(8);
    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    await dialog.getByLabel('call_id').check();
    await dialog.getByLabel('Delivery').uncheck();
    await dialog.getByLabel('Duration').uncheck();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expectLocator(heads).toHaveText(['', 'Status', 'Summary', 'call_id', 'Length', 'Cost', 'Started']);
    await expectLocator(page.getByRole('cell', { name: 'c-1042' })).toBeVisible();
    await expectLocator(page).toHaveURL(/columns=metadata.call_id/);
    await page.goto('/console/sessions');
    await expectLocator(heads).toHaveCount(7);
    await page.goto('/console/sessions?columns=cost');
    await expectLocator(heads).toHaveText(['', 'Summary', 'Cost']);
    await page.getByRole('button', { name: 'Columns' }).click();
    await dialog.getByRole('button', { name: 'Reset columns' }).click();
    await expectLocator(heads).toHaveCount(8);
    await expectLocator(page).toHaveURL(/\/console\/sessions$/);
  });

  it('saves a view in the account, opens and deletes it', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions?status=failed&sort=-total_cost');
    await page.getByRole('button', { name: 'Save view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('Name').fill('Expensive failures');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await expectLocator(page.getByRole('button', { name: 'Delete view' })).toBeVisible();
    await page.goto('/console/deliveries');
    await page.getByLabel('Saved views').selectOption('Expensive failures');
    await expectLocator(page).toHaveURL(/\/sessions\?status=failed&sort=-total_cost$/);
    await page.getByRole('button', { name: 'Delete view' }).click();
    await expectLocator(page.getByLabel('Saved views')).toHaveCount(0);
    await page.reload();
    await expectLocator(page.getByRole('button', { name: 'Save view' })).toBeVisible();
    await expectLocator(page.getByLabel('Saved views')).toHaveCount(0);
  });

  it('filters by a custom range in the selected time zone', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions?range=24h');
    await page.getByLabel('Time', { exact: true }).selectOption('Custom range');
    await expectLocator(page).toHaveURL(/sessions\?created_after=[^&]+$/);
    await expectLocator(page.getByLabel('From')).toHaveValue(/^20/);
    await page.getByLabel('From').fill('2026-01-31T10:30');
    await page.getByLabel('To').fill('2026-02-01T00:00');
    await page.keyboard.press('Enter');
    const times = /created_after=2026-01-31T10%3A30%3A00.000Z&created_before=2026-02-01T00%3A00%3A00.000Z$/;
    await expectLocator(page).toHaveURL(times);
    await expectLocator(page.getByRole('search', { name: 'Filters' })).toContainText('UTC');
    await expectAccessible(page);
    await page.getByLabel('From').fill('');
    await page.getByLabel('To').focus();
    await expectLocator(page).toHaveURL(/sessions\?created_before=[^&]+$/);
    await page.getByLabel('Time', { exact: true }).selectOption('Last hour');
    await expectLocator(page).toHaveURL(/sessions\?range=1h$/);
    await expectLocator(page.getByLabel('From')).toHaveCount(0);
  });

  it('shows each filter as a chip that removes it', async () => {
    await submit('Hello.', receiver.url);
    const { page } = visitor;
    await page.goto('/console/sessions?status=failed&delivery_status=failed&batch_id=bat_01m83fcv9we8qtjeyg1dctbgsn');
    const filters = page.getByRole('search', { name: 'Filters' });
    await expectLocator(filters).toContainText('Status:');
    await expectLocator(filters).toContainText('Batch:');
    await filters.getByRole('button', { name: 'Remove filter: Delivery' }).click();
    await expectLocator(page).toHaveURL(/\?status=failed&batch_id=/);
    await filters.getByRole('button', { name: 'Clear' }).click();
    await expectLocator(page).toHaveURL(/\/console\/sessions$/);
    await expectLocator(page.getByRole('row')).toHaveCount(2);
  });

  it('counts the matches, hides reanalyses and trials by default, and marks them', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const { id } = await createSession(assistant, { status: 'failed' });
    await createSession(assistant, { source_session_id: id });
    await createSession(assistant, { source_session_id: id, trial: true });
    await page.goto('/console/sessions');
    await expectLocator(page.getByText('1 session', { exact: true })).toBeVisible();
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await page.getByLabel('Add filter').selectOption('Reanalyses');
    await page.getByLabel('Reanalyses', { exact: true }).selectOption('Shown');
    await expectLocator(page.getByText('3 sessions', { exact: true })).toBeVisible();
    await expectLocator(page.getByRole('row').nth(1)).toContainText('trial');
    await expectLocator(page.getByRole('row').nth(2)).toContainText('reanalysis');
    await page.goto(`/console/sessions?source_session_id=${id}`);
    await expectLocator(page.getByText('2 sessions', { exact: true })).toBeVisible();
    await page.goto('/console/deliveries');
    await expectLocator(page.getByText('0 deliveries', { exact: true })).toBeVisible();
  });

  it('acts on selected sessions: counts them again, exports and deletes only these', async () => {
    const { page, user } = visitor;
    const ended = { status: 'completed' as const, completed_at: new Date() };
    const assistants = [
      await createAssistant(user.default_workspace_id),
      await createAssistant(user.default_workspace_id),
    ] as const;
    const other = await createSession(assistants[0], ended);
    const { id } = await createSession(assistants[1], ended);
    await page.goto('/console/sessions');
    await page.getByLabel('Select all loaded rows').check();
    await expectLocator(page.getByText('2 selected')).toBeVisible();
    await expectLocator(page.getByRole('button', { name: 'Reanalyze' })).toBeDisabled();
    await page.getByLabel('Select row').last().uncheck();
    await expectAccessible(page);
    await expectLocator(page.getByRole('link', { name: 'Reanalyze' })).toHaveAttribute(
      'href',
      new RegExp(`session_id=${id}&assistant_id=${assistants[1].id}&action=reanalyze$`),
    );
    await expectLocator(page.getByRole('link', { name: 'CSV' }).last()).toHaveAttribute(
      'href',
      new RegExp(`sessions\\?session_id=${id}&format=csv$`),
    );
    await page.getByRole('link', { name: 'Delete' }).click();
    await expectLocator(page.getByText('1 selected')).toBeVisible();
    await expectLocator(page.getByLabel('Action')).toHaveValue('delete');
    await page.getByRole('button', { name: 'Delete all' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete 1 session?' });
    await dialog.getByRole('button', { name: 'Delete all' }).click();
    await expectLocator(page.getByText('1 of 1 done')).toBeVisible();
    expect(await SessionModel.query().findById(other.id)).not.to.equal(undefined);
    expect(await SessionModel.query().findById(id)).to.equal(undefined);
  });

  it('redelivers selected deliveries', async () => {
    const { page, user } = visitor;
    receiver.isOpen = true;
    const assistant = await createAssistant(user.default_workspace_id, { webhook_url: receiver.url });
    for (const status of ['delivered', 'stopped'] as const) {
      const delivery = await createDelivery(await createSession(assistant));
      await delivery.$query().patch({ status, ended_at: new Date(), next_attempt_at: null });
    }
    await page.goto('/console/deliveries');
    await page.getByLabel('Select all loaded rows').check();
    await page.getByRole('button', { name: 'Redeliver', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Redeliver?' });
    await expectLocator(dialog).toContainText('Sends 2 deliveries again');
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await expectLocator(dialog).toHaveCount(0);
    await eventually(
      () => DeliveryModel.query().where({ assistant_id: assistant.id, status: 'delivered' }).resultSize(),
      (count) => count === 3,
    );
  });

  it('counts the deliveries to redeliver before it sends them', async () => {
    await submit('Hello.', receiver.url);
    const { page } = visitor;
    await page.goto('/console/deliveries');
    await page.getByRole('link', { name: 'session.completed' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expectLocator(page.getByText('Stopped manually.')).toBeVisible();
    await page.goto('/console/deliveries?status=stopped');
    receiver.isOpen = true;
    await page.getByRole('button', { name: 'Redeliver failed' }).click();
    const dialog = page.getByRole('alertdialog');
    await expectLocator(dialog).toContainText('1 delivery with status “Stopped” of all assistants');
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await expectLocator(dialog).toHaveCount(0);
    await page.goto('/console/deliveries?status=delivered');
    await expectLocator(page.getByRole('row')).toHaveCount(2);
  });

  it('is accessible in both themes, on a wide screen and on a phone', async () => {
    await submit('Hello.', receiver.url);
    const { page } = visitor;
    for (const path of ['/console/sessions', '/console/deliveries']) {
      await page.goto(path);
      await expectLocator(page.getByRole('row')).toHaveCount(2);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
      }
    }
    await page.getByRole('link', { name: 'session.completed' }).click();
    await expectLocator(page.getByLabel('Response body', { exact: true })).toBeVisible();
    await expectFitsPhone(page);
    await expectAccessible(page);
  });
});
