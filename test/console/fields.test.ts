import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectFitsPhone, expectUsable } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { visitEachTest } from '../support/console.ts';
import type { AssistantColumns } from '../../db/models/assistant.ts';
import { createAssistant, createSession } from '../support/factories.ts';
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
    const said = 'The quote was said. Whether it answers the question was not checked.';
    await expectLocator(row('complaint').getByRole('img', { name: said })).toBeVisible();
    const quote = row('complaint').getByRole('button', { name: /^0:04 “/ });
    await expectLocator(quote).toHaveAttribute('title', /^speaker: /);
    await expectLocator(row('city')).toContainText('Not mentioned');
    await quote.click();
    const turn = page.getByRole('list', { name: 'Transcript' }).locator('[data-found]');
    await expectLocator(turn).toContainText('parcel');
    await expectLocator(turn).toBeInViewport();
    expect(await page.evaluate('scrollY'), 'the page stays').to.equal(0);
    await eventually(() => page.evaluate<boolean>("document.querySelector('audio').currentTime > 4"), true);
    expect(await page.evaluate("CSS.highlights.get('quoted-words')?.size")).to.equal(1);
    await expectUsable(page);
  });

  it('report invented quotes, and why a value is missing', async () => {
    const { page, token } = visitor;
    const { id: assistant_id } = await addAssistant(service.api, token, { fields: FIELDS });
    const text = 'My parcel has not arrived. [value score=99] [quote invented]';
    const body = { assistant_id, conversation: [{ role: 'client', text }] };
    const { session_id } = (await send(service.api, 'submitTextRequest', { token, body })).body;
    await page.goto(`/console/sessions/${session_id}`);
    await expectLocator(page.getByText('No quote of the model was said.')).toBeVisible();
    await expectLocator(page.getByText('Out of range (retried once): 99 is more than 10.')).toBeVisible();
    await expectAccessible(page);
  });

  it('show the nearest passage of a quote that nobody said, with the differing words marked', async () => {
    const { page, user } = visitor;
    const fields = [{ ...FIELDS[0], evidence: true }] as NonNullable<AssistantColumns['fields']>;
    const assistant = await createAssistant(user.default_workspace_id, { fields });
    const unfound = [
      {
        quote: 'My parcel has arrived.',
        match: 'similar',
        nearest: 'My parcel has not arrived.',
        context: 'Hello. My parcel has not arrived.',
      },
      { quote: '<i>Refund it</i>', match: 'none' },
    ];
    const evidence = { complaint: { verified: false, value_in_quote: null, dropped: 2, quotes: [], unfound } };
    const raw_response = { summary_text: 'Done.', fields: { complaint: 'It is late.' }, evidence };
    const session = await createSession(assistant, {
      status: 'completed',
      summary_text: 'Done.',
      field_encoding: 'strict',
      raw_response,
    });
    await page.goto(`/console/sessions/${session.id}`);
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'complaint' }) });
    await expectLocator(row.getByTitle('Hello. My parcel has not arrived.')).toContainText(
      'My parcel has not arrived.',
    );
    await expectLocator(row.locator('mark')).toHaveText(['not']);
    await row.getByText('No quote of the model was said.').click();
    await expectLocator(row.locator('del').last()).toHaveText('<i>Refund it</i>');
    await expectAccessible(page);
  });

  it('can be added, moved and removed in the assistant form, which shows errors at the inputs', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token, { fields: FIELDS.slice(0, 2) });
    await page.goto(`/console/assistants/${id}`);
    const rows = page.getByRole('group', { name: 'Questions' }).locator('ol > li');
    await page.getByRole('button', { name: 'Add question' }).click();
    await expectLocator(rows).toHaveCount(3);
    const added = rows.nth(2);
    await added.getByLabel('Name').fill('Причина обращения');
    await expectLocator(added.getByLabel('Key')).toHaveValue('prichina_obrashcheniya');
    await added.getByLabel('Key').fill('Reason');
    await added.getByLabel('Name').fill('Причина звонка');
    await expectLocator(added.getByLabel('Key')).toHaveValue('Reason');
    await added.getByRole('textbox', { name: 'Question' }).fill('Why?');
    await added.getByLabel('Type').selectOption('enum');
    await added.getByLabel('Options').fill('billing\n  delivery  \n\nBilling');
    await added.getByLabel('Require evidence').uncheck();
    await added.locator('summary').click();
    await expectLocator(added.getByLabel('Key')).not.toBeVisible();
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(added.getByText('must be unique, ignoring case')).toBeVisible();
    await expectLocator(added.getByText(/^Must be 1 to 40 lower-case letters/)).toBeVisible();
    await expectAccessible(page);

    await added.getByLabel('Key').fill('reason');
    await added.getByLabel('Options').fill('billing\n  delivery  \n\nother');
    await page.getByRole('button', { name: 'Move question 3 up' }).click();
    await page.getByRole('button', { name: 'Move question 2 up' }).click();
    await rows.nth(1).locator('summary').click();
    await page.getByRole('button', { name: 'Remove question 2' }).click();
    await page.getByRole('button', { name: 'Add question' }).click();
    const told = rows.nth(2);
    await told.getByLabel('Name').fill('Told');
    await told.getByRole('textbox', { name: 'Question' }).fill('Is it announced?');
    await told.getByLabel('Type').selectOption('said');
    await told.getByLabel('Phrases').fill('this call is recorded\ncalls are recorded');
    await told.getByLabel('Said by').selectOption('operator');
    await told.getByLabel('Within (seconds)').fill('60');
    await expectFitsPhone(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByText('Saved.', { exact: true }).first()).toBeVisible();
    const reason = {
      name: 'reason',
      title: 'Причина звонка',
      type: 'enum',
      description: 'Why?',
      options: ['billing', 'delivery', 'other'],
    };
    const { fields } = (await send(service.api, 'getAssistant', { token, params: { id } })).body;
    expect(fields).to.deep.equal([
      { ...reason, evidence: false },
      { ...FIELDS[1], evidence: true },
      {
        name: 'told',
        title: 'Told',
        type: 'said',
        description: 'Is it announced?',
        phrases: ['this call is recorded', 'calls are recorded'],
        by: 'operator',
        within_s: 60,
        evidence: true,
      },
    ]);
  });

  it('get a unique key from their name, which a saved field keeps', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token, { fields: [{ ...FIELDS[0], name: 'sabab' }] });
    const read = async () => (await send(service.api, 'getAssistant', { token, params: { id } })).body;
    await page.goto(`/console/assistants/${id}`);
    const rows = page.getByRole('group', { name: 'Questions' }).locator('ol > li');
    const [old, added] = [rows.first(), rows.nth(1)];
    await old.locator('summary').click();
    await old.getByLabel('Name').fill('Muammo');
    await expectLocator(old.getByLabel('Key')).toHaveValue('sabab');
    await page.getByRole('button', { name: 'Add question' }).click();
    await added.getByLabel('Name').fill('Sabab');
    await expectLocator(added.getByLabel('Key')).toHaveValue('sabab_2');
    await added.getByRole('textbox', { name: 'Question' }).fill('Nima uchun?');
    const save = async () => {
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).click();
      await saved;
      return (await read()).fields?.map(({ name, title }) => [name, title]);
    };
    expect(await save()).to.deep.equal([
      ['sabab', 'Muammo'],
      ['sabab_2', 'Sabab'],
    ]);
    await added.getByLabel('Name').fill('Boshqa sabab');
    await expectLocator(added.getByLabel('Key')).toHaveValue('sabab_2');
    expect(await save()).to.deep.equal([
      ['sabab', 'Muammo'],
      ['sabab_2', 'Boshqa sabab'],
    ]);
    expect((await read()).version).to.equal(2);
  });

  it('are called by their present titles everywhere, and by those of the session once the assistant is deleted', async () => {
    const { page, token } = visitor;
    const [complaint, score] = [{ ...FIELDS[0], title: 'Жалоба' }, FIELDS[1]];
    const { id: assistant_id } = await addAssistant(service.api, token, { fields: [complaint, score] });
    const body = {
      assistant_id,
      conversation: [{ role: 'client', text: 'My parcel has not arrived. [value score=7]' }],
    };
    const { session_id } = (await send(service.api, 'submitTextRequest', { token, body })).body;
    const params = { id: assistant_id };
    const heads = page.getByRole('rowheader');
    await page.goto(`/console/sessions/${session_id}`);
    await expectLocator(heads.filter({ hasText: /^Жалоба/ })).toBeVisible();
    await expectLocator(page.getByRole('button', { name: 'Right: Жалоба' })).toBeVisible();
    await send(service.api, 'updateAssistant', {
      token,
      params,
      body: { fields: [complaint, { ...score, title: 'Ball' }] },
    });

    await page.reload();
    await expectLocator(heads.filter({ hasText: /^Ball/ })).toBeVisible();
    await page.goto(`/console/sessions?assistant_id=${assistant_id}&field=score:gte:5&field=complaint:not_null`);
    await expectLocator(page.getByRole('list', { name: 'Filters' })).toHaveText('Ball ≥ 5Жалоба: Mentioned');
    await page.goto(`/console/sessions?assistant_id=${assistant_id}&corrected=score`);
    await expectLocator(page.getByRole('list', { name: 'Filters' })).toHaveText('Corrected answer: Ball');
    await page.goto(`/console/batches/new?assistant_id=${assistant_id}&field=score:gte:5`);
    await expectLocator(page.getByText('Ball ≥ 5')).toBeVisible();
    await page.goto(`/console/assistants/${assistant_id}/results`);
    for (const heading of [/^Жалоба/, /^Ball/])
      await expectLocator(page.getByRole('heading', { name: heading }).first()).toBeVisible();
    await expectUsable(page);

    await send(service.api, 'deleteAssistant', { token, params });
    await page.goto(`/console/sessions/${session_id}`);
    await expectLocator(heads.filter({ hasText: /^Жалоба/ })).toBeVisible();
    await expectLocator(heads.filter({ hasText: /^score/ })).toBeVisible();
  });
});
