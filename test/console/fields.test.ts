import { expect } from 'chai';
import { getAssistant } from '../../contract/assistants/assistants.ts';
import { submitTextRequest } from '../../contract/sessions/requests.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectFitsPhone } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { visitEachTest } from '../support/console.ts';
import { addAssistant } from '../support/started-service.ts';
import { addVoiceAssistant, submitVoice } from '../support/voice.ts';

const FIELDS = [
  { name: 'complaint', type: 'string', description: 'What is said about the parcel?' },
  { name: 'score', type: 'integer', description: 'Satisfaction of the client.', minimum: 1, maximum: 10 },
  { name: 'city', type: 'string', description: 'In which town?' },
  { name: 'thanked', type: 'boolean', description: 'Did anybody thank for patience?', evidence: false },
];

describe("The console's fields", () => {
  const { service, visitor } = visitEachTest();

  it('show each value with its quote, and play the recording from the quote', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(service.api, token, { fields: FIELDS });
    const { session_id } = await submitVoice(service.api, { token, assistantId: assistant.id });
    await page.goto(`/console/sessions/${session_id}`);
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    await expectLocator(row('complaint')).toContainText('Verified');
    await expectLocator(row('city')).toContainText('Not mentioned');
    await expectLocator(row('thanked')).toContainText('Not checked');
    await row('complaint').getByRole('button').first().click();
    const turn = page.getByRole('list', { name: 'Transcript' }).locator('[data-found]');
    await expectLocator(turn).toContainText('parcel');
    await expectLocator(turn).toBeInViewport();
    await eventually(() => page.evaluate<boolean>("document.querySelector('audio').currentTime > 4"), true);
    expect(await page.evaluate("CSS.highlights.get('quoted-words')?.size")).to.equal(1);
    await expectAccessible(page);
    await expectFitsPhone(page);
  });

  it('report invented quotes, and why a value is missing', async () => {
    const { page, token } = visitor;
    const { id: assistant_id } = await addAssistant(service.api, token, { fields: FIELDS });
    const text = 'My parcel has not arrived. [value score=99] [quote invented]';
    const body = { assistant_id, conversation: [{ role: 'client', text }] };
    const { session_id } = (await send(service.api, submitTextRequest, { token, body })).body;
    await page.goto(`/console/sessions/${session_id}`);
    await expectLocator(page.getByText(/^Unverified.*1 quote was not found/)).toBeVisible();
    await expectLocator(page.getByText('Out of range (retried once): 99 is more than 10.')).toBeVisible();
    await expectAccessible(page);
  });

  it('can be added, moved and removed in the assistant form, which shows errors at the inputs', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token, { fields: FIELDS.slice(0, 2) });
    await page.goto(`/console/assistants/${id}`);
    const rows = page.getByRole('listitem').filter({ has: page.getByLabel('Question') });
    await page.getByRole('button', { name: 'Add field' }).click();
    await expectLocator(rows).toHaveCount(3);
    const added = rows.nth(2);
    await added.getByLabel('Name').fill('Reason');
    await added.getByLabel('Question').fill('Why?');
    await added.getByLabel('Type').selectOption('enum');
    await added.getByLabel('Options').fill('billing\n  delivery  \n\nBilling');
    await added.getByLabel('Require evidence').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(added.getByText('must be unique, ignoring case')).toBeVisible();
    await expectLocator(added.getByText(/^must be 1 to 40 lower-case letters/)).toBeVisible();
    await expectAccessible(page);

    await added.getByLabel('Name').fill('reason');
    await added.getByLabel('Options').fill('billing\n  delivery  \n\nother');
    await page.getByRole('button', { name: 'Move field 3 up' }).click();
    await page.getByRole('button', { name: 'Move field 2 up' }).click();
    await page.getByRole('button', { name: 'Remove field 2' }).click();
    await expectFitsPhone(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByText('Saved').first()).toBeVisible();
    const reason = { name: 'reason', type: 'enum', description: 'Why?', options: ['billing', 'delivery', 'other'] };
    const { fields } = (await send(service.api, getAssistant, { token, params: { id } })).body;
    expect(fields).to.deep.equal([
      { ...reason, evidence: false },
      { ...FIELDS[1], evidence: true },
    ]);
  });
});
