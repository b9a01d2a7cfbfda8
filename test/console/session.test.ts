import type { Page } from '@playwright/test';
import type { Turn } from '../../contract/sessions/sessions.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { SessionModel } from '../../db/models/session.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectNoSidewaysScroll, openWithin } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { visitEachTest } from '../support/console.ts';
import { createAssistant, createDelivery, createSession } from '../support/factories.ts';
import { startClosedReceiver } from '../support/receiver.ts';
import { addAssistant } from '../support/started-service.ts';
import { useStarted } from '../support/use-started.ts';
import { addVoiceAssistant, submitVoice } from '../support/voice.ts';
import { insertCall } from '../activities/sessions/analysis.ts';

const COMPLETED = { status: 'completed', summary_text: 'The client waits.', completed_at: new Date() } as const;

describe("The console's session page", () => {
  const { service, visitor } = visitEachTest();
  const receiver = useStarted(() => startClosedReceiver('closed'));

  const HELLO: Turn[] = [{ role: 'client', text: 'My parcel has not arrived.' }];

  async function submit(
    conversation: Turn[],
    { webhook_url, prefer }: { webhook_url?: string; prefer?: string } = {},
  ): Promise<string> {
    const { token } = visitor;
    const assistant = await addAssistant(service.api, token, webhook_url ? { webhook_url } : {});
    const headers = prefer ? { prefer } : {};
    const body = { assistant_id: assistant.id, conversation };
    return (await send(service.api, 'submitTextRequest', { token, headers, body })).body.session_id;
  }

  it('shows the progress of a session without a reload', async () => {
    service.providers.hang();
    const id = await submit(HELLO, { prefer: 'respond-async' });
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}`);
    await expectLocator(page.getByText('Analyzing').first()).toBeVisible();
    await expectLocator(page.getByRole('button', { name: 'Cancel' })).toBeVisible();
    await service.providers.pass();
    await expectLocator(page.getByRole('link', { name: 'Answers' })).toBeVisible();
    await expectLocator(page.getByText('Analyzing')).toHaveCount(0);
    await expectLocator(page.getByRole('button', { name: 'Reanalyze' })).toBeVisible();
  });

  it('shows what the provider said about the call that failed, as text', async () => {
    const assistant = await createAssistant(visitor.user.default_workspace_id);
    const error = {
      code: 'bad_input',
      stage: 'analysis',
      provider: 'openai',
      message: 'no',
      retryable: false,
    } as const;
    const session = await createSession(assistant, { status: 'failed', error });
    await insertCall(session, { status: 'failed', provider_message: '<b>no such voice</b>' });
    const { page } = visitor;
    await page.goto(`/console/sessions/${session.id}`);
    await expectLocator(page.getByRole('alert')).toContainText('OpenAI said: <b>no such voice</b>');
  });

  it('shows a countdown to the next attempt, and sends it now on request', async () => {
    receiver.isOpen = false;
    const id = await submit(HELLO, { webhook_url: receiver.url });
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}?tab=deliveries`);
    const wait = timelineOf(page).getByRole('listitem').filter({ hasText: 'Retry delay (attempt 2, webhook)' });
    await expectLocator(wait).toContainText(/Next in 0:[012]\d/);
    await expectLocator(page.getByText('Error response (HTTP 503)')).toBeVisible();
    await expectLocator(page.getByRole('link', { name: 'session.completed' })).toBeVisible();
    await expectAccessible(page);

    receiver.isOpen = true;
    await wait.getByRole('button', { name: 'Send now' }).click();
    await expectLocator(page.getByText('Delivered').first()).toBeVisible();
  });

  it('folds all attempts of a delivery but the last, each with its failure, without scrolling sideways', async () => {
    const { page, user } = visitor;
    await page.goto(`/console/sessions/${await deliverAfter(25, user.default_workspace_id)}`);
    const lines = timelineOf(page)
      .getByText(/^Webhook, attempt \d+/)
      .filter({ visible: true });
    await expectLocator(lines).toHaveText(['Webhook, attempt 25']);
    await page.getByText('Webhook, attempts 1–24').click();
    await expectLocator(lines).toHaveCount(25);
    await expectLocator(page.getByText('Error response (HTTP 503)')).toHaveCount(24);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
    }
  });

  it('has the metadata as its title, otherwise the summary', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const named = await createSession(assistant, { ...COMPLETED, metadata: { call_id: 'c-1042', team: 'north' } });
    await page.goto(`/console/sessions/${named.id}`);
    await expectLocator(page.getByRole('heading', { name: 'c-1042', exact: true, level: 1 })).toBeVisible();
    await expectLocator(page).toHaveTitle(/^c-1042 ·/);
    const summarized = await createSession(assistant, COMPLETED);
    await openWithin(page, `/console/sessions/${summarized.id}`);
    await expectLocator(page).toHaveTitle(/^The client waits. ·/);
  });

  it('shows HTML in a conversation as text', async () => {
    const hostile = `<img src=x onerror=alert(1)> <a href="javascript:alert(1)">click</a> https://evil.example`;
    const id = await submit([{ role: '<b>client</b>', text: hostile }]);
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}`);
    for (const tab of ['result', 'settings']) {
      await openWithin(page, `/console/sessions/${id}?tab=${tab}`);
      const transcript = page.getByRole('list', { name: 'Transcript' });
      await expectLocator(transcript.getByText(hostile)).toBeVisible();
      await expectLocator(transcript.getByText('<b>client</b>')).toBeVisible();
      expect(await page.locator('img[src="x"], a[href*="evil"], a[href^="javascript"]').count()).to.equal(0);
    }
  });

  it("opens each provider's stored response from the timeline, also by the former address of the costs", async () => {
    const id = await submit(HELLO);
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}?tab=cost`);
    const call = timelineOf(page).getByRole('listitem').filter({ hasText: 'Analysis' });
    const opening = page.waitForEvent('popup');
    await call.getByRole('link', { name: 'JSON' }).click();
    await expectLocator((await opening).locator('body')).toContainText('"provider_response":{');
  });

  it('estimates the cost of a reanalysis in the dialog', async () => {
    const id = await submit(HELLO);
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}`);
    await page.getByRole('button', { name: 'Reanalyze' }).click();
    const dialog = page.getByRole('dialog');
    await expectLocator(dialog.getByRole('status').filter({ hasText: 'Expected cost' })).toContainText('At most');
  });

  it('reanalyzes with the current settings, unless those of the session are chosen', async () => {
    const { page, token, user } = visitor;
    const id = await submit(HELLO);
    const [session] = await SessionModel.query().where({ workspace_id: user.default_workspace_id });
    const params = { id: session?.assistant_id ?? '' };
    const fields = [{ name: 'mood', type: 'string' as const, description: 'How does the client feel?' }];
    await page.goto(`/console/sessions/${id}`);
    await page.getByRole('button', { name: 'Reanalyze' }).click();
    const dialog = page.getByRole('dialog');
    const settings = dialog.getByLabel('Settings');
    await expectLocator(dialog.getByText('Expected cost')).toBeVisible();
    // The settings are the same.
    await expectLocator(settings).toHaveCount(0);
    await send(service.api, 'updateAssistant', { token, params, body: { fields } });
    await page.reload();
    await page.getByRole('button', { name: 'Reanalyze' }).click();
    await expectLocator(settings.getByRole('option')).toHaveText([
      'Current (version 2)',
      'As in this session (version 1)',
    ]);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Reanalyze' }).click();
    await expectLocator(page).not.toHaveURL(new RegExp(id));
    await expectLocator(page.getByRole('rowheader', { name: 'mood' })).toBeVisible();
    await openWithin(page, `/console/sessions/${id}`);
    await page.getByRole('button', { name: 'Reanalyze' }).click();
    await settings.selectOption('session');
    await dialog.getByRole('button', { name: 'Reanalyze' }).click();
    await expectLocator(page).not.toHaveURL(new RegExp(id));
    await expectLocator(page.getByRole('link', { name: 'Compare with the original' })).toBeVisible();
    const made = await SessionModel.query().where({ source_session_id: id }).orderBy('created_at');
    expect(made.map(({ assistant: { fields: asked } }) => asked?.length ?? 0)).to.deep.equal([1, 0]);
  });

  it("renders all of 5,000 turns with few elements, for the browser's search and the page's own search", async () => {
    const last = 'The very last word is marigold.';
    const conversation = Array.from({ length: 5_000 }, (_, index) => ({
      role: index % 2 ? 'client' : 'operator',
      text: index < 4_999 ? `Turn ${index}: my parcel was promised for Monday, and has not arrived.` : last,
    }));
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const { id } = await createSession(assistant, { ...COMPLETED, conversation });
    await page.goto(`/console/sessions/${id}`);
    const transcript = page.getByRole('list', { name: 'Transcript' });
    await expectLocator(transcript.getByRole('listitem')).toHaveCount(5_000);
    // A turn has three elements. The other elements belong to the rest of the page.
    expect(await page.evaluate("document.getElementsByTagName('*').length")).to.be.below(16_000);
    // A script can't open the browser's search. It finds rendered text, and text with `content-visibility: auto`.
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

  it('plays the recording from a clicked turn or link, and marks the current turn', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(service.api, token);
    const { session_id } = await submitVoice(service.api, { token, assistantId: assistant.id });
    const recordings: string[] = [];
    page.on('request', (request) => request.url().endsWith('/audio') && recordings.push(request.method()));
    await page.goto(`/console/sessions/${session_id}?t=3`);
    const turns = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem');
    const slider = page.getByRole('slider', { name: 'Position in the recording' });
    await expectLocator(slider).toHaveValue('3');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link to this moment' }).click();
    await expectLocator(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.match(new RegExp(`/${session_id}\\?t=3$`));
    expect(recordings, 'before the first play').to.deep.equal([]);

    const turn = turns.nth(2);
    await turn.getByRole('button', { name: /^Play from/ }).click();
    await expectLocator(turn).toHaveAttribute('data-active', '');
    await page.getByRole('button', { name: 'Pause' }).click();
    await slider.fill('0');
    await expectLocator(turn).not.toHaveAttribute('data-active', '');
    const text = turn.locator('div').last();
    const { width = 0 } = (await text.boundingBox()) ?? {};
    await text.click({ position: { x: Math.min(60, width / 4), y: 8 } });
    await expectLocator(turn).toHaveAttribute('data-active', '');
    await page.getByRole('button', { name: 'Pause' }).click();
    await slider.fill('0');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download recording' }).click();
    expect((await downloading).suggestedFilename()).not.to.equal('');

    await page.getByRole('heading', { level: 1 }).click();
    await expectLocator(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    // The recording may end before the test sees it playing.
    await page.evaluate(
      "void document.querySelector('audio').addEventListener('play', () => { document.body.dataset.played = ''; })",
    );
    await page.keyboard.press(' ');
    await expectLocator(page.locator('body[data-played]')).toBeVisible();
    await page.keyboard.press(']');
    await expectLocator(page.getByLabel('Speed')).toHaveValue('1.25');
    await page.reload();
    await expectLocator(page.getByLabel('Speed')).toHaveValue('1.25');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await eventually(() => page.evaluate("document.querySelector('audio').playbackRate"), 1.25);
  });

  it('continues a recording that could not be loaded where it failed, and offers its download', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(service.api, token);
    const { session_id } = await submitVoice(service.api, { token, assistantId: assistant.id });
    await page.route('**/audio', (route) => route.abort());
    await page.goto(`/console/sessions/${session_id}`);
    const slider = page.getByRole('slider', { name: 'Position in the recording' });
    await slider.fill('12');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'could not be played' });
    await expectLocator(failure.getByRole('link', { name: 'Download recording' })).toBeVisible();
    await page.unroute('**/audio');
    await failure.getByRole('button', { name: 'Try again' }).click();
    await eventually(() => page.evaluate("document.querySelector('audio').currentTime > 12"), true);
  });

  it('keeps an open dialog when the session is deleted', async () => {
    const { page, token } = visitor;
    const id = await submit(HELLO);
    await page.goto(`/console/sessions/${id}`);
    await page.getByRole('button', { name: 'Reanalyze' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reanalyze this conversation' });
    await expectLocator(dialog).toBeVisible();
    await send(service.api, 'deleteSession', { token, params: { id } });
    await expectLocator(page.getByText('Deleted', { exact: true })).toBeVisible();
    await expectLocator(dialog).toBeVisible();
  });

  it('compares a reanalysis with its original, also by the former address of two sessions', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const original = await createSession(assistant, COMPLETED);
    const changed = await createAssistant(user.default_workspace_id, { system_prompt: 'Say it shorter.' });
    const made = await createSession(changed, { ...COMPLETED, source_session_id: original.id });
    // The costs look the same.
    await insertCall(original, { attempt: 1, status: 'succeeded', cost_usd: 0.0001196 });
    await insertCall(made, { attempt: 1, status: 'succeeded', cost_usd: 0.0001203 });
    await page.goto(`/console/sessions/${made.id}`);
    await page.getByRole('link', { name: 'Compare with the original' }).click();
    const heads = page.getByRole('columnheader').getByRole('link');
    const order = async () => {
      await expectLocator(heads).toHaveText(['Custom settings', 'Custom settings']);
      return Promise.all((await heads.all()).map(async (link) => (await link.getAttribute('href'))?.split('/').at(-1)));
    };
    expect(await order()).to.deep.equal([original.id, made.id]);
    await openWithin(page, `/console/sessions/${original.id}/compare?with=${made.id}`);
    expect(await order()).to.deep.equal([original.id, made.id]);
    await expectLocator(page.getByRole('rowheader')).toHaveText(['System prompt']);
    await expectLocator(page.getByRole('columnheader').getByText('$0.0001')).toHaveCount(2);
    await openWithin(page, `/console/sessions/${original.id}/compare`);
    await expectLocator(page.getByText('there is no original to compare with')).toBeVisible();
    await openWithin(page, `/console/sessions/${assistant.id.replace('asst', 'sess')}/compare`);
    await expectLocator(page.getByText('Not found')).toBeVisible();
  });

  it('marks no setting as changed if the assistant has not changed', async () => {
    const id = await submit(HELLO);
    const { page } = visitor;
    await page.goto(`/console/sessions/${id}?tab=settings`);
    await expectLocator(page.getByText('System prompt')).toBeVisible();
    await expectLocator(page.getByText('The same as now')).toBeVisible();
  });
});

const timelineOf = (page: Page) => page.getByRole('list', { name: 'Timeline' });

/** Creates a session with a delivery that succeeded at the last of `attempts`. Returns the session's ID. */
async function deliverAfter(attempts: number, workspaceId: string): Promise<string> {
  const session = await createSession(await createAssistant(workspaceId), COMPLETED);
  const delivery = await createDelivery(session);
  const startedAt = (attempt: number) => new Date(Date.now() + attempt * 60_000);
  await DeliveryAttemptModel.query().insert(
    Array.from({ length: attempts }, (_, index) => ({
      delivery_id: delivery.id,
      attempt: index + 1,
      started_at: startedAt(index + 1),
      duration_ms: 20,
      url: 'https://example.com/hook',
      request_headers: {},
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
