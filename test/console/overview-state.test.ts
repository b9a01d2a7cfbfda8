/** Each sentence about the state, with an input for which it is true and one for which it would be false. */
import type { Page } from '@playwright/test';
import { typeid } from 'typeid-js';
import type { ServiceInfo } from '../../contract/service/service.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { send } from '../support/api.ts';
import { expectLocator, openWithin, expectUsable } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAnswered, createAssistant, createDelivery, createReview, createSession } from '../support/factories.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const before = (ms: number) => new Date(Date.now() - ms);

const NO_KEY = { code: 'auth', stage: 'analysis', provider: 'openai', message: 'No', retryable: true } as const;

describe('The state on the overview', () => {
  const { service, visitor } = visitEachTest();
  let assistant: AssistantModel;
  beforeEach(async () => {
    assistant = await createAssistant(visitor.user.default_workspace_id, { llm_provider: 'anthropic' });
  });

  const open = async (): Promise<Page> => {
    const { page } = visitor;
    // A pointer above a link would preload its page.
    await page.mouse.move(0, 0);
    await page.goto('/console/');
    return page;
  };
  const problemsOf = (page: Page) => page.getByRole('list', { name: 'Problems' }).getByRole('listitem');
  const expectGood = (page: Page) => expectLocator(page.getByText('Nothing needs attention.')).toBeVisible();

  /** Lets the server answer with other facts about the installation. */
  async function withInfo(change: Partial<ServiceInfo>): Promise<void> {
    const { body } = await send(service.api, 'getInfo', { token: visitor.token });
    const { page } = visitor;
    await page.unroute('**/v1/info');
    await page.route('**/v1/info', (route) => route.fulfill({ json: { ...body, ...change } }));
  }

  /** Creates a delivery with one attempt. */
  async function post(fields: Partial<DeliveryModel>, agoMs: number, host = 'crm.example.com'): Promise<DeliveryModel> {
    const session = await createSession(assistant, { status: 'completed', metadata: { call_id: 'c-1042' } });
    const { id } = await createDelivery(session);
    await DeliveryModel.query()
      .findById(id)
      .patch({ next_attempt_at: null, created_at: before(agoMs), ...fields });
    const attempt = { delivery_id: id, attempt: 1, url: `https://${host}/hook`, request_headers: {} };
    await DeliveryAttemptModel.open(attempt);
    const failure = fields.status === 'delivered' ? null : ('http_status' as const);
    await DeliveryAttemptModel.close(id, 1, { failure, status_code: failure ? 503 : 200, next_attempt_at: null });
    await DeliveryAttemptModel.query()
      .where({ delivery_id: id })
      .patch({ started_at: before(agoMs) });
    return (await DeliveryModel.query().findById(id))!;
  }

  it('is well without a fault, also while a call that just failed is repeated', async () => {
    await createSession(assistant, {
      status: 'analyzing',
      waiting: {
        provider: 'anthropic',
        reason: 'rate_limited',
        since: new Date().toISOString(),
        next_try_at: new Date(Date.now() + 2_000).toISOString(),
      },
    });
    const page = await open();
    await expectGood(page);
    await expectLocator(page.getByRole('link', { name: '1 session', exact: true })).toBeVisible();
  });

  it('is unknown while the server does not answer, and not well', async () => {
    await createSession(assistant, { status: 'completed' });
    const page = await open();
    await expectGood(page);
    await page.route('**/v1/info', (route) => route.fulfill({ status: 503, json: {} }));
    await page.reload();
    await expectLocator(page.getByText('The state is unknown')).toBeVisible();
    await expectLocator(page.getByText('Nothing needs attention.')).toHaveCount(0);
  });

  it('names a provider that is down, with the sessions that wait and a link to them, until they go on', async () => {
    const wait = {
      provider: 'anthropic',
      reason: 'unavailable',
      since: before(7 * MINUTE_MS).toISOString(),
      next_try_at: new Date(Date.now() + 40_000).toISOString(),
    } as const;
    for (let count = 0; count < 2; count++) await createSession(assistant, { status: 'analyzing', waiting: wait });
    await createSession(assistant, { status: 'analyzing' });
    const page = await open();
    await expectLocator(page.getByText('1 problem needs attention.')).toBeVisible();
    await expectLocator(problemsOf(page)).toHaveText(
      /^Requests to Anthropic have failed since .*: Provider unavailable\. 2 sessions wait\. Next try in 0:\d\dShow sessions$/,
    );
    await page.getByRole('link', { name: 'Show sessions' }).click();
    await expectLocator(page.getByRole('table').getByText('Waiting for Anthropic')).toHaveCount(2);
    await expectLocator(page).toHaveURL(/waiting_for=anthropic/);
    await SessionModel.query().where({ workspace_id: assistant.workspace_id }).patch({ waiting: null });
    await expectLocator(page.getByRole('table').getByText('Waiting for Anthropic')).toHaveCount(0);
    await openWithin(page, '/console/');
    await page.reload();
    await expectGood(page);
  });

  it('names a provider whose calls are paused only if an assistant uses it', async () => {
    await createSession(assistant, { status: 'completed' });
    const down = (provider: 'anthropic' | 'gemini') => ({
      open_circuits: [
        { provider, step: 'analysis' as const, reason: 'unavailable' as const, since: before(HOUR_MS).toISOString() },
      ],
    });
    await withInfo(down('gemini'));
    await expectGood(await open());
    await withInfo(down('anthropic'));
    await expectLocator(problemsOf(await open())).toContainText('Requests are paused');
  });

  it('names a receiver that fails, until its deliveries were sent again and arrived', async () => {
    const failed = await post({ status: 'failed' }, 20 * MINUTE_MS);
    await post({ status: 'delivered' }, 30 * MINUTE_MS);
    const page = await open();
    await expectLocator(problemsOf(page)).toHaveText(
      /^crm\.example\.com has not accepted deliveries since .*: Error response \(HTTP 503\)\. 1 delivery failed and was not sent again\./,
    );
    await expectUsable(page);
    await page.getByRole('link', { name: 'Show deliveries' }).click();
    await expectLocator(page.locator('[data-row-link]')).toHaveCount(1);

    // Another delivery was accepted, but the failed one has not arrived.
    await post({ status: 'delivered' }, 10 * MINUTE_MS);
    await page.goto('/console/');
    await expectLocator(problemsOf(page)).toHaveText(
      /^crm\.example\.com failed until .* and has accepted deliveries since .*\. 1 delivery failed and was not sent again\./,
    );
    await post({ status: 'delivered', replayed_from: failed.id }, 5 * MINUTE_MS);
    await page.reload();
    await expectGood(page);
  });

  it('says nothing of a receiver a day after it accepts again, nor of a test of a webhook', async () => {
    const failed = await post({ status: 'failed' }, 50 * HOUR_MS);
    await post({ status: 'delivered', replayed_from: failed.id }, 49 * HOUR_MS);
    await post({ status: 'failed', event: 'webhook.test' }, HOUR_MS, 'typo.example.com');
    const { page } = visitor;
    await page.goto('/console/?range=7d');
    await expectGood(page);
    await expectLocator(page.getByRole('main').getByText('example.com')).toHaveCount(0);
  });

  it('counts a failed delivery whose redelivery failed once', async () => {
    const failed = await post({ status: 'failed' }, 20 * MINUTE_MS);
    await post({ status: 'failed', replayed_from: failed.id }, 10 * MINUTE_MS);
    await expectLocator(problemsOf(await open())).toContainText('1 delivery failed and was not sent again');
  });

  it('names failed sessions by reason until they are retried or deleted', async () => {
    for (let count = 0; count < 3; count++)
      await createSession(assistant, { status: 'failed', error: NO_KEY, completed_at: before(MINUTE_MS) });
    await createSession(assistant, {
      status: 'failed',
      error: NO_KEY,
      trial: true,
      source_session_id: typeid('sess').toString(),
    });
    const page = await open();
    await expectLocator(problemsOf(page)).toHaveText(
      /^3 sessions failed, last at .*: API key rejected · OpenAI\.Show sessionsRetry …$/,
    );
    await page.getByRole('link', { name: 'Show sessions' }).click();
    await expectLocator(page.getByRole('row')).toHaveCount(4);
    await SessionModel.query().where({ workspace_id: assistant.workspace_id }).delete();
    await openWithin(page, '/console/');
    await page.reload();
    await expectLocator(page.getByText('need attention')).toHaveCount(0);
  });

  it('names a queue that does not move, and stopped workers', async () => {
    const { id } = await createSession(assistant, { queued_at: before(HOUR_MS) });
    await withInfo({ workers: { running: 1, last_seen_at: before(0).toISOString() } });
    await expectLocator(problemsOf(await open())).toContainText('1 session queued, the oldest since');
    await withInfo({ workers: { running: 0, last_seen_at: before(HOUR_MS).toISOString() } });
    await expectLocator(problemsOf(await open())).toHaveText(/^No worker has been running since/);
    await SessionModel.query().deleteById(id);
  });

  it('names storage that is nearly full', async () => {
    const storage = { audio_bytes: 0, text_bytes: 0, disk_bytes: 100 * 2 ** 30, disk_free_bytes: 2 ** 30 };
    await withInfo({ storage });
    await expectLocator(problemsOf(await open())).toContainText('Disk for recordings: 99 GiB of 100 GiB used (99%).');
    await withInfo({ storage: { ...storage, disk_free_bytes: 50 * 2 ** 30 } });
    const full = {
      ...{ code: 'storage_nearly_full', subject: 'recordings', figures: { used_bytes: 950, limit_bytes: 1_000 } },
      ...{ since: null, reason: null, next_try_at: null, providers: [], assistant_ids: [], action: 'Delete sessions.' },
    };
    await visitor.page.route('**/v1/attention*', (route) =>
      route.fulfill({ json: { data: [full], next_cursor: null } }),
    );
    await expectLocator(problemsOf(await open())).toContainText('Recordings: 950');
  });

  it('says what the calls say, and how many reviews are missing to say how often that is right', async () => {
    const reviewed = await createAssistant(assistant.workspace_id, {
      name: 'Quality calls',
      fields: [{ name: 'solved', title: 'Resolved', type: 'boolean', description: 'Is it solved?', evidence: true }],
    });
    for (const solved of [true, true, true, false])
      await createReview(await createAnswered(reviewed, { solved }), {
        answers: { solved: true },
        marks: { solved: { type: 'boolean', title: 'Resolved', mark: solved ? 'right' : 'wrong', quotes: 'none' } },
        day: new Date().toISOString().slice(0, 10),
      });
    const page = await open();
    const calls = page.getByRole('row').filter({ hasText: 'Quality calls' });
    await expectLocator(calls).toContainText('Resolved Yes 75%');
    await expectLocator(calls.getByRole('link', { name: 'Review 26 more' })).toHaveAttribute('href', /\/review\?/);
    await calls.getByRole('link', { name: 'Quality calls' }).click();
    await expectLocator(page).toHaveURL(/results$/);
  });

  it('shows the assistant with failures first, and names deliveries by their calls', async () => {
    const ill = await createAssistant(assistant.workspace_id, { name: 'Complaints' });
    await createAssistant(assistant.workspace_id, { name: 'Idle' });
    await createSession(ill, { status: 'failed', error: NO_KEY });
    const { page } = visitor;
    await page.goto('/console/assistants');
    const first = page.getByRole('row').nth(1);
    await expectLocator(first).toContainText('Complaints');
    await first.getByRole('cell').nth(2).getByRole('link', { name: '1' }).click();
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await post({ status: 'failed' }, MINUTE_MS);
    await openWithin(page, '/console/deliveries');
    await expectLocator(page.getByRole('link', { name: 'c-1042' })).toBeVisible();
  });
});
