import { expect } from 'chai';
import { submitTextRequest } from '../../contract/requests.ts';
import type { Turn } from '../../contract/sessions.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectNoSidewaysScroll } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAssistant, createDelivery, createSession } from '../support/factories.ts';
import { startClosedReceiver } from '../support/receiver.ts';
import type { ClosableReceiver } from '../support/receiver.ts';
import { addAssistant } from '../support/started-service.ts';
import { addVoiceAssistant, submitVoice } from '../support/voice.ts';

describe("The console's page of a session", () => {
  const { service, visitor } = visitEachTest();
  let receiver: ClosableReceiver;
  before(async () => {
    receiver = await startClosedReceiver('closed');
  });
  after(() => receiver.stop());

  const HELLO: Turn[] = [{ role: 'client', text: 'My parcel has not arrived.' }];

  async function submit(
    conversation: Turn[],
    { webhook_url, prefer }: { webhook_url?: string; prefer?: string } = {},
  ): Promise<string> {
    const { token } = visitor;
    const assistant = await addAssistant(service.api, token, webhook_url ? { webhook_url } : {});
    const headers = prefer ? { prefer } : {};
    const body = { assistant_id: assistant.id, conversation };
    return (await send(service.api, submitTextRequest, { token, headers, body })).body.session_id;
  }

  it('follows a session to its end without being loaded again', async () => {
    service.vendors.hang();
    const id = await submit(HELLO, { prefer: 'respond-async' });
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}`);
    await expectLocator(page.getByText('Analyzing').first()).toBeVisible();
    await expectLocator(page.getByRole('button', { name: 'Cancel' })).toBeVisible();
    await service.vendors.pass();
    await expectLocator(page.getByText('Completed').first()).toBeVisible();
    await expectLocator(page.getByRole('button', { name: 'Reanalyze' })).toBeVisible();
    expect(visitor.faults).to.deep.equal([]);
  });

  it('counts a failed delivery down, and sends it now from the bar of the wait', async () => {
    receiver.isOpen = false;
    const id = await submit(HELLO, { webhook_url: receiver.url });
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}?tab=deliveries`);
    const wait = page.getByRole('listitem').filter({ hasText: 'Wait before webhook 2' });
    await expectLocator(wait).toContainText(/Next in 0:[012]\d/);
    await expectLocator(page.getByText('Refused (HTTP 503)')).toBeVisible();
    await expectLocator(page.getByLabel('Response body', { exact: true })).toHaveText('closed');

    const failed = page.getByRole('listitem').filter({ hasText: 'Webhook, attempt 1' });
    await page.keyboard.press('n');
    await expectLocator(failed).toBeFocused();

    receiver.isOpen = true;
    await wait.getByRole('button', { name: 'Send now' }).click();
    await expectLocator(page.getByText('Delivered').first()).toBeVisible();
    await expectLocator(page.getByRole('link', { name: 'Attempt 2' })).toHaveAttribute('aria-current', 'true');
    expect(visitor.faults).to.deep.equal([]);
  });

  it('folds very many attempts of a delivery until they are asked for, and few of them never', async () => {
    const { page, user } = visitor;
    const rows = page.getByRole('listitem').filter({ hasText: /^Webhook, attempt/ });
    await page.goto(`/console/sessions/${await deliverAfter(12, user.id)}`);
    await expectLocator(rows).toHaveCount(12);
    await expectLocator(page.getByRole('button', { name: /more attempts$/ })).toHaveCount(0);

    await page.goto(`/console/sessions/${await deliverAfter(25, user.id)}`);
    const fold = page.getByRole('button', { name: '18 more attempts', expanded: false });
    await expectLocator(rows).toHaveCount(7);
    await expectLocator(rows.last()).toContainText('attempt 25');
    await fold.press('Enter');
    await expectLocator(rows).toHaveCount(25);
    const open = page.getByRole('button', { name: '18 more attempts', expanded: true });
    await expectLocator(open).toBeFocused();
    await open.press('Enter');
    await expectLocator(rows).toHaveCount(7);
  });

  it('shows what strangers wrote as text', async () => {
    const hostile = `<img src=x onerror=alert(1)> <a href="javascript:alert(1)">click</a> https://evil.example`;
    const id = await submit([{ role: '<b>client</b>', text: hostile }]);
    const { page } = visitor;
    for (const tab of ['result', 'settings', 'raw']) {
      await page.goto(`/console/sessions/${id}?tab=${tab}`);
      const transcript = page.getByRole('list', { name: 'Transcript' });
      await expectLocator(transcript.getByText(hostile)).toBeVisible();
      await expectLocator(transcript.getByText('<b>client</b>')).toBeVisible();
      expect(await page.locator('img[src="x"], a[href*="evil"], a[href^="javascript"]').count()).to.equal(0);
    }
    expect(visitor.faults).to.deep.equal([]);
  });

  it("shows each vendor's stored answer, as a tree and as text", async () => {
    const id = await submit(HELLO);
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}?tab=raw`);
    const answer = page.getByRole('group').filter({ hasText: 'Answer of analysis-1' });
    await answer.getByText('Answer of analysis-1').click();
    await expectLocator(answer.getByText('model:').first()).toBeVisible();
    await page.getByRole('button', { name: 'As text' }).click();
    await expectLocator(answer.getByLabel('analysis-1', { exact: true })).toContainText('"model":');
    await expectAccessible(page);
    expect(visitor.faults).to.deep.equal([]);
  });

  it('says what a reanalysis would cost while it is written', async () => {
    const id = await submit(HELLO);
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}`);
    await page.getByRole('button', { name: 'Reanalyze' }).click();
    const dialog = page.getByRole('dialog');
    await expectLocator(dialog.getByRole('status').filter({ hasText: 'Expected cost' })).toContainText('at most');
    await dialog.getByLabel('Model (optional)').fill('nobody-has-a-price');
    await expectLocator(dialog.getByText('no known price')).toBeVisible();
  });

  it("holds every turn of the longest conversation for the browser's own find, and finds words in it", async () => {
    const last = 'The very last word is marigold.';
    const turns = Array.from({ length: 4_999 }, (_, index) => ({
      role: index % 2 ? 'client' : 'operator',
      text: `Turn ${index}`,
    }));
    const id = await submit([...turns, { role: 'client', text: last }]);
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}`);
    const transcript = page.getByRole('list', { name: 'Transcript' });
    await expectLocator(transcript.getByRole('listitem')).toHaveCount(5_000);
    // No script can open Ctrl-F. It finds what is rendered, and of what is drawn only when it is seen that of `auto`.
    const [isRendered, drawn] = await page.evaluate<[boolean, string]>(`(() => {
      const group = document.querySelector('[aria-label=Transcript]').lastElementChild;
      return [group.checkVisibility({ visibilityProperty: true }), getComputedStyle(group).contentVisibility];
    })()`);
    expect([isRendered, drawn]).to.deep.equal([true, 'auto']);
    await expectLocator(transcript.getByText(last)).not.toBeInViewport();
    await page.getByRole('searchbox').fill('MARIGOLD');
    await expectLocator(page.getByText('1 of 1')).toBeVisible();
    await expectLocator(transcript.getByText(last)).toBeInViewport();
  });

  it('plays a recording from the turn that is clicked, and marks the turn that is heard', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(service.api, token);
    const { session_id } = await submitVoice(service.api, { token, assistantId: assistant.id });
    await page.goto(`/console/sessions/${session_id}`);
    const turn = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem').nth(2);
    await turn.getByRole('button', { name: /^Play from/ }).click();
    await expectLocator(turn).toHaveAttribute('data-active', '');
    await page.getByRole('slider', { name: 'Position in the recording' }).fill('0');
    await expectLocator(turn).not.toHaveAttribute('data-active', '');

    await page.getByRole('heading', { level: 1 }).click();
    await expectLocator(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    // The recording may be too short to be seen playing.
    await page.evaluate(
      "void document.querySelector('audio').addEventListener('play', () => { document.body.dataset.played = ''; })",
    );
    await page.keyboard.press(' ');
    await expectLocator(page.locator('body[data-played]')).toBeVisible();
    await page.keyboard.press(']');
    await expectLocator(page.getByLabel('Speed')).toHaveValue('1.25');
  });

  it('is open to everyone in both themes, wide and narrow', async function () {
    this.timeout(60_000);
    receiver.isOpen = false;
    const id = await submit(HELLO, { webhook_url: receiver.url });
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}?tab=deliveries`);
    await expectLocator(page.getByRole('link', { name: 'Attempt 1' })).toBeVisible();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    for (const tab of ['Result', 'Cost', 'Settings', 'Raw']) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await expectLocator(page).toHaveURL(tab === 'Result' ? /sess_\w+$/ : new RegExp(`tab=${tab.toLowerCase()}$`));
      await expectNoSidewaysScroll(page);
    }
    await page.goBack();
    await expectLocator(page).toHaveURL(/tab=settings$/);
    await expectAccessible(page);
    expect(visitor.faults).to.deep.equal([]);
  });
});

/** Returns the id of a session whose webhook was taken at the last of so many attempts. */
async function deliverAfter(attempts: number, userId: string): Promise<string> {
  const session = await createSession(await createAssistant(userId), { status: 'completed', completed_at: new Date() });
  const delivery = await createDelivery(session);
  const startedAt = (attempt: number) => new Date(Date.now() + attempt * 60_000);
  await DeliveryAttemptModel.query().insert(
    Array.from({ length: attempts }, (_, index) => ({
      ...{ delivery_id: delivery.id, attempt: index + 1, started_at: startedAt(index + 1), duration_ms: 20 },
      ...{ url: 'https://example.com/hook', request_headers: {} },
      ...(index + 1 < attempts
        ? { outcome: 'failed' as const, failure: 'http_status' as const, status_code: 503 }
        : { outcome: 'succeeded' as const, status_code: 200 }),
    })),
  );
  await DeliveryModel.query()
    .findById(delivery.id)
    .patch({ status: 'delivered', ended_at: startedAt(attempts + 1) });
  return session.id;
}
