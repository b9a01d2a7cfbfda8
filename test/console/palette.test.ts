import { expectAccessible, expectLocator } from '../support/browser.ts';
import { submitText, visitEachTest } from '../support/console.ts';
import { createAssistant, createBatch, createSession } from '../support/factories.ts';

describe("The console's palette", () => {
  const { service, visitor } = visitEachTest();

  /** Opens the palette, and enters a text. */
  async function search(text: string): Promise<void> {
    await expectLocator(visitor.page.getByRole('heading', { level: 1 })).toBeVisible();
    await visitor.page.keyboard.press('Control+k');
    await visitor.page.getByRole('combobox', { name: 'Search or jump to' }).fill(text);
  }

  it('finds an assistant by name among 50 newer ones', async () => {
    const { page, user } = visitor;
    await createAssistant(user.default_workspace_id, { name: 'Oldest of all' });
    await Promise.all(Array.from({ length: 51 }, () => createAssistant(user.default_workspace_id)));
    await page.goto('/console');
    await search('oldest of');
    await expectLocator(page.getByRole('option', { name: 'Oldest of all' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expectLocator(page.getByRole('heading', { name: 'Oldest of all', level: 1 })).toBeVisible();
  });

  it('opens sessions by their call ID', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const ended = { status: 'completed' as const, completed_at: new Date(), summary_text: 'A parcel is late.' };
    await createSession(assistant, { ...ended, metadata: { call_id: 'c-2042' } });
    await page.goto('/console/usage');
    await search('c-2042');
    await page.getByRole('option', { name: /c-2042 · .*A parcel is late/ }).click();
    await expectLocator(page.getByRole('heading', { name: 'c-2042', level: 1 })).toBeVisible();
  });

  it('shows the sentence that was said, and opens the call at it', async () => {
    await submitText(service, visitor, 'Good morning. I lost a green umbrella on Monday. Can you help?');
    const { page } = visitor;
    await page.goto('/console');
    await search('green umbrella');
    await page.getByRole('option', { name: 'I lost a green umbrella on Monday.' }).click();
    await expectLocator(page).toHaveURL(/\/sessions\/sess_\w+\?q=green/);
    await expectLocator(page.getByRole('searchbox', { name: 'Search the transcript' })).toHaveValue('green umbrella');
  });

  it('keeps what is typed while it loads', async () => {
    const { page } = visitor;
    const loading = Promise.withResolvers<void>();
    await page.route(/\/palette-[^/]+\.js$/, async (route) => {
      await loading.promise;
      await route.continue();
    });
    await page.goto('/console');
    await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('usage');
    loading.resolve();
    await expectLocator(page.getByRole('combobox', { name: 'Search or jump to' })).toHaveValue('usage');
    await page.keyboard.press('Enter');
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
  });

  it('opens a pasted ID of a session or a batch', async () => {
    const { page, user } = visitor;
    const { id } = await createBatch(user.default_workspace_id);
    const session = await createSession(await createAssistant(user.default_workspace_id));
    await page.goto('/console');
    for (const [text, opened, path] of [
      [`see ${session.id}`, session.id, `/console/sessions/${session.id}`],
      [`batch ${id} stopped`, id, `/console/batches/${id}`],
    ] as const) {
      await search(text);
      await page.getByRole('option', { name: `Open ${opened}` }).click();
      await expectLocator(page).toHaveURL(new RegExp(`${path}$`));
    }
  });
});
