import type { SessionStatus } from '../../contract/values/constants.ts';
import { SessionModel } from '../../db/models/session.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, openWithin } from '../support/browser.ts';
import { submitText, visitEachTest } from '../support/console.ts';
import { createAssistant, createSession } from '../support/factories.ts';
import { startClosedReceiver } from '../support/receiver.ts';
import { useStarted } from '../support/use-started.ts';

describe("The console's Sessions & Logs", () => {
  const { service, visitor } = visitEachTest();
  const receiver = useStarted(() => startClosedReceiver('<b>closed</b>'));
  beforeEach(() => {
    receiver.isOpen = false;
  });

  const submit = (text: string, webhook_url?: string) => submitText(service, visitor, text, webhook_url);

  it('explains the first step in an empty list', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions');
    await expectLocator(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
    await expectLocator(page.getByRole('button', { name: 'Export …' })).toHaveCount(0);
    await page.getByRole('main').getByRole('link', { name: 'New conversation' }).last().click();
    await expectLocator(page).toHaveURL(/\/console\/assistants\/new$/);
  });

  it('removes URL parameters that it does not accept', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions?field=a&status=lost&sort=longest');
    await expectLocator(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
    await expectLocator(page).toHaveURL(/\/console\/sessions$/);
  });

  it('counts new rows, and shows them on click', async () => {
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

  it('reads the shown rows again after events, at most every 3 s', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const session = await createSession(assistant, { status: 'queued' });
    await page.goto('/console/sessions');
    const row = page.getByRole('row').last();
    await expectLocator(row).toContainText('Queued');
    const change = async (status: SessionStatus, word: string) => {
      await SessionModel.query()
        .patch({ status, completed_at: status === 'failed' ? new Date() : null })
        .where({ id: session.id });
      await expectLocator(row).toContainText(word);
    };
    // When the stream has opened, the head is read once more.
    await change('analyzing', 'Analyzing');
    const from = await page.evaluate<number>('performance.now()');
    // The browser's own times: this process learns of requests late. Rows whose changes may have been missed are read by IDs.
    const readAt = () =>
      page.evaluate<number[]>(`performance.getEntriesByType('resource')
        .filter(({ name, startTime }) =>
          startTime > ${from} && name.includes('/api/v1/sessions?') && !name.includes('session_id='))
        .map(({ startTime }) => startTime)`);
    while ((await readAt()).length < 2) {
      await change('transcribing', 'Transcribing');
      await change('analyzing', 'Analyzing');
    }
    await change('failed', 'Failed');
    const times = await readAt();
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).to.be.at.least(2_900);
  });

  it('shows changes from the time between reading the list and the first event', async () => {
    const { page, user, token } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const session = await createSession(assistant, { status: 'queued' });
    const ended = { status: 'completed' as const, completed_at: new Date(), summary_text: 'A parcel.' };
    const { id } = await createSession(assistant, ended);
    const opening = Promise.withResolvers<void>();
    await page.route('**/v1/events', async (route) => {
      await opening.promise;
      await route.continue();
    });
    await page.goto('/console/sessions');
    const row = page.getByRole('row').last();
    await expectLocator(row).toContainText('Queued');
    await SessionModel.query().patch({ status: 'analyzing' }).where({ id: session.id });
    await send(service.api, 'deleteSession', { token, params: { id } });
    opening.resolve();
    await expectLocator(row).toContainText('Analyzing');
    await expectLocator(page.getByRole('row').filter({ hasText: 'A parcel.' })).toContainText('Deleted');
  });

  it('shows changes of all loaded rows while there are no events', async () => {
    const { page, user, token } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const ended = { status: 'completed' as const, completed_at: new Date() };
    const [deleted, failed] = [await createSession(assistant, ended), await createSession(assistant, ended)];
    await Promise.all(Array.from({ length: 51 }, () => createSession(assistant, ended)));
    await page.route('**/v1/events', (route) => route.abort());
    await page.goto('/console/sessions?status=completed');
    await page.getByRole('button', { name: 'Load more' }).click();
    await expectLocator(page.getByRole('row')).toHaveCount(54);
    await send(service.api, 'deleteSession', { token, params: { id: deleted.id } });
    await SessionModel.query().patch({ status: 'failed' }).where({ id: failed.id });
    await expectLocator(page.getByRole('row').last()).toContainText('Deleted');
    await expectLocator(page.getByRole('row').nth(-2)).toContainText('Failed');
    await expectLocator(page.getByRole('row').filter({ hasText: 'Failed' })).toHaveCount(1);
  });

  it('keeps the row of a session that is deleted elsewhere', async () => {
    const { page, token, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const { id } = await createSession(assistant, { status: 'completed', completed_at: new Date() });
    const stream = page.waitForResponse((response) => response.url().endsWith('/v1/events'));
    await page.goto('/console/sessions');
    await stream;
    await expectLocator(page.getByRole('row').last()).toContainText('No summary yet');
    await send(service.api, 'deleteSession', { token, params: { id } });
    await expectLocator(page.getByRole('row').last()).toContainText('Deleted');
    expect(visitor.faults).to.deep.equal([]);
  });

  it('leads back to the list from a session that was deleted', async () => {
    const { page, token, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const { id } = await createSession(assistant, { status: 'completed', completed_at: new Date() });
    await send(service.api, 'deleteSession', { token, params: { id } });
    await page.goto(`/console/sessions/${id}`);
    await expectLocator(page.getByRole('heading', { name: 'Not found', level: 1 })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Sessions', exact: true }).click();
    await expectLocator(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
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

  it('opens the next and the previous session of the list with one key, and returns to the last one', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const ended = { status: 'completed' as const, completed_at: new Date() };
    for (const id of ['c-1', 'c-2', 'c-3']) await createSession(assistant, { ...ended, metadata: { id } });
    await page.goto('/console/sessions?status=completed');
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    const title = (id: string) => page.getByRole('heading', { name: id, level: 1 });
    await expectLocator(title('c-3')).toBeVisible();
    await expectLocator(page.getByRole('button', { name: 'Previous session' })).toBeDisabled();
    await page.keyboard.press('j');
    await expectLocator(title('c-2')).toBeVisible();
    await expectLocator(page.getByText('2 of 3')).toBeVisible();
    await page.getByRole('button', { name: 'Next session' }).click();
    await expectLocator(title('c-1')).toBeVisible();
    await page.keyboard.press('k');
    await expectLocator(title('c-2')).toBeVisible();
    await page.getByRole('link', { name: 'Sessions & Logs' }).last().click();
    await expectLocator(page).toHaveURL(/\/sessions\?status=completed$/);
    await expectLocator(page.getByRole('row').nth(2)).toHaveAttribute('aria-current', 'true');
    await expectLocator(page.getByRole('row').nth(2)).toContainText('c-2');
  });

  it('selects a range with Shift, and all sessions of the filters beyond the loaded ones', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const ended = { status: 'completed' as const, completed_at: new Date() };
    await Promise.all(Array.from({ length: 52 }, () => createSession(assistant, ended)));
    await page.goto('/console/sessions?status=completed');
    const boxes = page.getByLabel('Select row');
    await boxes.nth(1).check();
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    await expectLocator(page.getByText('4 selected')).toBeVisible();
    await page.getByLabel('Select all loaded rows').check();
    await page.getByRole('button', { name: 'Select all 52 sessions' }).click();
    await expectLocator(page.getByText('All 52 sessions selected')).toBeVisible();
    await page.getByRole('button', { name: 'Actions' }).last().click();
    await expectLocator(page.getByRole('link', { name: 'Delete' })).toHaveAttribute(
      'href',
      /batches\/new\?status=completed&action=delete$/,
    );
    await page.keyboard.press('Escape');
    await boxes.nth(0).uncheck();
    await expectLocator(page.getByText('49 selected')).toBeVisible();
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
    await page.goto('/console/sessions?status=completed&columns=started&columns=cost');
    const rows = page.getByRole('row');
    await page.getByRole('button', { name: 'Cost' }).click();
    await expectLocator(page).toHaveURL(/\?status=completed&columns=started&columns=cost&sort=-total_cost$/);
    await expectLocator(page.getByRole('columnheader', { name: 'Cost' })).toHaveAttribute('aria-sort', 'descending');
    await expectLocator(rows.nth(1)).toContainText('cents 51.');
    await page.getByRole('button', { name: 'Load more' }).click();
    await expectLocator(rows).toHaveCount(53);
    await expectLocator(rows.last()).toContainText('cents 0.');
    await page.getByRole('button', { name: 'Remove: Status: Completed' }).click();
    await expectLocator(page).toHaveURL(/\?sort=-total_cost&columns=started&columns=cost$/);
    await page.getByRole('button', { name: 'Cost' }).click();
    await expectLocator(page).toHaveURL(/sort=total_cost/);
    await page.reload();
    await expectLocator(rows.nth(1)).toContainText('cents 0.');
    await page.getByRole('columnheader').getByRole('button', { name: 'Time' }).click();
    await expectLocator(page).toHaveURL(/\/console\/sessions\?columns=started&columns=cost$/);
  });

  it('shows chosen columns and metadata, kept in the URL and in the browser', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    await createSession(assistant, { metadata: { call_id: 'c-1042', team: 'north' } });
    await page.goto('/console/sessions');
    const heads = page.getByRole('columnheader');
    await expectLocator(heads).toHaveText(['', 'Time', 'call_id', 'Summary']);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('team').check();
    await page.getByLabel('Cost').check();
    await page.getByLabel('call_id').uncheck();
    await expectLocator(heads).toHaveText(['', 'Time', 'team', 'Summary', 'Cost']);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expectLocator(page.getByRole('cell', { name: 'north', exact: true })).toBeVisible();
    await expectLocator(page).toHaveURL(/columns=started&columns=metadata.team&columns=cost$/);
    await page.goto('/console/sessions');
    await expectLocator(heads).toHaveCount(5);
    await openWithin(page, '/console/sessions?columns=cost');
    await expectLocator(heads).toHaveText(['', 'Summary', 'Cost']);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await expectLocator(heads).toHaveCount(4);
    await expectLocator(page).toHaveURL(/\/console\/sessions$/);
  });

  it('copies the link of a filtered list, and opens and deletes former views in the search', async () => {
    const { page, user } = visitor;
    const path = '/sessions?status=failed&sort=-total_cost';
    await user.$query().patch({ views: { 'Expensive failures': path } });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/console${path}`);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expectLocator(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.match(/sessions\?status=failed&sort=-total_cost$/);
    await openWithin(page, '/console/deliveries');
    const search = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill(text);
    };
    await search('expensive');
    await page.getByRole('option', { name: 'Expensive failures Saved view', exact: true }).click();
    await expectLocator(page).toHaveURL(/\/sessions\?status=failed&sort=-total_cost$/);
    await search('expensive');
    await page.getByRole('option', { name: 'Delete “Expensive failures”?' }).click();
    await expectLocator(page.getByText('Saved.', { exact: true })).toBeVisible();
    expect((await user.$query()).views).to.deep.equal({});
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
    await page.getByRole('button', { name: 'Actions' }).last().click();
    await expectLocator(page.getByRole('link', { name: 'Delete' })).toBeVisible();
    await expectLocator(page.getByRole('link', { name: 'Reanalyze' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await page.getByLabel('Select row').last().uncheck();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Export …' }).last().click();
    await expectLocator(page.getByRole('link', { name: 'Answers as CSV' })).toHaveAttribute(
      'href',
      new RegExp(`sessions\\?session_id=${id}&assistant_id=${assistants[1].id}&format=csv.*&include=fields$`),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions' }).last().click();
    await expectLocator(page.getByRole('link', { name: 'Retry' })).toHaveCount(0);
    await expectLocator(page.getByRole('link', { name: 'Reanalyze' })).toHaveAttribute(
      'href',
      new RegExp(`session_id=${id}&assistant_id=${assistants[1].id}&action=reanalyze$`),
    );
    await page.getByRole('link', { name: 'Delete' }).click();
    await expectLocator(page.getByText('1 selected')).toBeVisible();
    await expectLocator(page.getByRole('heading', { level: 1, name: 'Delete' })).toBeVisible();
    await page.getByRole('button', { name: 'Delete all' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete 1 session?' });
    await dialog.getByRole('button', { name: 'Delete all' }).click();
    await expectLocator(page.getByText('1 of 1 done')).toBeVisible();
    expect(await SessionModel.query().findById(other.id)).not.to.equal(undefined);
    expect(await SessionModel.query().findById(id)).to.equal(undefined);
  });
});
