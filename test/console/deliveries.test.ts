import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { send } from '../support/api.ts';
import { expectLocator, openWithin } from '../support/browser.ts';
import { submitText, visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createDelivery, createSession, openAttempt } from '../support/factories.ts';
import { startClosedReceiver } from '../support/receiver.ts';
import { useStarted } from '../support/use-started.ts';

describe("The console's deliveries", () => {
  const { service, visitor } = visitEachTest();
  const receiver = useStarted(() => startClosedReceiver('<b>closed</b>'));
  beforeEach(() => {
    receiver.isOpen = false;
  });

  const submit = (text: string, webhook_url?: string) => submitText(service, visitor, text, webhook_url);

  it('shows each attempt of a delivery with request and response, and sends it now on request', async () => {
    await submit('Hello.', receiver.url);
    const { page } = visitor;
    await page.goto('/console/deliveries');
    await expectLocator(page.getByText('HTTP 503')).toBeVisible();
    await expectLocator(page.getByRole('row').nth(1).getByRole('link', { name: 'Review' })).toBeVisible();
    await page.getByRole('row').nth(1).locator('[data-row-link]').click();
    await expectLocator(page.getByText(/in 0:[012]\d/).first()).toBeVisible();
    await expectLocator(page.getByLabel('Request body', { exact: true })).toContainText('"session.completed"');
    await expectLocator(page.getByLabel('Response body', { exact: true })).toHaveText('<b>closed</b>');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as cURL' }).click();
    await expectLocator(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(stdout, 'the command runs in a shell').to.contain('<b>closed</b>');
    receiver.isOpen = true;
    await page.getByRole('button', { name: 'Send now' }).click();
    await expectLocator(page.getByText('Delivered').first()).toBeVisible();
    await expectLocator(page.getByRole('link', { name: 'Attempt 2' })).toHaveAttribute('aria-current', 'true');
    await expectLocator(page.getByRole('button', { name: 'Redeliver' })).toBeVisible();
    await page.keyboard.press('r');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await expectLocator(page.getByRole('link', { name: 'Original delivery' })).toBeVisible();
    await expectLocator(dialog).toHaveCount(0);
  });

  it('says what happened to a response that was cut off after its status, with the code of the error', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id, { webhook_url: receiver.url });
    const { id } = await createDelivery(await createSession(assistant));
    await openAttempt(id);
    const end = { failure: 'connection_closed', failure_code: 'ECONNRESET', status_code: 200 } as const;
    await DeliveryAttemptModel.close(id, 1, { ...end, next_attempt_at: null });
    await page.goto('/console/deliveries');
    await expectLocator(page.getByText('Connection closed')).toBeVisible();
    await page.getByRole('row').nth(1).locator('[data-row-link]').click();
    await expectLocator(page.getByText('ECONNRESET')).toBeVisible();
    await expectLocator(page.getByText('closed it before the response was complete')).toBeVisible();
  });

  it('sends selected deliveries now, and leaves those that have ended', async () => {
    const { page, user } = visitor;
    for (const text of ['One.', 'Two.']) await submit(text, receiver.url);
    const assistant = await createAssistant(user.default_workspace_id, { webhook_url: receiver.url });
    const ended = await createDelivery(await createSession(assistant));
    await ended.$query().patch({ status: 'stopped', ended_at: new Date(), next_attempt_at: null });
    await page.goto('/console/deliveries');
    await expectLocator(page.getByText('HTTP 503')).toHaveCount(2);
    receiver.isOpen = true;
    await page.getByLabel('Select all loaded rows').check();
    await page.getByRole('button', { name: 'Send now' }).click();
    await expectLocator(page.getByRole('row').filter({ hasText: 'Delivered' })).toHaveCount(2);
    await expectLocator(page.getByRole('row').filter({ hasText: 'Stopped' })).toHaveCount(1);
    await expectLocator(page.getByRole('button', { name: 'Send now' })).toHaveCount(0);
  });

  it('names the call of a delivery, also by the former address of an attempt', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id, { webhook_url: receiver.url });
    const delivery = await createDelivery(await createSession(assistant));
    await delivery.$query().patch({ payload: JSON.stringify({ metadata: { call_id: 'crm-5' } }) });
    await page.goto(`/console/sessions/${delivery.session_id}?tab=deliveries&delivery=${delivery.id}&attempt=2`);
    await expectLocator(page).toHaveURL(new RegExp(`/deliveries/${delivery.id}\\?attempt=2$`));
    await expectLocator(page.getByRole('heading', { name: 'Delivery of crm-5', level: 1 })).toBeVisible();
  });

  it('shows the last response of a delivery that the filter no longer matches', async () => {
    const { page } = visitor;
    await submit('One.', receiver.url);
    await page.goto('/console/deliveries?status=pending');
    await expectLocator(page.getByText('HTTP 503')).toBeVisible();
    receiver.isOpen = true;
    await page.getByLabel('Select all loaded rows').check();
    await page.getByRole('button', { name: 'Send now' }).click();
    await expectLocator(page.getByRole('row').last()).toContainText(/Delivered.*HTTP 200/);
  });

  it('shows that a delivery was deleted with its session', async () => {
    const { page, user, token } = visitor;
    const assistant = await createAssistant(user.default_workspace_id, { webhook_url: receiver.url });
    const session = await createSession(assistant, { status: 'completed', completed_at: new Date() });
    await createDelivery(session, { status: 'delivered', ended_at: new Date(), next_attempt_at: null });
    const stream = page.waitForResponse((response) => response.url().endsWith('/v1/events'));
    await page.goto('/console/deliveries');
    await stream;
    await expectLocator(page.getByRole('row').last()).toContainText('Delivered');
    await send(service.api, 'deleteSession', { token, params: { id: session.id } });
    await expectLocator(page.getByRole('row').last()).toContainText('Deleted');
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
    await page.getByRole('link', { name: 'Redeliver', exact: true }).click();
    await expectLocator(page.getByRole('status').getByRole('definition').first()).toHaveText(/^2 → /);
    await page.getByRole('button', { name: 'Redeliver all' }).click();
    await eventually(
      () => DeliveryModel.query().where({ assistant_id: assistant.id, status: 'delivered' }).resultSize(),
      (count) => count === 3,
    );
  });

  it('counts the deliveries to redeliver before it sends them', async () => {
    await submit('Hello.', receiver.url);
    const { page } = visitor;
    await page.goto('/console/deliveries');
    await page.getByRole('row').nth(1).locator('[data-row-link]').click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expectLocator(page.getByText('Stopped manually.')).toBeVisible();
    await openWithin(page, '/console/deliveries?status=stopped');
    receiver.isOpen = true;
    await page.getByRole('link', { name: 'Redeliver …' }).click();
    await expectLocator(page.getByRole('status').getByRole('definition').first()).toHaveText(/^1 → /);
    await page.getByRole('button', { name: 'Redeliver all' }).click();
    await expectLocator(page.getByText('1 of 1 done')).toBeVisible();
    await page.getByRole('link', { name: 'Delivered: 1' }).click();
    await expectLocator(page.getByRole('row')).toHaveCount(2);
  });
});
