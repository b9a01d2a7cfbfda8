import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { typeid } from 'typeid-js';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { expectAccessible, expectLocator, expectNoSidewaysScroll } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAssistant, createDelivery, createSession } from '../support/factories.ts';

const NARROW = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 800 };

describe("The console's overview, usage and shortcuts", () => {
  const { visitor } = visitEachTest();

  /** One paid call of the visitor's, today. */
  async function spend(cost_usd: number, fields: Partial<VendorCallModel> = {}): Promise<void> {
    await VendorCallModel.query().insert({
      session_id: typeid('sess').toString(),
      step: 'analysis',
      attempt: 1,
      user_id: visitor.user.id,
      assistant_id: typeid('asst').toString(),
      provider: 'openai',
      model: 'gpt-6-luna',
      status: 'succeeded',
      started_at: new Date(),
      usage: { input_tokens: 1_200, output_tokens: 80 },
      cost_usd,
      ...fields,
    });
  }

  describe('Usage', () => {
    it('shows what was spent, by what the URL says, as a chart and as a table', async () => {
      await spend(0.25);
      await spend(0.5, { provider: 'anthropic', model: 'claude-haiku-5-5' });
      const { page } = visitor;
      await page.goto('/console/usage');
      await expectLocator(page.getByRole('img', { name: /Cost per day, by provider/ })).toBeVisible();
      await expectLocator(page.getByRole('row', { name: /anthropic .* \$0.50/ })).toBeVisible();
      await page.getByLabel('Group').selectOption('By model');
      await expectLocator(page).toHaveURL(/group=model/);
      await expectLocator(page.getByRole('row', { name: /gpt-6-luna .* \$0.25/ })).toBeVisible();
      expect(visitor.faults).to.deep.equal([]);
    });

    it('gives the rows as a file in which a name that looks like a formula is text', async () => {
      await spend(0.25, { model: '=HYPERLINK("http://example.com")' });
      const { page } = visitor;
      await page.goto('/console/usage?group=model');
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const file = readFileSync(await (await downloading).path(), 'utf8');
      expect(file).to.match(/^day,model,sessions,/);
      expect(file).to.include(`,"'=HYPERLINK(""http://example.com"")",1,1,0,1200,80,0.25,true\r\n`);
    });

    it('sets the budget, and says when it is spent', async () => {
      await spend(0.75);
      const { page } = visitor;
      await page.goto('/console/usage');
      await page.getByRole('button', { name: 'Set budget' }).click();
      await page.getByLabel('Budget in US dollars').fill('0.5');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectLocator(page.getByText('The budget is spent')).toBeVisible();
      await expectLocator(page.getByRole('meter', { name: 'This month' })).toBeVisible();
    });
  });

  /** A session that failed, and a delivery of it that waits. */
  async function fail(): Promise<{ sessionId: string }> {
    const assistant = await createAssistant(visitor.user.id, { name: 'Complaints' });
    const session = await createSession(assistant, { status: 'failed', completed_at: new Date() });
    await createDelivery(session);
    return { sessionId: session.id };
  }

  describe('The overview', () => {
    it('counts what happened, and leads from each number to its rows', async () => {
      await fail();
      const { page } = visitor;
      await page.goto('/console/');
      await expectLocator(page.getByRole('link', { name: 'Pending deliveries: 1' })).toBeVisible();
      await expectLocator(page.getByRole('row', { name: /Complaints/ })).toBeVisible();
      await page.getByLabel('Time', { exact: true }).selectOption('Last 7 days');
      await expectLocator(page).toHaveURL(/range=7d/);
      await page.getByRole('link', { name: 'Failed sessions: 1' }).first().click();
      await expectLocator(page).toHaveURL(/\/sessions\?(status=failed&range=7d|range=7d&status=failed)$/);
      expect(visitor.faults).to.deep.equal([]);
    });

    it('leads who has nothing yet to the first conversation', async () => {
      const { page } = visitor;
      await page.goto('/console/');
      await page.getByRole('main').getByRole('link', { name: 'New conversation' }).click();
      await expectLocator(page).toHaveURL(/\/start$/);
    });
  });

  it('says on its card what an assistant did in the last days, and in its form what its model costs', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.id, { name: 'Complaints' });
    const session = await createSession(assistant, { status: 'completed', completed_at: new Date() });
    const delivery = await createDelivery(session);
    await DeliveryModel.query().findById(delivery.id).patch({ status: 'failed' });
    await spend(0.25, { assistant_id: assistant.id });
    await page.goto('/console/assistants');
    const card = page.getByRole('article').filter({ hasText: 'Complaints' });
    await expectLocator(card).toContainText('1 session, $0.25');
    await card.getByRole('link', { name: '1 of 1 failed' }).click();
    await expectLocator(page).toHaveURL(new RegExp(`assistant_id=${assistant.id}`));

    await page.goto('/console/assistants/new');
    await page.getByLabel('Model provider').selectOption('anthropic');
    const model = page.getByLabel('Model (optional)');
    await expectLocator(model).toHaveAccessibleDescription('$0.10 a million tokens in, $0.50 out.');
    await model.fill('nobody-has-a-price');
    await expectLocator(model).toHaveAccessibleDescription('What it costs is not known.');
    await expectAccessible(page);
    expect(visitor.faults).to.deep.equal([]);
  });

  it('says on the page of the system whether the service is ready, and what it knows of the vendors', async () => {
    const { page } = visitor;
    // Whether the Temporal server of the tests still counts a worker that has ended is its own affair.
    await page.route('/readyz', (route) =>
      route.fulfill({ status: 503, json: { status: 'not ready', problems: ['no worker is running'] } }),
    );
    await page.goto('/console/system');
    await expectLocator(page.getByText('Not ready: no worker is running')).toBeVisible();
    await page.unroute('/readyz');
    await page.route('/readyz', (route) => route.fulfill({ json: { status: 'ready' } }));
    await page.reload();
    await expectLocator(page.getByText('Ready', { exact: true })).toBeVisible();
    await expectLocator(page.getByRole('row', { name: /^Anthropic .+ Analysis claude-haiku/ })).toBeVisible();
    await expectLocator(page.getByRole('link', { name: '0 sessions wait' })).toBeVisible();
    expect(visitor.faults).to.deep.equal([]);
  });

  describe('The palette and the shortcuts', () => {
    it('opens a pasted id, and pages by their names', async () => {
      const { sessionId } = await fail();
      const { page } = visitor;
      await page.goto('/console/usage');
      await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Go to' }).fill(`see ${sessionId}`);
      await expectLocator(page.getByRole('option', { name: `Open ${sessionId}` })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await expectLocator(page).toHaveURL(new RegExp(`/sessions/${sessionId}$`));

      await page.getByRole('button', { name: 'Go to …' }).click();
      await page.getByRole('combobox', { name: 'Go to' }).fill('compl');
      await page.getByRole('option', { name: /Complaints/ }).click();
      await expectLocator(page).toHaveURL(/\/assistants\/asst_/);
      expect(visitor.faults).to.deep.equal([]);
    });

    it('goes by keys, never from inside a field, and not once they are switched off', async () => {
      const { page } = visitor;
      await page.goto('/console/system');
      await expectLocator(page.getByRole('heading', { name: 'System', level: 1 })).toBeVisible();
      await page.keyboard.press('g');
      await page.keyboard.press('u');
      await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
      await page.keyboard.press('?');
      await expectLocator(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expectLocator(page.getByRole('dialog')).toHaveCount(0);

      await page.goto('/console/settings/account');
      await page.getByLabel('Name').pressSequentially('?gu');
      await expectLocator(page.getByLabel('Name')).toHaveValue(/\?gu/);
      await page.getByLabel('Keyboard shortcuts').uncheck();
      await page.getByLabel('Keyboard shortcuts').blur();
      await page.keyboard.press('g');
      await page.keyboard.press('u');
      // Keys with ⌘ or Ctrl are nobody's slip: they stay.
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Go to' }).fill('system');
      await page.getByRole('option', { name: /System Page/ }).click();
      await expectLocator(page).toHaveURL(/\/system$/);
      await page.goBack();
      await expectLocator(page).toHaveURL(/\/settings\/account$/);
    });

    it('copies the call of this view with the reader’s own token, never the login', async () => {
      const { page } = visitor;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto('/console/usage?range=7d');
      await expectLocator(page.getByRole('button', { name: 'Copy as cURL' })).toBeVisible();
      await page.keyboard.press('c');
      await expectLocator(page.getByRole('button', { name: 'Copied' })).toBeVisible();
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).to.match(/^curl -s "\$API\/v1\/usage\?from=.*" -H "Authorization: Bearer \$TOKEN"$/);
    });
  });

  it('is open to everyone in both themes, wide and narrow', async function () {
    this.timeout(60_000);
    await spend(0.25);
    await spend(0.5, { provider: 'anthropic', model: null });
    await fail();
    const { page } = visitor;
    const pages = {
      '/console/usage': page.getByRole('img', { name: /Cost per day/ }),
      '/console/': page.getByRole('row', { name: /Complaints/ }),
      '/console/system': page.getByRole('row', { name: /claude-haiku/ }),
    };
    for (const [path, content] of Object.entries(pages)) {
      await page.goto(path);
      await expectLocator(content).toBeVisible();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(WIDE);
        await expectAccessible(page);
        await page.setViewportSize(NARROW);
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
      }
      await page.setViewportSize(WIDE);
    }
    expect(visitor.faults).to.deep.equal([]);
  });
});
