import type { Locator } from '@playwright/test';
import { AssistantModel } from '../../db/models/assistant.ts';
import { expectAccessible, expectFitsPhone, expectLocator } from '../support/browser.ts';
import { openPageOf, visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { createAnswered, sessionIdAt } from '../support/factories.ts';
import { addAssistant } from '../support/started-service.ts';
import { addVoiceAssistant, submitVoice } from '../support/voice.ts';

const FIELDS = [
  { name: 'complaint', title: 'Complaint', type: 'boolean', description: 'Did the client complain about us?' },
  { name: 'reason', title: 'Reason', type: 'string', description: 'Why did they call?' },
];

const DAY_MS = 86_400_000;

describe('An answer in the console', () => {
  const { service, visitor } = visitEachTest();
  let assistantId: string;
  let clicks = 0;

  /** Two assistants, and calls of two agents: last week Dana had two complaints, and two weeks ago another one. */
  beforeEach(async () => {
    clicks = 0;
    const { id } = await addAssistant(service.api, visitor.token, { name: 'Call quality', fields: FIELDS });
    await addAssistant(service.api, visitor.token, { name: 'Sales', fields: FIELDS.slice(1) });
    assistantId = id;
    const assistant = await AssistantModel.query().findById(id).throwIfNotFound();
    const monday = Date.now() - ((new Date().getUTCDay() || 7) + 6) * DAY_MS;
    for (const [agent, complaint, at, reason] of [
      ['Dana Reed', true, monday, 'outage'],
      ['Dana Reed', true, monday + 6 * DAY_MS, 'bill'],
      ['Dana Reed', false, monday, 'plan'],
      ['Dana Reed', true, monday - DAY_MS, 'delivery'],
      ['Bob Stone', true, monday, 'price'],
    ] as const) {
      const created_at = new Date(at);
      const id = sessionIdAt(created_at);
      await createAnswered(assistant, { complaint, reason }, { id, created_at, metadata: { agent } });
    }
  });

  const click = async (locator: Locator) => {
    clicks += 1;
    await locator.click();
  };
  const button = (name: string) => visitor.page.getByRole('button', { name, exact: true });

  /** A native list takes a click to open and one to choose. */
  const choosePeriod = async (period: string) => {
    clicks += 2;
    await visitor.page.getByLabel('Time', { exact: true }).selectOption(period);
  };

  /** Copies the link of the list, which a colleague elsewhere opens. */
  async function expectSent(): Promise<void> {
    const { page, user } = visitor;
    const rows = page.getByRole('row');
    await expectLocator(rows).toHaveCount(3);
    await expectLocator(rows.nth(1)).toContainText('bill');
    await expectLocator(rows.nth(2)).toContainText('outage');
    await click(button('Copy link'));
    await expectLocator(button('Copied')).toBeVisible();
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    const colleague = await openPageOf(service.api, user, { locale: 'ru', timezoneId: 'Pacific/Auckland' });
    await colleague.page.goto(link);
    const shown = colleague.page.getByRole('row');
    await expectLocator(shown).toHaveCount(3);
    await expectLocator(shown.nth(1)).toContainText('bill');
    await expectLocator(shown.nth(2)).toContainText('outage');
    expect(colleague.faults).to.deep.equal([]);
    await colleague.close();
  }

  it('finds the complaints about an agent last week with nine clicks and no typing, for a colleague too', async () => {
    const { page } = visitor;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/console/');
    await click(page.getByRole('link', { name: 'Sessions & Logs' }));
    await choosePeriod('Last week');
    await click(button('Answer'));
    await click(button('Complaint'));
    await expectLocator(page.getByRole('list', { name: 'Complaint' }).getByRole('button')).toHaveText([
      /^Yes3/,
      /^No1/,
      /quote/,
    ]);
    await expectAccessible(page);
    await click(page.getByRole('list', { name: 'Complaint' }).getByRole('button', { name: 'Yes' }));
    await click(button('agent'));
    const agents = page.getByRole('list', { name: 'agent' }).last();
    await expectLocator(agents.getByRole('button')).toHaveText([/^Dana Reed2/, /^Bob Stone1/]);
    await click(agents.getByRole('button', { name: 'Dana Reed' }));
    await expectSent();
    expect(clicks).to.be.at.most(9);
    await page.reload();
    await expectLocator(page.getByRole('list', { name: 'Filters' })).toHaveText(/Complaint = Yes.*agent: Dana Reed/);
    await expectFitsPhone(page);
  });

  it('leads from Results to the same sessions with five clicks', async () => {
    const { page } = visitor;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/console/assistants/${assistantId}/results`);
    await expectLocator(page.getByRole('list', { name: 'Answers to Complaint' })).toBeVisible();
    await page.goto('/console/');
    await click(page.getByRole('navigation').getByRole('link', { name: 'Results' }));
    await choosePeriod('Last week');
    const table = page.getByRole('region', { name: 'Complaint by agent' });
    await click(table.getByRole('row', { name: 'Dana Reed' }).getByRole('cell').nth(2).getByRole('link'));
    await expectSent();
    expect(clicks).to.be.at.most(5);
  });

  it('is in the exported file by default', async () => {
    const { page } = visitor;
    await page.goto(`/console/sessions?assistant_id=${assistantId}`);
    await button('Export …').click();
    const answers = page.getByRole('link', { name: 'Answers as CSV' });
    await expectLocator(answers).toHaveAttribute('href', new RegExp(`assistant_id=${assistantId}.*&include=fields`));
    const response = await page.request.get((await answers.getAttribute('href')) ?? '');
    expect((await response.text()).split('\n')[0]).to.include('Complaint');
    await page.goto('/console/sessions');
    await button('Export …').click();
    await expectLocator(page.getByText('Choose an assistant to export its answers.')).toBeVisible();
    await expectLocator(page.getByRole('link', { name: 'Sessions as CSV' })).not.toHaveAttribute('href', /include=/);
  });

  it('is searched by what was said: the list shows the sentence, and Enter plays it in the opened session', async () => {
    const { page, token } = visitor;
    const { id } = await addVoiceAssistant(service.api, token);
    const { session_id } = await submitVoice(service.api, { token, assistantId: id });
    await page.goto('/console/sessions?q=parcels');
    const row = page.getByRole('row').nth(1);
    await expectLocator(row.locator('mark')).toHaveText(['parcel']);
    await expectLocator(row).toContainText('0:04');
    await expectAccessible(page);
    await row.locator('[data-row-link]').click();
    await expectLocator(page).toHaveURL(new RegExp(`/sessions/${session_id}\\?q=parcels&t=4`));
    const turn = page.getByRole('list', { name: 'Transcript' }).locator('[data-found]');
    await expectLocator(turn).toContainText('parcel');
    await expectLocator(turn).toBeInViewport();
    await expectLocator(turn.getByRole('button', { name: /^Play from/ })).toBeFocused();
    expect(await page.evaluate("CSS.highlights.get('transcript-search')?.size")).to.be.above(0);
    await page.keyboard.press('Enter');
    await eventually(() => page.evaluate<boolean>("document.querySelector('audio').currentTime > 4"), true);
  });
});
