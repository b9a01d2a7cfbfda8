import type { Page } from '@playwright/test';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectUsable } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAnswered, says } from '../support/factories.ts';
import { addAssistant } from '../support/started-service.ts';

const FIELDS = [
  { name: 'resolved', type: 'boolean', description: 'Was the problem solved?' },
  { name: 'score', type: 'integer', description: 'Satisfaction of the client.', minimum: 1, maximum: 10 },
  { name: 'reason', type: 'enum', description: 'Why did they call?', options: ['billing', 'other'] },
  { name: 'city', type: 'string', description: 'In which town?' },
  { name: 'products', type: 'string_list', description: 'Every product named.', evidence: false },
];
const VALUES = { resolved: true, score: 3, reason: 'billing', city: null, products: ['lamp', 'chair'] };

describe("The console's reviews", () => {
  const { service, visitor } = visitEachTest();
  let assistant: AssistantModel;
  let session: SessionModel;
  beforeEach(async () => {
    const { id } = await addAssistant(service.api, visitor.token, { fields: FIELDS });
    assistant = await AssistantModel.query().findById(id).throwIfNotFound();
    session = await createAnswered(assistant, VALUES, { conversation: [{ role: 'client', text: 'Hello' }] });
  });

  const at = () => ({ token: visitor.token, params: { id: session.id } });
  const stored = async () => (await send(service.api, 'getSessionReview', at())).body;
  const rowOf = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });

  /** Opens the control of a field, and answers. */
  async function correct(name: string, fill: (control: ReturnType<Page['getByLabel']>) => Promise<unknown>) {
    const row = rowOf(visitor.page, name);
    await row.getByRole('button', { name: `Wrong …: ${name}` }).click();
    await fill(row.getByLabel('Right answer'));
    await row.getByRole('button', { name: 'Save' }).click();
    await expectLocator(row.getByText('Corrected:')).toBeVisible();
  }

  it('correct each type in place, show both values and the reviewer, and undo', async () => {
    const { page } = visitor;
    await page.goto(`/console/sessions/${session.id}`);
    const row = (name: string) => rowOf(page, name);
    await row('reason').getByRole('button', { name: 'Right: reason' }).click();
    await expectLocator(row('reason').getByText('Confirmed:')).toBeVisible();
    await correct('resolved', (control) => expectLocator(control).toHaveValue('false'));
    // The person's answer, not the model's.
    await correct('resolved', (control) => expectLocator(control).toHaveValue('false'));
    await correct('score', (control) => control.fill('9'));
    await correct('city', (control) => control.fill('Samarkand'));
    await correct('products', (control) => control.fill('lamp\n\n table '));
    await expectLocator(row('score').locator('del')).toHaveText('Model: 3');
    await expectLocator(row('score')).toContainText(/9.*Corrected:.*, \d\d:\d\d/);
    await expectLocator(row('score')).toContainText(visitor.user.name);
    await expectUsable(page);
    const { answers, marks } = await stored();
    expect(answers).to.deep.equal({
      reason: 'billing',
      resolved: false,
      score: 9,
      city: 'Samarkand',
      products: ['lamp', 'table'],
    });
    expect(marks['city']?.mark).to.equal('missed');
    await row('score').getByRole('button', { name: 'Undo: score' }).click();
    await expectLocator(row('score').locator('del')).toHaveCount(0);
    for (const [name, button] of [
      ['products', 'Not mentioned'],
      ['city', 'Unsure'],
    ] as const) {
      await row(name)
        .getByRole('button', { name: `Wrong …: ${name}` })
        .click();
      await row(name).getByRole('button', { name: button }).click();
      await expectLocator(row(name).getByRole('button', { name: 'Save' })).toHaveCount(0);
    }
    const after = await stored();
    expect(after.answers).to.deep.equal({ reason: 'billing', resolved: false, products: null });
    expect(after.unsure).to.deep.equal(['city']);
  });

  it('repeat only their own change after somebody else changed the review', async () => {
    const { page } = visitor;
    await page.route('**/v1/events', (route) => route.abort());
    await page.goto(`/console/sessions/${session.id}`);
    await expectLocator(page.getByRole('button', { name: 'Right: score' })).toBeVisible();
    const body = { answers: { reason: 'other' }, note: 'Called twice.' };
    await send(service.api, 'putSessionReview', { ...at(), body });
    const refused = page.waitForResponse((response) => response.status() === 412);
    await page.getByRole('button', { name: 'Right: score' }).click();
    await refused;
    await expectLocator(rowOf(page, 'reason').locator('del')).toHaveText('Model: billing');
    const { answers, note } = await stored();
    expect({ answers, note }).to.deep.equal({ answers: { reason: 'other', score: 3 }, note: 'Called twice.' });
  });

  it('judge a reanalysis by the review of its original, which it links to', async () => {
    const { page } = visitor;
    const again = await createAnswered(assistant, { ...VALUES, score: 9 }, { source_session_id: session.id });
    await send(service.api, 'putSessionReview', { ...at(), body: { answers: { score: 9, resolved: false } } });
    await page.goto(`/console/sessions/${again.id}`);
    await expectLocator(rowOf(page, 'score')).toContainText('Confirmed:');
    await expectLocator(rowOf(page, 'resolved').locator('del')).toHaveText('Model: Yes');
    await expectLocator(page.getByRole('button', { name: /^Correct/ })).toHaveCount(0);
    await page.getByRole('link', { name: 'Open the original session' }).click();
    await expectLocator(page.getByRole('button', { name: 'Wrong …: score' })).toBeVisible();
  });

  it('correct the summary, keep the model’s, and undo', async () => {
    const { page } = visitor;
    await page.goto(`/console/sessions/${session.id}`);
    await page.getByRole('button', { name: 'Wrong …: Summary' }).click();
    await page.getByLabel('Summary', { exact: true }).fill('The client asked for a refund.');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByText('The client asked for a refund.')).toBeVisible();
    await expectAccessible(page);
    expect((await stored()).summary_text).to.equal('The client asked for a refund.');
    await page.getByText('Model:').click();
    await expectLocator(page.getByText('Done.', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Undo: Summary' }).click();
    await expectLocator(page.getByText('The client asked for a refund.')).toHaveCount(0);
    expect((await stored()).reviewed_at).not.to.equal(undefined);
  });

  it('have notes below the turns that are pointed at or found, also on a reanalysis and on the review page', async () => {
    const { page } = visitor;
    const conversation = [{ role: 'client', text: 'Hello' }, ...says('Where is my parcel?')];
    session = await createAnswered(assistant, VALUES, { conversation });
    await send(service.api, 'putSessionReview', { ...at(), body: { answers: { score: 3 } } });
    await page.goto(`/console/sessions/${session.id}`);
    const turn = (text: string) =>
      page.getByRole('list', { name: 'Transcript' }).getByRole('listitem').filter({ hasText: text });
    const add = async (text: string) => {
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByLabel('Note', { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    /** Points at a turn until the page, which may still load, offers a note. */
    const point = (text: string) =>
      expectLocator(async () => {
        await page.mouse.move(0, 0);
        await turn(text).hover();
        await expectLocator(turn(text).getByRole('button', { name: 'Add note' })).toBeVisible({ timeout: 1_000 });
      }).toPass({ timeout: 60_000 });
    await point('Hello');
    await add('No name given.');
    await expectLocator(turn('Hello')).toContainText('No name given.');
    await page.getByRole('searchbox', { name: 'Search the transcript' }).fill('parcel');
    await page.getByRole('list', { name: 'Transcript' }).focus();
    await add('Angry.');
    await expectLocator(turn('Where is my parcel?')).toContainText('Angry.');
    await expectUsable(page);
    await turn('Hello').getByRole('button', { name: 'Delete: No name given.' }).click();
    await expectLocator(turn('Hello')).not.toContainText('No name');
    const { turn_notes, answers } = await stored();
    expect({ turn_notes, answers }).to.deep.equal({ turn_notes: [{ turn: 1, text: 'Angry.' }], answers: { score: 3 } });

    const again = await createAnswered(assistant, VALUES, { conversation, source_session_id: session.id });
    await page.goto(`/console/sessions/${again.id}`);
    await expectLocator(turn('Where is my parcel?')).toContainText('Angry.');
    await expectLocator(page.getByRole('button', { name: 'Add note' })).toHaveCount(0);

    await page.goto(`/console/review?session_id=${session.id}`);
    await point('Hello');
    await add('Polite.');
    await expectLocator(turn('Hello')).toContainText('Polite.');
    await page.keyboard.press('y');
    for (let count = 0; count < 10; count++) await page.keyboard.press('Enter');
    await expectLocator(page.getByText('No conversations left to review')).toBeVisible();
    expect((await stored()).turn_notes.map(({ text }) => text)).to.deep.equal(['Angry.', 'Polite.']);
  });

  it('filter the list of sessions', async () => {
    const { page } = visitor;
    const other = await createAnswered(assistant, VALUES);
    await send(service.api, 'putSessionReview', { ...at(), body: { answers: { score: 9 } } });
    await page.goto('/console/sessions?review=reviewed&columns=review');
    const links = (id: string) => page.locator(`a[href*="${id}"]`);
    await expectLocator(links(session.id).first()).toBeVisible();
    await expectLocator(links(other.id)).toHaveCount(0);
    await expectLocator(page.getByRole('row').filter({ has: links(session.id).first() })).toContainText('corrected');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByLabel('Review', { exact: true }).selectOption('Not reviewed');
    await page.keyboard.press('Escape');
    await expectLocator(links(other.id).first()).toBeVisible();
    await expectLocator(links(session.id)).toHaveCount(0);
    await page.getByRole('link', { name: 'Review these' }).click();
    await expectLocator(page.getByText('These reviews do not count')).toBeVisible();
    await expectLocator(page.getByRole('heading', { name: 'resolved' })).toBeVisible();
  });
});
