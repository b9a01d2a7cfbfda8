import { expectAccessible, expectLocator, openWithin } from '../support/browser.ts';
import { submitText, visitEachTest } from '../support/console.ts';
import { createAssistant, createSession } from '../support/factories.ts';

describe("The filters of the console's lists", () => {
  const { service, visitor } = visitEachTest();

  const submit = (text: string) => submitText(service, visitor, text);

  /** Sets a filter of the panel "More". */
  async function choose(label: string, option: string): Promise<void> {
    const { page } = visitor;
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const select = page.getByLabel(label, { exact: true });
    if (!(await select.isVisible())) await page.getByText('Rarely used').click();
    await select.selectOption(option);
    await page.keyboard.press('Escape');
  }

  const chips = () => visitor.page.getByRole('list', { name: 'Filters' }).getByRole('listitem');

  it('keeps its filters in the URL after a reload, after going back, and in the CSV link', async () => {
    await submit('A lost umbrella.');
    const { page } = visitor;
    await page.goto('/console/sessions');
    await choose('Status', 'failed');
    await expectLocator(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
    await page.reload();
    await expectLocator(chips()).toHaveText(['Status: Failed']);
    await page.goBack();
    await expectLocator(chips()).toHaveCount(0);
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('searchbox').fill('umbrella');
    await expectLocator(page).toHaveURL(/\?q=umbrella$/);
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('button', { name: 'Export …' }).click();
    await expectLocator(page.getByRole('link', { name: 'Sessions as CSV' })).toHaveAttribute(
      'href',
      /q=umbrella&reanalysis=false&format=csv&timezone=UTC&delimiter=comma$/,
    );
  });

  it('updates its search field when filters are cleared, and after links and the palette', async () => {
    await submit('A lost umbrella.');
    const { page } = visitor;
    await page.goto('/console/sessions');
    const field = page.getByRole('searchbox');
    await field.fill('xylophone');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await expectLocator(field).toHaveValue('');
    // The search field changes the URL after 350 ms, so a search by the palette within this time could be lost.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('umbrella');
    await page.getByRole('option', { name: 'Search conversations for' }).click();
    await expectLocator(field).toHaveValue('umbrella');
    await expectLocator(page).toHaveURL(/\?q=umbrella$/);
    await page.getByRole('link', { name: 'Sessions & Logs' }).click();
    await expectLocator(field).toHaveValue('');
    await field.fill('parcel');
    await expectLocator(page).toHaveURL(/\?q=parcel$/);
  });

  it('filters by several metadata pairs, by model and by live data', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    await createSession(assistant, { metadata: { team: 'north', note: 'one, two', agent: 'Dana Reed' } });
    await page.goto('/console/sessions?metadata=call_id%3Dc-1');
    await page.getByRole('button', { name: 'agent', exact: true }).click();
    await page.getByRole('button', { name: 'note' }).click();
    await expectLocator(page.getByRole('list', { name: 'note' })).toBeEmpty();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove: call_id: c-1' }).click();
    await page.getByRole('button', { name: 'agent', exact: true }).click();
    for (const [key, value] of [
      ['note', 'one, two'],
      ['team', 'north'],
    ] as const) {
      await page.getByRole('button', { name: key, exact: true }).click();
      await page.getByRole('list', { name: key }).getByRole('button', { name: value }).click();
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByText('Rarely used').click();
    await page.getByLabel('Model', { exact: true }).fill('gpt-6-luna');
    await page.keyboard.press('Enter');
    await page.getByLabel('Simulated', { exact: true }).selectOption('No');
    await expectLocator(page).toHaveURL(/simulated=false/);
    await page.keyboard.press('Escape');
    await expectLocator(chips()).toHaveText(['note: one, two', 'team: north', 'Model: gpt-6-luna', 'Simulated: No']);
    await page.getByRole('button', { name: 'Export …' }).click();
    const href = (await page.getByRole('link', { name: 'Sessions as CSV' }).getAttribute('href')) ?? '';
    expect(Object.fromEntries(new URL(href, service.api.url).searchParams)).to.include({
      'metadata.note': 'one, two',
      'metadata.team': 'north',
      llm_model: 'gpt-6-luna',
      simulated: 'false',
    });
  });

  it('filters failed sessions by their error, also for a bulk action', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const error = { stage: 'analysis', provider: 'openai', message: 'Failed', retryable: true } as const;
    for (const code of ['auth', 'unavailable', 'unavailable'] as const)
      await createSession(assistant, { status: 'failed', error: { ...error, code } });
    await page.goto('/console/sessions');
    await choose('Failure', 'Provider unavailable');
    await expectLocator(page.getByText('2 sessions', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('link', { name: 'Retry' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Failure: Provider unavailable' })).toBeVisible();
    await expectLocator(page.getByRole('status').getByRole('definition').first()).toHaveText('2');
  });

  it('filters by a custom range; an incomplete time changes nothing', async () => {
    const { page } = visitor;
    await page.goto('/console/sessions?range=24h');
    await page.getByLabel('Time', { exact: true }).selectOption('Custom range');
    await expectLocator(page).toHaveURL(/sessions\?created_after=[^&]+$/);
    await expectLocator(page.getByLabel('From')).toHaveValue(/^20/);
    await page.getByLabel('From').fill('2026-01-31T10:30');
    await page.getByLabel('To').fill('2026-02-01T00:00');
    await page.keyboard.press('Enter');
    const times = /created_after=2026-01-31T10%3A30%3A00.000Z&created_before=2026-02-01T00%3A00%3A00.000Z$/;
    await expectLocator(page).toHaveURL(times);
    await expectLocator(page.getByRole('search', { name: 'Filters' })).toContainText('UTC');
    await expectAccessible(page);
    await page.getByLabel('To').press('Delete');
    await page.keyboard.press('Enter');
    await expectLocator(page).toHaveURL(times);
    await page.getByLabel('From').fill('');
    await page.getByLabel('To').focus();
    await expectLocator(page).toHaveURL(/sessions\?created_before=[^&]+$/);
    await page.getByLabel('Time', { exact: true }).selectOption('Last hour');
    await expectLocator(page).toHaveURL(/sessions\?range=1h$/);
    await expectLocator(page.getByLabel('From')).toHaveCount(0);
  });

  it('shows each filter as a chip that removes it', async () => {
    await submit('Hello.');
    const { page } = visitor;
    await page.goto('/console/sessions?status=failed&delivery_status=failed&batch_id=bat_01m83fcv9we8qtjeyg1dctbgsn');
    await expectLocator(chips()).toHaveText([
      'Status: Failed',
      'Delivery: Failed',
      'Batch: bat_01m83fcv9we8qtjeyg1dctbgsn',
    ]);
    await page.getByRole('button', { name: 'Remove: Delivery: Failed' }).click();
    await expectLocator(page).toHaveURL(/\?status=failed&batch_id=/);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expectLocator(page).toHaveURL(/\/console\/sessions$/);
    await expectLocator(page.getByRole('row')).toHaveCount(2);
  });

  it('opens the addresses of former lists with each of their conditions and columns', async () => {
    const { page } = visitor;
    const conditions = {
      status: 'failed',
      waiting_for: 'openai',
      error_code: 'auth',
      type: 'voice',
      delivery_status: 'pending',
      metadata: 'call_id=c-1, note=one, two',
      llm_model: 'gpt-6-luna',
      simulated: 'false',
      trial: 'true',
      reanalysis: 'any',
      review: 'sampled',
      min_cost: '0.05',
    };
    await page.goto(`/console/sessions?${String(new URLSearchParams(conditions))}&range=30d&columns=status`);
    await expectLocator(chips()).toHaveText([
      'Status: Failed',
      'Waiting for: OpenAI',
      'Failure: API key rejected',
      'Type: Voice',
      'Delivery: Pending',
      'call_id: c-1',
      'note: one, two',
      'Model: gpt-6-luna',
      'Simulated: No',
      'Trial: Yes',
      'Reanalyses: Shown',
      /^Review: /,
      'Minimum cost (USD): 0.05',
    ]);
    await expectLocator(page.getByLabel('Time', { exact: true })).toHaveValue('30d');
    await openWithin(page, '/console/deliveries?status=stopped&failure=tls&event=session.failed&range=24h');
    await expectLocator(chips()).toHaveCount(3);
    await openWithin(page, '/console/usage?range=90d&group=model');
    await expectLocator(page.getByLabel('Time', { exact: true })).toHaveValue('90d');
    await expectLocator(page.getByLabel('Group')).toHaveValue('model');
  });

  it('counts the matches, hides reanalyses and trials by default, and marks them', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id);
    const { id } = await createSession(assistant, { status: 'failed' });
    await createSession(assistant, { source_session_id: id });
    await createSession(assistant, { source_session_id: id, trial: true });
    await page.goto('/console/sessions');
    await expectLocator(page.getByText('1 session', { exact: true })).toBeVisible();
    await expectLocator(page.getByRole('row')).toHaveCount(2);
    await choose('Reanalyses', 'Shown');
    await expectLocator(page.getByText('3 sessions', { exact: true })).toBeVisible();
    await expectLocator(page.getByRole('row').nth(1)).toContainText('trial');
    await expectLocator(page.getByRole('row').nth(2)).toContainText('reanalysis');
    await openWithin(page, `/console/sessions?source_session_id=${id}`);
    await expectLocator(page.getByText('2 sessions', { exact: true })).toBeVisible();
    await openWithin(page, '/console/deliveries');
    await expectLocator(page.getByText('0 deliveries', { exact: true })).toBeVisible();
  });
});
