import { expect } from 'chai';
import { createAssistant } from '../../contract/assistants.ts';
import { createBatch } from '../../contract/batches.ts';
import type { Batch } from '../../contract/batches.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { getSession, listSessions } from '../../contract/sessions.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectNoSidewaysScroll } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';

const FIELDS = [
  { name: 'resolved', type: 'boolean', description: 'Was the problem solved?' },
  { name: 'mood', type: 'string', description: 'How does the client feel?' },
];

describe("The console's pages of batches", () => {
  const { service, visitor } = visitEachTest();
  let assistantId: string;
  beforeEach(async () => {
    const settings = {
      name: 'Review',
      type: 'text',
      llm_provider: 'openai',
      system_prompt: 'Summarise.',
      fields: FIELDS,
    };
    assistantId = (await send(service.api, createAssistant, { token: visitor.token, body: settings })).body.id;
    for (const text of ['Parcel one. [field resolved=true]', 'Parcel two. [field resolved=false]']) {
      const body = { assistant_id: assistantId, conversation: [{ role: 'client', text }] };
      await send(service.api, submitTextRequest, { token: visitor.token, body });
    }
  });

  /** Returns the names of the fields that a session of the batch was asked. */
  async function readFields(batch_id: string): Promise<string[] | undefined> {
    const { token } = visitor;
    const [made] = (await send(service.api, listSessions, { token, query: { batch_id } })).body.data;
    const params = { id: made?.session_id ?? '' };
    return (await send(service.api, getSession, { token, params })).body.assistant.fields?.map(({ name }) => name);
  }

  it('lead from the filtered list over an estimate to the comparison of what changed', async function () {
    this.timeout(60_000);
    const { page } = visitor;
    await page.goto(`/console/sessions?assistant_id=${assistantId}`);
    await page.getByRole('link', { name: 'Batch …' }).click();
    await expectLocator(page.getByText('2 sessions')).toBeVisible();
    await expectLocator(page.getByRole('status').filter({ hasText: 'expected cost' })).toBeVisible();
    await page.getByLabel('Settings').selectOption({ label: 'Others' });
    await page.getByLabel('System prompt').fill('Say it shorter.');
    await page.getByRole('button', { name: 'Remove field 2' }).click();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Reanalyze all' }).click();

    await expectLocator(page.getByText('2 of 2 done')).toBeVisible();
    expect(await readFields(page.url().split('/').at(-1) ?? '')).to.deep.equal(['resolved']);
    const changes = page.getByRole('region', { name: 'Changes' });
    await expectLocator(changes.getByRole('row').filter({ hasText: 'resolved' })).toHaveText(
      /resolved\s*2\s*0\s*0\s*0/,
    );
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 860 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await changes.getByRole('link', { name: 'resolved' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Sessions in which resolved differs' })).toBeVisible();
    await expectLocator(page.getByText('No session differs')).toBeVisible();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByRole('region', { name: 'Sessions, after and before' }).getByRole('link').first().click();
    await expectLocator(page.getByRole('heading', { name: 'Compare' })).toBeVisible();
    await page.goto('/console/batches');
    await expectLocator(page.getByRole('row').filter({ hasText: 'Assistant: Review' })).toContainText('2 of 2');
    await expectAccessible(page);
    expect(visitor.faults).to.deep.equal([]);
  });

  it('show how far a batch is, and end it', async function () {
    this.timeout(60_000);
    const { page, token } = visitor;
    service.vendors.hang();
    const body = { action: 'reanalyze', filter: { assistant_id: assistantId } };
    const { batch_id } = (await send(service.api, createBatch, { token, body })).body as Batch;
    await page.goto(`/console/batches/${batch_id}`);
    await expectLocator(page.getByText('0 of 2 done')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel batch' }).click();
    await expectLocator(page.getByText('Canceling')).toBeVisible();
    await service.vendors.pass();
    await expectLocator(page.getByText('2 of 2 done')).toBeVisible();
    expect(visitor.faults).to.deep.equal([]);
  });

  it('hold a batch to its limit of cost, and lift it', async function () {
    this.timeout(60_000);
    const { page } = visitor;
    await page.goto(`/console/batches/new?assistant_id=${assistantId}`);
    await page.getByLabel('Limit of cost in $').fill('0');
    await page.getByRole('button', { name: 'Reanalyze all' }).click();
    await expectLocator(page.getByText('One session more might pass the limit of cost.')).toBeVisible();
    await expectLocator(page.getByText('0 of 2 done')).toBeVisible();
    await expectLocator(page.getByText('$0.00', { exact: true }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Lift the limit' }).click();
    await expectLocator(page.getByText('2 of 2 done')).toBeVisible();
    await expectLocator(page.getByText('One session more might pass the limit of cost.')).toBeHidden();
    expect(visitor.faults).to.deep.equal([]);
  });

  it('ask before they delete', async function () {
    this.timeout(60_000);
    const { page } = visitor;
    await page.goto('/console/batches/new?status=completed');
    await expectLocator(page.getByText('To reanalyze, choose one assistant')).toBeVisible();
    await page.getByLabel('What to do').selectOption({ label: 'Delete' });
    await page.getByRole('button', { name: 'Delete all' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete 2 sessions?' });
    await dialog.getByRole('button', { name: 'Delete all' }).click();
    await expectLocator(page.getByText('2 of 2 done')).toBeVisible();
    await page.goto('/console/batches?status=running');
    await expectLocator(page.getByRole('heading', { name: 'Nothing matches these filters' })).toBeVisible();
    expect(visitor.faults).to.deep.equal([]);
  });
});
