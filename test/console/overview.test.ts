import { readFileSync } from 'node:fs';
import { typeid } from 'typeid-js';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { ProviderCallModel } from '../../db/models/provider-call.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { expectAccessible, expectLocator, openWithin } from '../support/browser.ts';
import { openPageOf, visitEachTest } from '../support/console.ts';
import { createAssistant, createCall, createDelivery, createSession } from '../support/factories.ts';

const DAY_MS = 24 * 3_600_000;

const BUDGET_EXCEEDED = {
  code: 'budget_exceeded',
  stage: 'analysis',
  provider: null,
  message: 'Budget',
  retryable: true,
} as const;

describe("The console's overview, usage and shortcuts", () => {
  const { service, visitor } = visitEachTest();

  /** Adds a paid call of today. */
  async function spend(cost_usd: number, fields: Partial<ProviderCallModel> = {}): Promise<void> {
    const owner = { id: typeid('sess').toString(), workspace_id: visitor.user.default_workspace_id };
    await createCall(
      { ...owner, assistant_id: typeid('asst').toString() },
      {
        model: 'gpt-6-luna',
        started_at: new Date(),
        usage: { input_tokens: 1_200, output_tokens: 80 },
        cost_usd,
        ...fields,
      },
    );
  }

  it('moves a time range forward while the page is open', async () => {
    const { page, close } = await openPageOf(service.api, visitor.user);
    // Without a Date header, the page uses the clock of its machine.
    await page.route(/\/api\/(?!v1\/events)/, async (route) => {
      const response = await route.fetch();
      const { date: _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await page.clock.install();
    await page.goto('/console');
    await expectLocator(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
    const asked = page.waitForRequest(
      (request) => Date.parse(new URL(request.url()).searchParams.get('from') ?? '') > Date.now() - 6 * DAY_MS,
    );
    await page.clock.fastForward('47:59:00');
    await page.clock.runFor(1_000);
    expect((await asked).url()).to.include('/v1/stats');
    await close();
  });

  describe('Usage', () => {
    it('shows costs, grouped as in the URL, in a table, and in a chart from three days on', async () => {
      await spend(0.25);
      await spend(0.5, { provider: 'anthropic', model: 'claude-haiku-5-5' });
      const { page } = visitor;
      await page.goto('/console/usage?range=7d');
      await expectLocator(page.getByRole('row', { name: /Total .* \$0.75/ })).toBeVisible();
      await expectLocator(page.getByRole('img', { name: /Cost per day/ })).toHaveCount(0);
      for (const days of [1, 2]) await spend(0.25, { started_at: new Date(Date.now() - days * 86_400_000) });
      await page.reload();
      await expectLocator(page.getByRole('img', { name: /Cost per day, by provider/ })).toBeVisible();
      await expectLocator(page.getByRole('row', { name: /Anthropic .* \$0.50/ })).toBeVisible();
      await page.getByLabel('Group').selectOption('By model');
      await expectLocator(page).toHaveURL(/group=model/);
      await expectLocator(page.getByRole('row', { name: /gpt-6-luna .* \$0.25/ })).toHaveCount(3);
      await expectAccessible(page);
    });

    it('groups costs by a key of the metadata, as the downloaded file does', async () => {
      const assistant = await createAssistant(visitor.user.default_workspace_id);
      for (const [metadata, cost] of [
        [{ customer: 'others' }, 0.25],
        [{ customer: 'Acme' }, 0.5],
        [{}, 1],
      ] as const) {
        const { id } = await createSession(assistant, { status: 'completed', metadata });
        await spend(cost, { session_id: id });
      }
      const { page } = visitor;
      await page.goto('/console/usage');
      await page.getByLabel('Group').selectOption('By customer');
      await expectLocator(page).toHaveURL(/group=metadata\.customer/);
      await expectLocator(page.getByRole('row', { name: /Acme .* \$0.50/ })).toBeVisible();
      await expectLocator(page.getByRole('row', { name: /No value, or deleted .* \$1.00/ })).toBeVisible();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const file = readFileSync(await (await downloading).path(), 'utf8');
      expect(file).to.match(/^\ufeffday,metadata.customer,others,sessions,/);
      expect(file).to.include(`,others,false,1,1,0,1200,80,0.25,true\r\n`);
    });

    it('downloads the rows as a CSV file for spreadsheets that shows formulas instead of running them', async () => {
      await spend(0.25, { model: '=HYPERLINK("http://example.com")' });
      await spend(0.25, { model: '＝1+1;2' });
      const { page } = visitor;
      await page.goto('/console/usage?group=model');
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const file = readFileSync(await (await downloading).path(), 'utf8');
      expect(file).to.match(/^\ufeffday,model,sessions,/);
      expect(file).to.include(`,"'=HYPERLINK(""http://example.com"")",1,1,0,1200,80,0.25,true\r\n`);
      expect(file).to.include(`,"'＝1+1;2",1,1,0,1200,80,0.25,true\r\n`);
    });

    it('sets the budget, and reports when it is reached', async () => {
      await spend(0.75);
      const { page } = visitor;
      await page.goto('/console/usage');
      await page.getByRole('button', { name: 'Set budget' }).click();
      await page.getByLabel('Budget (USD)').fill('0.5');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectLocator(page.getByText('Monthly budget reached')).toBeVisible();
      await expectLocator(page.getByRole('meter', { name: 'Monthly budget' })).toBeVisible();
    });

    it('warns about the budget from 80% on: on the overview, on the page for new conversations, and on failed sessions', async () => {
      const { page, user } = visitor;
      await WorkspaceModel.query().findById(user.default_workspace_id).patch({ monthly_budget_usd: 1 });
      await spend(0.79);
      const notice = page.getByRole('note').filter({ hasText: /budget|spent/ });
      await page.goto('/console/usage');
      await expectLocator(page.getByText('79% of $1.00 spent this month.')).toBeVisible();
      // The warning uses the same cached amount.
      await page.getByRole('link', { name: 'New conversation' }).first().click();
      await expectLocator(page.getByRole('button', { name: 'Create assistant' })).toBeVisible();
      await expectLocator(notice).toHaveCount(0);

      await spend(0.01);
      const assistant = await createAssistant(user.default_workspace_id);
      for (const path of ['/console/start', `/console/batches/new?assistant_id=${assistant.id}`]) {
        await page.goto(path);
        await expectLocator(notice).toContainText('80% of $1.00 spent this month.');
      }
      await page.goto('/console/');
      await expectLocator(page.getByRole('list', { name: 'Problems' })).toHaveText(
        '80% of $1.00 spent this month.Raise budget',
      );
      await spend(0.2);
      const { id } = await createSession(assistant, { status: 'failed', error: BUDGET_EXCEEDED });
      await page.goto(`/console/sessions/${id}`);
      await expectLocator(page.getByRole('alert')).toHaveText(
        /^Analysis failed. Monthly budget reached. Raise budget$/,
      );
      await page.getByRole('alert').getByRole('button', { name: 'Raise budget' }).click();
      await page.getByLabel('Budget (USD)').fill('2');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectLocator(page.getByText('Saved.')).toBeVisible();
      await page.goto('/console/start');
      await expectLocator(page.getByRole('button', { name: 'Analyze' })).toBeVisible();
      await expectLocator(notice).toHaveCount(0);
    });
  });

  /** Creates a failed session with a pending delivery. */
  async function fail(): Promise<void> {
    const assistant = await createAssistant(visitor.user.default_workspace_id, { name: 'Complaints' });
    const session = await createSession(assistant, { status: 'failed', completed_at: new Date() });
    await createDelivery(session);
  }

  it('counts sessions and deliveries, and links each number to its rows', async () => {
    await fail();
    const { page } = visitor;
    await page.goto('/console/');
    await expectLocator(page.getByRole('link', { name: '1 not delivered yet' })).toBeVisible();
    await expectLocator(page.getByRole('link', { name: / delivered$/ })).toHaveCount(0);
    await page.getByLabel('Time', { exact: true }).selectOption('Last 30 days');
    await expectLocator(page).toHaveURL(/range=30d/);
    await page.getByRole('link', { name: '1 failed' }).click();
    await expectLocator(page).toHaveURL(/\/sessions\?(status=failed&range=30d|range=30d&status=failed)$/);
  });

  it('shows sessions and cost by day from three days on, without reanalyses and trials', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const startedAt = Date.now();
    const add = async (daysAgo: number, fields: Partial<SessionModel> = {}) => {
      const created_at = new Date(startedAt - daysAgo * DAY_MS);
      const times = { created_at, queued_at: created_at, completed_at: new Date(+created_at + 2_000) };
      const session = await createSession(assistant, { status: 'completed', ...times, ...fields });
      await createCall(session, { started_at: created_at, ended_at: created_at, cost_usd: 0.5 });
    };
    for (let count = 0; count < 3; count++) await add(1);
    await add(1, { status: 'failed', trial: true });
    await add(1, { source_session_id: typeid('sess').toString() });
    await add(3);
    const chart = page.getByRole('img', { name: 'Sessions' });
    await page.goto('/console/');
    await expectLocator(page.getByRole('link', { name: '4 sessions' })).toBeVisible();
    await expectLocator(chart).toHaveCount(0);
    await add(4);
    await page.reload();
    await expectLocator(page.getByRole('link', { name: '5 sessions' })).toBeVisible();
    await expectLocator(page.getByRole('link', { name: '$2.50 spent' })).toHaveAttribute('href', /\/usage\?range=7d$/);
    await chart.focus();
    for (let day = 0; day < 8; day++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await expectLocator(page.getByText(/Sessions: 3$/)).toBeVisible();
    // A touch reports no pointer that enters: the first one shows the amounts, the second one opens the sessions.
    const bar = chart.locator('[data-link]').nth(3);
    await bar.dispatchEvent('click');
    await expectLocator(page.getByText(/Sessions: 3$/)).toHaveCount(0);
    await expectLocator(page).toHaveURL(/console\/$/);
    await bar.dispatchEvent('click');
    await expectLocator(page).toHaveURL(/sessions\?created_after=/);
    await page.goBack();
    await expectAccessible(page);
  });

  it('lists the recent sessions and deliveries of an assistant, and shows the price of the model in its form', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id, { name: 'Complaints' });
    const session = await createSession(assistant, { status: 'completed', completed_at: new Date() });
    const delivery = await createDelivery(session);
    await DeliveryModel.query().findById(delivery.id).patch({ status: 'failed' });
    await createDelivery(session);
    await page.goto('/console/assistants');
    const row = page.getByRole('row').filter({ hasText: 'Complaints' });
    await expectLocator(row.getByRole('cell').nth(1)).toHaveText('1');
    await row.getByRole('link', { name: '2 of 2' }).click();
    await expectLocator(page).toHaveURL(new RegExp(`assistant_id=${assistant.id}`));

    await openWithin(page, '/console/assistants/new');
    await page.getByLabel('Provider', { exact: true }).selectOption('anthropic');
    const model = page.getByLabel('Model (optional)');
    await expectLocator(model).toHaveAccessibleDescription(
      '$0.10 per million input tokens, $0.50 per million output tokens.',
    );
    await model.fill('nobody-has-a-price');
    await expectLocator(model).toHaveAccessibleDescription('Price unknown.');
    await expectAccessible(page);
  });

  it('shows on the System page whether the service is ready, and the providers', async () => {
    const { page } = visitor;
    // The Temporal server of the tests may still list a worker that has stopped.
    await page.route('/readyz', (route) =>
      route.fulfill({ status: 503, json: { status: 'not ready', problems: ['no worker is running'] } }),
    );
    // Its former address.
    await page.goto('/console/system');
    await expectLocator(page).toHaveURL(/\/settings\/system$/);
    await expectLocator(page.getByText('Not ready: no worker is running')).toBeVisible();
    await page.unroute('/readyz');
    await page.route('/readyz', (route) =>
      route.fulfill({ json: { status: 'ready', free_bytes: { recordings: 3 * 2 ** 30, database: null } } }),
    );
    await page.reload();
    await expectLocator(page.getByText('Ready', { exact: true })).toBeVisible();
    await expectLocator(page.getByText('3 GiB', { exact: true })).toBeVisible();
    await expectLocator(page.getByText('Free space of the database')).toHaveCount(0);
    await expectLocator(page.getByText('Anthropic · Analysis')).toBeVisible();
    await expectLocator(page.getByRole('link', { name: '0 queued' })).toBeVisible();
  });

  it('The shortcuts work beside a toast, but not in a field or after they are turned off', async () => {
    const { page } = visitor;
    await page.goto('/console/settings/system');
    await expectLocator(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    await page.keyboard.press('?');
    await expectLocator(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expectLocator(page.getByRole('dialog')).toHaveCount(0);

    const saved = Promise.withResolvers<void>();
    // The toast appears late, because the list of toasts loads last.
    await page.route(/\/toast-list-[^/]+\.js$/, async (route) => {
      await saved.promise;
      await route.continue();
    });
    await openWithin(page, '/console/settings/account');
    const saving = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    await saving;
    saved.resolve();
    await expectLocator(page.getByText('Saved.')).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    await page.goBack();
    await page.getByLabel('Name').pressSequentially('?gu');
    await expectLocator(page.getByLabel('Name')).toHaveValue(/\?gu/);
    await page.getByLabel('Keyboard shortcuts').uncheck();
    await page.getByLabel('Keyboard shortcuts').blur();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    // Shortcuts with ⌘ or Ctrl stay on, because they are not pressed by mistake.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('system');
    await page.getByRole('option', { name: /System Page/ }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expectLocator(page).toHaveURL(/\/system$/);
    await page.goBack();
    await expectLocator(page).toHaveURL(/\/settings\/account$/);
  });
});
