import { send } from '../support/api.ts';
import { expectLocator, expectUsable } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { addAssistant } from '../support/started-service.ts';

const QUESTIONS = [
  { name: 'resolved', title: 'Solved', type: 'boolean', description: 'Was it?' },
  { name: 'reason', type: 'enum', description: 'Why?', options: ['billing', 'other'], evidence: false },
  { name: 'waits', type: 'integer', description: 'How often did they wait?', evidence: false },
];
const QUALITY = {
  name: 'quality',
  title: 'Quality',
  type: 'score',
  description: 'How good?',
  of: [
    { field: 'resolved', points: { true: 60 } },
    { field: 'reason', points: { billing: 10, other: 30 } },
    { field: 'waits', points: { '0': 10, '2': 0 } },
  ],
  pass: 70,
};

describe("The console's scores", () => {
  const { service, visitor } = visitEachTest();

  it('get points in the form, which says which score needs a removed question', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token, { fields: QUESTIONS });
    await page.goto(`/console/assistants/${id}`);
    await page.getByRole('button', { name: 'Add question' }).click();
    const rows = page.getByRole('group', { name: 'Questions' }).locator('ol > li');
    const added = rows.nth(3);
    await added.getByLabel('Name').fill('Quality');
    await added.getByRole('textbox', { name: 'Question' }).fill('How good?');
    await added.getByLabel('Type').selectOption('score');
    await added.getByLabel('Solved').fill('true 60');
    await added.getByLabel('reason', { exact: true }).fill('other = 30\nbilling=10');
    await added.getByLabel('waits').fill('0 = 10\n2 = 0');
    await added.getByLabel('Passes from').fill('70');
    const offered = added.getByRole('combobox', { name: 'Question' }).locator('option');
    await expectLocator(offered).toHaveText(['Solved', 'reason', 'waits']);
    await expectUsable(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(added.getByText('true 60 is not an answer to resolved')).toBeVisible();
    await added.getByLabel('Solved').fill('true = 60');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByText('Saved.', { exact: true }).first()).toBeVisible();
    const read = async () => (await send(service.api, 'getAssistant', { token, params: { id } })).body;
    expect((await read()).fields?.at(-1)).to.deep.equal({ ...QUALITY, evidence: false });

    await rows.first().locator('summary').click();
    await page.getByRole('button', { name: 'Remove question 1' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByText('The score quality uses resolved')).toBeVisible();
    await page.getByLabel('Passes from').fill('75');
    await page.getByRole('button', { name: 'Save' }).click();
    const saved = await eventually(read, ({ version }) => version === 3);
    expect(saved.fields?.at(-1)?.of?.map(({ field }) => field)).to.deep.equal(['reason', 'waits']);
  });

  it('show which answers cost points, which are without a quote, and what follows from a correction', async () => {
    const { page, token } = visitor;
    const { id: assistant_id } = await addAssistant(service.api, token, { fields: [...QUESTIONS, QUALITY] });
    const text = 'It was solved. [value resolved=true] [value reason=billing] [value waits=1] [quote invented]';
    const body = { assistant_id, conversation: [{ role: 'client', text }] };
    const { session_id, raw_response } = (await send(service.api, 'submitTextRequest', { token, body })).body;
    expect(raw_response?.['fields']).to.deep.include({ resolved: true, quality: 80 });
    await page.goto(`/console/sessions/${session_id}`);
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    await expectLocator(row('Quality')).toContainText('80');
    await expectLocator(row('Quality')).toContainText('Open: answers without a quote decide (20–80)');
    await expectLocator(row('Quality')).toContainText(
      /reason: 10 \/ 30.*Solved: 60 \/ 60 · Without a quote.*waits: 10 \/ 10/,
    );
    await expectLocator(row('Quality').getByRole('button')).toHaveCount(0);
    await expectUsable(page);

    await row('Solved').getByRole('button', { name: 'Wrong …: Solved' }).click();
    await row('Solved').getByRole('button', { name: 'Save' }).click();
    await expectLocator(row('Quality').locator('del')).toHaveText('Model: 80');
    await expectLocator(row('Quality')).toContainText('20');
    await expectLocator(row('Quality')).toContainText('Not passedSolved: 0 / 60reason: 10 / 30waits: 10 / 10');
    await page.goto(`/console/review?assistant_id=${assistant_id}`);
    await expectLocator(page.getByText('Question 1 of 3')).toBeVisible();
  });

  it('are computed again for the sessions of an assistant', async () => {
    const { page, token } = visitor;
    const { id: assistant_id } = await addAssistant(service.api, token, { fields: [...QUESTIONS, QUALITY] });
    const body = { assistant_id, conversation: [{ role: 'client', text: 'It was solved.' }] };
    await send(service.api, 'submitTextRequest', { token, body });
    await page.goto(`/console/batches/new?assistant_id=${assistant_id}&action=score`);
    await expectLocator(page.getByRole('heading', { name: 'Apply points' })).toBeVisible();
    await expectLocator(page.getByRole('status').getByRole('definition').first()).toHaveText('1');
    await page.getByRole('button', { name: 'Apply points to all' }).click();
    await expectLocator(page.getByText('1 of 1 done')).toBeVisible();
  });
});
