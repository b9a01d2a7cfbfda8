import type { Batch } from '../../contract/sessions/batches.ts';
import { send } from '../support/api.ts';
import {
  expectAccessible,
  expectLocator,
  expectNoSidewaysScroll,
  openWithin,
  expectUsable,
} from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAssistant, createSession } from '../support/factories.ts';
import { addAssistant } from '../support/started-service.ts';

const COMPLETED = { status: 'completed', completed_at: new Date() } as const;

const FIELDS = [
  { name: 'resolved', type: 'boolean', description: 'Was the problem solved?' },
  { name: 'mood', type: 'string', description: 'How does the client feel?' },
];

describe("The console's batch pages", () => {
  const { service, visitor } = visitEachTest();
  let assistantId: string;
  beforeEach(async () => {
    assistantId = (await addAssistant(service.api, visitor.token, { fields: FIELDS })).id;
    for (const text of ['Parcel one. [field resolved=true]', 'Parcel two. [field resolved=false]']) {
      const body = { assistant_id: assistantId, conversation: [{ role: 'client', text }] };
      await send(service.api, 'submitTextRequest', { token: visitor.token, body });
    }
  });

  it('offer an action only if their conversations allow it', async () => {
    const { page } = visitor;
    for (const action of ['reanalyze', 'redeliver']) {
      await page.goto(`/console/batches/new?action=${action}`);
      await expectLocator(page.getByRole('heading', { name: 'The address may be wrong' })).toBeVisible();
      await expectLocator(page.getByRole('button', { name: /all$/ })).toHaveCount(0);
    }
    await page.goto(`/console/batches/new?action=reanalyze&assistant_id=${assistantId}`);
    await expectLocator(page.getByRole('heading', { name: 'Reanalyze', level: 1 })).toBeVisible();
    await expectLocator(page.getByRole('button', { name: 'Reanalyze all' })).toBeVisible();
  });

  it('lead from a filtered list to an estimate, and then to the comparison of the results', async () => {
    const { page } = visitor;
    await page.goto(`/console/sessions?assistant_id=${assistantId}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('link', { name: 'Reanalyze' }).click();
    await expectLocator(page.getByRole('status').getByRole('definition').first()).toHaveText('2');
    await expectLocator(page.getByRole('status').filter({ hasText: 'Expected cost' })).toBeVisible();
    await page.getByText('More settings').click();
    await expectLocator(page.getByLabel('Send results to the webhook')).not.toBeChecked();
    await page.getByLabel('Half price').check();
    await expectLocator(page.getByRole('status').filter({ hasText: 'Half price' })).toBeVisible();
    await page.getByLabel('Name (optional)', { exact: true }).fill('Once more');
    await expectUsable(page);
    await page.getByRole('button', { name: 'Reanalyze all' }).click();

    await expectLocator(page.getByRole('heading', { name: 'Once more', level: 1 })).toBeVisible();
    await expectLocator(page.getByText('None of these conversations is reviewed')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 860 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await openWithin(page, `${new URL(page.url()).pathname}?changed=resolved`);
    await expectLocator(page.getByRole('heading', { name: 'Different answers: resolved' })).toBeVisible();
    await expectLocator(page.getByText('No differences')).toBeVisible();
    const change = {
      name: 'mood',
      change: 'changed',
      before: 'calm',
      after: 'The client is angry.',
      was_right: null,
      is_right: null,
    };
    await page.route('**/v1/**/comparison*', async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.delete('different');
      const response = await route.fetch({ url: url.href });
      const json = (await response.json()) as { data: object[] };
      await route.fulfill({ json: { ...json, data: json.data.map((pair) => ({ ...pair, fields: [change] })) } });
    });
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expectLocator(page).not.toHaveURL(/changed=/);
    await page.reload();
    const pairs = page.getByRole('region', { name: 'Different answers' });
    const row = pairs.getByRole('row').filter({ hasText: 'mood' }).first();
    await expectLocator(row).toHaveText(/mood\s*calm\s*The client is angry\./);
    await pairs.getByRole('link').first().click();
    await expectLocator(page.getByRole('heading', { name: 'Compare' })).toBeVisible();
    await openWithin(page, '/console/batches');
    await expectLocator(page.getByRole('row').filter({ hasText: 'Once more' })).toContainText(
      /In use.*Review.*Not reviewed/,
    );
    await expectAccessible(page);
  });

  it('show the progress of a batch, and cancel it', async () => {
    const { page, token } = visitor;
    service.providers.hang();
    const body = { action: 'reanalyze', filter: { assistant_id: assistantId } };
    const { batch_id } = (await send(service.api, 'createBatch', { token, body })).body as Batch;
    await page.goto(`/console/batches/${batch_id}`);
    await expectLocator(page.getByText('0 of 2 done')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expectLocator(page.getByText('Canceling')).toBeVisible();
    await service.providers.pass();
    await expectLocator(page.getByText('Canceled', { exact: true }).first()).toBeVisible();
  });

  it('show in the state of a completed batch that sessions failed', async () => {
    const { page, token } = visitor;
    const conversation = [{ role: 'client', text: 'Hello? [provider status=401]' }];
    await send(service.api, 'submitTextRequest', { token, body: { assistant_id: assistantId, conversation } });
    const body = { action: 'reanalyze', filter: { assistant_id: assistantId } };
    const { batch_id } = (await send(service.api, 'createBatch', { token, body })).body as Batch;
    await page.goto(`/console/batches/${batch_id}`);
    await expectLocator(page.getByText('Completed with failures')).toBeVisible();
    await openWithin(page, '/console/batches');
    await expectLocator(page.getByRole('row').filter({ hasText: 'Completed with failures' })).toBeVisible();
  });

  it('pause a batch at its cost limit, and remove the limit', async () => {
    const { page } = visitor;
    await page.goto(`/console/batches/new?assistant_id=${assistantId}`);
    await page.getByText('More settings').click();
    await page.getByLabel('Cost limit (USD)').fill('0');
    await page.getByRole('button', { name: 'Reanalyze all' }).click();
    await expectLocator(page.getByText('Paused: the next session could exceed the cost limit.')).toBeVisible();
    await expectLocator(page.getByText('0 of 2 done')).toBeVisible();
    await expectLocator(page.getByText('Paused', { exact: true })).toBeVisible();
    await expectLocator(page.getByText('Cost: $0.00')).toBeVisible();
    await openWithin(page, '/console/batches');
    await expectLocator(page.getByRole('row').filter({ hasText: '0 of 2' })).toContainText('Paused');
    await page.goBack();
    await page.getByRole('button', { name: 'Remove limit' }).click();
    await expectLocator(page.getByText('None of these conversations is reviewed')).toBeVisible();
    await expectLocator(page.getByText('Paused: the next session could exceed the cost limit.')).toBeHidden();
  });

  it('retry only temporary failures, and send their webhooks', async () => {
    const { page, token, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const error = {
      code: 'unavailable',
      stage: 'analysis',
      provider: 'openai',
      message: 'Down',
      retryable: true,
    } as const;
    await createSession(assistant, { status: 'failed', error });
    await createSession(assistant, { status: 'failed', error: { ...error, code: 'auth', retryable: false } });
    await page.goto('/console/batches/new?status=failed&range=24h');
    await expectLocator(page.getByRole('status').getByRole('definition').first()).toHaveText('1');
    await expectLocator(page.getByText(/\dT\d\d:/)).toHaveCount(0);
    await page.getByRole('button', { name: 'Retry all' }).click();
    await expectLocator(page.getByText('1 of 1 done')).toBeVisible();
    const params = { id: page.url().split('/').at(-1) ?? '' };
    expect((await send(service.api, 'getBatch', { token, params })).body.notify).to.equal(true);
  });

  it('ask for confirmation before a deletion', async () => {
    const { page } = visitor;
    await page.goto('/console/batches/new?status=completed&action=delete');
    await page.getByRole('button', { name: 'Delete all' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete 2 sessions?' });
    await dialog.getByRole('button', { name: 'Delete all' }).click();
    await expectLocator(page.getByText('2 of 2 done')).toBeVisible();
    await openWithin(page, '/console/batches?status=running');
    await expectLocator(page).toHaveURL(/\/experiments\?status=running$/);
    await expectLocator(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  });

  it('confirm only the counted number of sessions, and require typing a large number', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    await Promise.all(Array.from({ length: 21 }, () => createSession(assistant, COMPLETED)));
    // The count for a deletion waits for `release`.
    let release = () => undefined as void;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/v1/batches', async (route) => {
      const { action } = route.request().postDataJSON() as { action: string };
      if (action === 'delete') await isReleased;
      return route.continue();
    });
    await page.goto(`/console/batches/new?assistant_id=${assistant.id}&action=delete`);
    const start = page.getByRole('button', { name: 'Delete all' });
    await expectLocator(start).toBeDisabled();
    await createSession(assistant, COMPLETED);
    release();
    await start.click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete 21 sessions?' });
    const confirm = dialog.getByRole('button', { name: 'Delete all' });
    await expectLocator(confirm).toBeDisabled();
    await dialog.getByLabel('Type 21 to confirm').fill('22');
    await expectLocator(confirm).toBeDisabled();
    await dialog.getByLabel('Type 21 to confirm').fill('21');
    await expectAccessible(page);
    await confirm.click();
    await expectLocator(page.getByText('21 of 21 done')).toBeVisible();
  });
});
