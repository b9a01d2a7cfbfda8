import { expect } from 'chai';
import { submitTextRequest } from '../../contract/requests.ts';
import { SessionModel } from '../../db/models/session.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectNoSidewaysScroll } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAssistant, createSession } from '../support/factories.ts';
import { startClosedReceiver } from '../support/receiver.ts';
import type { ClosableReceiver } from '../support/receiver.ts';
import { addAssistant } from '../support/started-service.ts';

const NARROW = { width: 390, height: 844 };

describe("The console's Sessions & Logs", () => {
  const { service, visitor } = visitEachTest();
  let receiver: ClosableReceiver;
  before(async () => {
    receiver = await startClosedReceiver('<b>closed</b>');
  });
  after(() => receiver.stop());
  beforeEach(() => {
    receiver.isOpen = false;
  });

  async function submit(text: string, webhook_url?: string): Promise<void> {
    const { token } = visitor;
    const assistant = await addAssistant(service.api, token, webhook_url ? { webhook_url } : {});
    const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text }] };
    await send(service.api, submitTextRequest, { token, body });
  }

  it('says what to do where there is nothing yet', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions');
    await expectLocator(page.getByRole('heading', { name: 'No conversation yet' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'New conversation' }).last().click();
    await expectLocator(page).toHaveURL(/\/console\/start$/);
  });

  it('counts what is new and moves nothing until it is asked for', async () => {
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
    expect(visitor.faults).to.deep.equal([]);
  });

  it('shows what becomes of a row that is older than those which are read again', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.id);
    const ended = { status: 'completed' as const, completed_at: new Date(), summary_text: 'A parcel.' };
    const oldest = await createSession(assistant, ended);
    for (let made = 0; made < 51; made++) await createSession(assistant, ended);
    await page.goto('/console/sessions');
    await page.getByRole('button', { name: 'Load more' }).click();
    await expectLocator(page.getByRole('row')).toHaveCount(53);
    await SessionModel.query().patch({ status: 'failed' }).where({ id: oldest.id });
    await expectLocator(page.getByRole('row').last()).toContainText('Failed');
    expect(visitor.faults).to.deep.equal([]);
  });

  it('keeps its filters in the address, over a reload, a step back, and a file of the same rows', async () => {
    await submit('A lost umbrella.');
    const { page } = visitor;
    await page.goto('/console/sessions');
    await page.getByLabel('Status').selectOption('failed');
    await expectLocator(page.getByRole('heading', { name: 'Nothing matches these filters' })).toBeVisible();
    await page.reload();
    await expectLocator(page.getByLabel('Status')).toHaveValue('failed');
    await page.goBack();
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('searchbox').fill('umbrella');
    await expectLocator(page).toHaveURL(/\?q=umbrella$/);
    await expectLocator(page.getByRole('link', { name: 'CSV' })).toHaveAttribute('href', /q=umbrella&format=csv$/);
    await expectLocator(page.getByRole('row')).toHaveCount(2);
  });

  it('asks for several pairs of metadata at once, for one model, and for what real vendors said', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions');
    await page.getByLabel('Metadata, as key=value').fill('call_id=c-1, note=one, two, team=north');
    await page.keyboard.press('Enter');
    await page.getByLabel('Model', { exact: true }).fill('gpt-6-luna');
    await page.keyboard.press('Enter');
    await page.getByLabel('Vendors').selectOption('Real vendors');
    await expectLocator(page).toHaveURL(/simulated=false/);
    const href = (await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '';
    expect(Object.fromEntries(new URL(href, service.api.url).searchParams)).to.include({
      ...{ 'metadata.call_id': 'c-1', 'metadata.note': 'one, two', 'metadata.team': 'north' },
      ...{ llm_model: 'gpt-6-luna', simulated: 'false' },
    });
    expect(visitor.faults).to.deep.equal([]);
  });

  it('shows each attempt of a delivery with its request and its answer, and sends it now', async () => {
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
    expect(visitor.faults).to.deep.equal([]);
  });

  it('counts the deliveries that a redelivery of many would send before it sends them', async () => {
    await submit('Hello.', receiver.url);
    const { page } = visitor;
    await page.goto('/console/deliveries');
    await page.getByRole('link', { name: 'session.completed' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expectLocator(page.getByText('Stopped by hand.')).toBeVisible();
    await page.goto('/console/deliveries?status=stopped');
    receiver.isOpen = true;
    await page.getByRole('button', { name: 'Redeliver all that failed' }).click();
    const dialog = page.getByRole('alertdialog');
    await expectLocator(dialog).toContainText('1 delivery with the status “Stopped” of all assistants');
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await expectLocator(dialog).toHaveCount(0);
    await page.goto('/console/deliveries?status=delivered');
    await expectLocator(page.getByRole('row')).toHaveCount(2);
  });

  it('is open to everyone, in both themes, wide and narrow', async () => {
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
    await page.setViewportSize(NARROW);
    await expectLocator(page.getByLabel('Response body', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});
