import { AssistantModel } from '../../db/models/assistant.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectFitsPhone, expectLocator, openWithin } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAnswered, sessionIdAt } from '../support/factories.ts';
import { addAssistant } from '../support/started-service.ts';

const FIELDS = [
  { name: 'resolved', type: 'boolean', description: 'Was the problem solved?' },
  { name: 'score', type: 'integer', description: 'Satisfaction of the client, from 1 to 10.' },
  { name: 'reason', type: 'enum', description: 'Why did they call?', options: ['billing', 'delivery', 'other'] },
  { name: 'products', type: 'string_list', description: 'Every product named.', evidence: false },
];

const DAY_MS = 86_400_000;

describe("The console's results page", () => {
  const { service, visitor } = visitEachTest();
  let id: string;
  beforeEach(async () => {
    ({ id } = await addAssistant(service.api, visitor.token, { fields: FIELDS }));
  });

  /** Creates twelve sessions over six days with two versions, and a reanalysis. */
  async function answer(): Promise<void> {
    const assistant = await AssistantModel.query().findById(id).throwIfNotFound();
    for (let index = 0; index < 12; index++) {
      const created_at = new Date(Date.now() - (index % 6) * DAY_MS);
      const values = {
        resolved: index % 3 === 0 ? null : index % 2 === 0,
        score: 1 + (index % 4) * 3,
        reason: index % 4 === 0 ? 'delivery' : 'billing',
        products:
          index % 2 === 0 ? ['coffee machine', `A very long name of a product, number ${index}, `.repeat(4)] : null,
      };
      const metadata = { call_id: `call-${index}` };
      const more = { metadata, assistant_version: 1 + (index % 2), unverified: index === 5 ? ['score'] : [] };
      await createAnswered(assistant, values, { id: sessionIdAt(created_at), created_at, ...more });
    }
    await createAnswered(assistant, { score: 1, reason: 'delivery' }, { source_session_id: sessionIdAt(new Date()) });
  }

  it('counts each field, leads to its sessions with all conditions, and removes conditions', async () => {
    await answer();
    const { page } = visitor;
    await page.goto(`/console/assistants/${id}`);
    await page.getByRole('main').getByRole('link', { name: 'Results' }).click();
    const shown = (count: number) =>
      page.getByRole('link', { name: count === 1 ? 'Show this session' : `Show these ${count} sessions` });
    await expectLocator(shown(12)).toBeVisible();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectFitsPhone(page);
    await expectAccessible(page);

    const reasons = page.getByRole('list', { name: 'Answers to reason' });
    await expectLocator(reasons.getByRole('link', { name: 'delivery' })).toContainText('3 25%');
    await reasons.getByRole('link', { name: 'delivery' }).click();
    await expectLocator(shown(3)).toBeVisible();
    await page.getByRole('list', { name: 'Answers to score' }).getByRole('link').first().click();
    await expectLocator(page.getByRole('list', { name: 'Filters' })).toHaveText(/reason = delivery.*score = 1/);
    await shown(3).click();
    await expectLocator(page.locator('tbody tr')).toHaveCount(3);
    await expectLocator(page.getByRole('list', { name: 'Filters' })).toHaveText(/reason = delivery.*score = 1/);
    await page.goBack();
    await page.getByRole('button', { name: 'Remove: reason = delivery' }).click();
    await page.getByRole('button', { name: 'Remove: score = 1' }).click();
    await expectLocator(shown(12)).toBeVisible();
    await page.getByRole('region', { name: 'resolved by Version' }).getByRole('link', { name: 'Version 2' }).click();
    await expectLocator(shown(6)).toBeVisible();
    await page.getByRole('button', { name: 'Remove: Version: 2' }).click();
    await page.getByRole('link', { name: 'Without a quote: 1' }).click();
    await expectLocator(shown(1)).toBeVisible();
  });

  it('compares agents: values and accuracy with ranges, their sessions, and a file', async () => {
    const assistant = await AssistantModel.query().findById(id).throwIfNotFound();
    const { token } = visitor;
    for (let index = 0; index < 4; index++) {
      const metadata = { agent: index < 3 ? 'Eve' : 'Bob' };
      const session = await createAnswered(assistant, { resolved: index > 0 }, { metadata });
      const body = { answers: { resolved: true }, sampled: true };
      await send(service.api, 'putSessionReview', { token, params: { id: session.id }, body });
    }
    await createAnswered(assistant, { resolved: true });
    const { page } = visitor;
    await page.goto(`/console/assistants/${id}/results`);
    const table = page.getByRole('region', { name: 'resolved by agent' });
    // 2 of 3 say yes, and 2 of 3 are right.
    const share = '267% (21–94)';
    const [all, none] = ['1100% (21–100)', '00% (0–79)'];
    await expectLocator(table.getByRole('row')).toHaveText([
      'agentSessionsYesNoRight',
      `Eve3${share}133% (6–79)2 of 3`,
      `Bob1${all}${none}1 of 1`,
      `No value, or deleted1${all}${none}–`,
    ]);
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export …' }).click();
    await page.getByRole('link', { name: 'Counts and accuracy as CSV' }).click();
    expect((await download).suggestedFilename()).to.match(/^results-.*\.csv$/);
    await page.keyboard.press('Escape');
    await table.getByRole('row', { name: 'Eve' }).getByRole('cell').nth(2).getByRole('link').click();
    await expectLocator(page.getByRole('list', { name: 'Filters' })).toHaveText(/agent: Eve.*resolved = Yes/);
    await expectLocator(page.getByRole('region', { name: 'Sessions' }).getByRole('row')).toHaveCount(3);
    await page.goBack();
    await page.getByLabel('Answers', { exact: true }).selectOption('With corrections');
    await expectLocator(table.getByRole('row', { name: 'Eve' })).toContainText(
      `Eve3${all.replace('1', '3').replace('21', '44')}`,
    );
    await table.getByRole('row', { name: 'Eve' }).getByRole('cell').nth(2).getByRole('link').click();
    await expectLocator(page.getByRole('list', { name: 'Filters' })).toHaveText(/Answers: With corrections/);
    await expectLocator(page.getByRole('region', { name: 'Sessions' }).getByRole('row')).toHaveCount(4);
    await openWithin(page, `/console/assistants/${id}/results?by=metadata.team`);
    await expectLocator(page.getByLabel('by', { exact: true })).toHaveValue('metadata.agent');
    await expectLocator(page.getByRole('link', { name: 'Show these 5 sessions' })).toBeVisible();
  });

  it('shows the fields of the chosen assistant as columns of the sessions', async () => {
    await answer();
    const { page } = visitor;
    await page.goto(`/console/sessions?assistant_id=${id}`);
    const table = page.getByRole('region', { name: 'Sessions' });
    await expectLocator(table.getByRole('row')).toHaveCount(13);
    await expectLocator(table.getByRole('columnheader')).toHaveText([
      '',
      'Time',
      'call_id',
      'Summary',
      'resolved',
      'score',
    ]);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('reason', { exact: true }).check();
    await page.keyboard.press('Escape');
    await expectLocator(table.getByRole('columnheader', { name: 'reason' })).toBeVisible();
    await expectLocator(table.getByText('delivery', { exact: true })).toHaveCount(3);
    await expectAccessible(page);
    // The choice is kept, and lists of several assistants have no such column.
    await page.goto(`/console/sessions?assistant_id=${id}`);
    await expectLocator(table.getByText('delivery', { exact: true })).toHaveCount(3);
    await openWithin(page, '/console/sessions');
    await expectLocator(table.getByRole('row')).toHaveCount(13);
    await expectLocator(table.getByRole('columnheader', { name: 'reason' })).toHaveCount(0);
  });

  it('explains an empty page', async () => {
    const { page } = visitor;
    await page.goto(`/console/assistants/${id}/results`);
    await expectLocator(page.getByText('No results in this period')).toBeVisible();
    await openWithin(page, `/console/assistants/${id}/results?field=score:gte:99`);
    await expectLocator(page.getByText('No matches')).toBeVisible();
    await openWithin(page, `/console/assistants/${id}/results?field=mood:null`);
    await expectLocator(page.getByText('Some values are not valid')).toBeVisible();
    await AssistantModel.query().patch({ fields: null }).where({ id });
    await page.goto(`/console/assistants/${id}/results`);
    await expectLocator(page.getByText('No questions yet')).toBeVisible();
  });

  it('has conditions that also filter the list of sessions', async () => {
    await answer();
    const { page } = visitor;
    await page.goto(
      `/console/sessions?assistant_id=${id}&field=score:gte:4&field=reason:eq:billing&assistant_version=2`,
    );
    const rows = page.getByRole('region', { name: 'Sessions' }).getByRole('row');
    await expectLocator(rows).toHaveCount(7);
    await page.getByRole('button', { name: 'Remove: Version: 2' }).click();
    await expectLocator(rows).toHaveCount(10);
    await page.getByRole('button', { name: 'Remove: reason = billing' }).click();
    await expectLocator(page.getByRole('list', { name: 'Filters' })).toHaveText('score ≥ 4');
    await page.getByLabel('Assistant', { exact: true }).selectOption('All assistants');
    await expectLocator(rows).toHaveCount(13);
  });
});
