import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { BatchAccuracy, FieldVerdict } from '../../contract/reviews/accuracy.ts';
import { CONSOLE_LANGUAGES } from '../../contract/values/constants.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectFitsPhone, expectLocator, openWithin, expectUsable } from '../support/browser.ts';
import { openPageOf, visitEachTest } from '../support/console.ts';
import { createExperiment, type MadePair } from '../support/experiments.ts';
import { createAnswered } from '../support/factories.ts';
import { addAssistant } from '../support/started-service.ts';

const FIELDS = [
  { name: 'resolved', title: 'Problem solved', type: 'boolean', description: 'Was the problem solved?' },
  { name: 'score', type: 'integer', description: 'Satisfaction of the client.' },
  { name: 'reason', type: 'string', description: 'Why did they call?' },
  { name: 'remark', type: 'string', description: 'What did they say?' },
  { name: 'mood', type: 'string', description: 'How did they feel?' },
];

const LONG = 'the client wants to know when the parcel comes';
const RIGHT = { resolved: true, score: 9, reason: 'bill', remark: LONG, mood: 'calm' };
const FALLBACK = { step: 'analysis', provider: 'openai', model: null, reason: 'timeout' };

describe('A batch over reviewed conversations', () => {
  const { service, visitor } = visitEachTest();
  let assistant: AssistantModel;
  beforeEach(async () => {
    const { id } = await addAssistant(service.api, visitor.token, { fields: FIELDS });
    assistant = await AssistantModel.query().findById(id).throwIfNotFound();
  });

  /** Creates an ended batch: `resolved` becomes right and `score` becomes wrong in `count` pairs. */
  async function test(count: number, fields: Partial<BatchModel> = {}): Promise<string> {
    const pair: MadePair = { before: { ...RIGHT, resolved: false }, after: { ...RIGHT, score: 2 }, right: RIGHT };
    const same = { before: RIGHT, after: RIGHT, right: RIGHT };
    const pairs = [
      ...Array.from({ length: count }, () => pair),
      { ...same, after: { ...RIGHT, reason: 'other' } },
      { ...same, sampled: false },
      { ...same, fields: { answered_by: [FALLBACK] } as Partial<SessionModel> },
    ];
    const ended = { status: 'completed', ended_at: new Date(), failed: 3, ...fields } as const;
    return createExperiment(service.api, { token: visitor.token, assistant }, pairs, ended);
  }

  /** Changes the question of a field in the settings of the new sessions. */
  async function askAnew(batch_id: string, index: number): Promise<void> {
    const assistant = SessionModel.raw('jsonb_set(assistant, ?, \'"Asked anew."\')', [`{fields,${index},description}`]);
    await SessionModel.query()
      .where({ batch_id })
      .patch({ assistant: assistant as never });
  }

  const open = (page: Page, id: string) => page.goto(`/console/batches/${id}`);
  const stored = async () =>
    (await send(service.api, 'getAssistant', { token: visitor.token, params: { id: assistant.id } })).body;
  const change = (body: object) =>
    send(service.api, 'updateAssistant', { token: visitor.token, params: { id: assistant.id }, body });
  const points = (difference: number | null) => Math.abs(Math.round((difference ?? 0) * 100));

  it('says the numbers of the API in words, and counts what it does not compare', async () => {
    const { page, token } = visitor;
    const id = await test(9);
    await askAnew(id, 4);
    const report = (await send(service.api, 'getBatchAccuracy', { token, params: { id } })).body;
    const field = (name: string) => report.fields.find((each) => each.name === name)!;
    const rates = ({ before, after }: FieldVerdict) =>
      `Right in ${after.right} instead of ${before.right} of ${before.judged} conversations`;
    const [better, worse, unclear] = [field('resolved'), field('score'), field('reason')];
    await open(page, id);
    const verdicts = page.getByRole('list', { name: 'Are the new settings better?' }).getByRole('listitem');
    await expectLocator(verdicts).toHaveText([
      `Better: Problem solved. ${rates(better)} (${points(better.lower)} to ${points(better.upper)} points more).`,
      `Worse: score. ${rates(worse)} (${points(worse.upper)} to ${points(worse.lower)} points fewer).`,
      `No difference shown: reason. To see a difference of 5 points, about ${unclear.more_reviews} more reviews are needed.`,
      'Not compared: remark. The right answers are long texts, which everybody words differently.',
      'Not compared: mood. The question changed.',
    ]);
    await expectLocator(
      page.getByText(
        'Compared: 10 reviewed conversations of the random sample. ' +
          'Not compared: 3 failed, 1 answered by a fallback provider, 1 outside the sample.',
      ),
    ).toBeVisible();
    const row = page.getByRole('region', { name: 'Right answers before and after' }).getByRole('row').nth(1);
    await expectLocator(row).toContainText(
      `Problem solvedBetter${better.before.right} of ${better.before.judged}${better.after.right} of ${better.after.judged}`,
    );
    await expectLocator(row.getByRole('link')).toHaveText(['9', '0']);
    await expectLocator(page.getByText(/significant|confidence/i)).toHaveCount(0);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectFitsPhone(page);
    await expectAccessible(page);
  });

  it('has every verdict in three languages', async () => {
    const id = await test(1);
    const share = { right: 178, judged: 212, share: 0.84, lower: 0.78, upper: 0.88 };
    const numbers = { both: 151, only_before: 12, only_after: 27, neither: 22, p: null, p_adjusted: null };
    const others = { others: { fixed: 0, broken: 0 }, question_changed: false, left_out: 0, more_reviews: null };
    const given = { ...numbers, ...others, before: share, after: { ...share, right: 193, share: 0.91 } };
    const fields = [
      { ...given, name: 'one', difference: 0.07, lower: 0.01, upper: 0.13, verdict: 'better' },
      { ...given, name: 'two', difference: -0.1, lower: -0.22, upper: -0.004, verdict: 'worse' },
      { ...given, name: 'three', difference: 0, lower: -0.03, upper: 0.04, verdict: 'same' },
      { ...given, name: 'four', difference: 0, lower: -0.1, upper: 0.1, verdict: 'unclear', more_reviews: 1_261 },
      { ...given, name: 'five?', difference: 0, lower: -0.1, upper: 0.1, verdict: 'unclear', more_reviews: 1_261 },
    ];
    const report = {
      sessions: 212,
      others: 0,
      failed: 0,
      fallback: 0,
      is_sample: true,
      tests: 4,
      chosen_by: [],
      former_fallback: 0,
      fields,
    };
    const expected = {
      en: [
        'Better: one. Right in 193 instead of 178 of 212 conversations (1 to 13 points more).',
        'Worse: two. Right in 193 instead of 178 of 212 conversations (0.4 to 22 points fewer).',
        'About the same: three. A difference of more than 5 points is unlikely.',
        'No difference shown: four, five? To see a difference of 5 points, about 1,261 more reviews are needed.',
        'Experiment 4 on these conversations. Review new ones to confirm.',
      ],
      // cspell:disable
      ru: [
        'Лучше: one. Верно 193 вместо 178 из 212 разговоров (на 1–13 пунктов больше).',
        'Хуже: two. Верно 193 вместо 178 из 212 разговоров (на 0,4–22 пункта меньше).',
        'Примерно так же: three. Разница больше 5 пунктов маловероятна.',
        'Разница не выявлена: four, five? Чтобы увидеть разницу в 5 пунктов, нужна ещё примерно 1 261 оценка.',
        'Эксперимент 4 на этих разговорах. Чтобы подтвердить результат, оцените новые.',
      ],
      uz: [
        'Yaxshiroq: one. 212 ta suhbatdan 178 tasi oʻrniga 193 tasi toʻgʻri (1–13 punktga koʻp).',
        'Yomonroq: two. 212 ta suhbatdan 178 tasi oʻrniga 193 tasi toʻgʻri (0,4–22 punktga kam).',
        'Deyarli bir xil: three. 5 punktdan katta farq ehtimoli kam.',
        'Farq aniqlanmadi: four, five? 5 punktlik farqni koʻrish uchun yana taxminan 1 261 ta tekshiruv kerak.',
        'Bu suhbatlarda 4-tajriba. Natijani tasdiqlash uchun yangilarini tekshiring.',
      ],
      // cspell:enable
    };
    for (const [language, sentences] of Object.entries(expected)) {
      const { page, close } = await openPageOf(service.api, visitor.user);
      await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['${language}'] })`);
      await page.route('**/accuracy', (route) => route.fulfill({ json: report as BatchAccuracy }));
      await open(page, id);
      for (const sentence of sentences)
        await expectLocator(page.locator('main').getByText(sentence).first()).toBeVisible();
      await expectFitsPhone(page);
      await close();
    }
  });

  it('gives the assistant the tested overrides, but not over a change that nobody saw', async () => {
    const { page } = visitor;
    const overrides = { system_prompt: 'Say it shorter.', temperature: 0.7 };
    const id = await test(9, { overrides, settings: { ...assistant.freeze(), ...overrides } });
    await open(page, id);
    await page.getByRole('button', { name: 'Use these settings' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Use these settings for new conversations?' });
    await expectLocator(dialog.getByText('Replaces settings of the assistant: System prompt.')).toBeVisible();
    await expectLocator(dialog.getByText('Worse with these settings: score.')).toBeVisible();
    await expectLocator(dialog.getByText('changed after this experiment started')).toHaveCount(0);
    await change({ system_prompt: 'By another member.', description: 'Support' });
    await dialog.getByRole('button', { name: 'Use these settings' }).click();
    await expectLocator(dialog.getByRole('alert')).toContainText('Somebody else has just changed the assistant');
    await expectLocator(dialog.getByText('The assistant changed after this experiment started.')).toContainText(
      'version 2',
    );
    await expectUsable(page);
    expect((await stored()).system_prompt).to.equal('By another member.');
    await dialog.getByRole('button', { name: 'Use these settings' }).click();
    await expectLocator(page.getByText('The assistant uses these settings.')).toBeVisible();
    const { version, system_prompt, description } = await stored();
    expect([version, system_prompt, description]).to.deep.equal([3, 'Say it shorter.', 'Support']);
  });

  it('restores the tested version', async () => {
    const { page } = visitor;
    const { system_prompt } = await stored();
    await change({ system_prompt: 'Another prompt.' });
    const id = await test(1, { assistant_version: 1 });
    await open(page, id);
    await page.getByRole('button', { name: 'Use these settings' }).click();
    const dialog = page.getByRole('alertdialog');
    await expectLocator(dialog.getByText('The assistant gets all settings of version 1.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Use these settings' }).click();
    await expectLocator(page.getByText('The assistant is now at version 3.')).toBeVisible();
    const restored = await stored();
    expect([restored.version, restored.system_prompt]).to.deep.equal([3, system_prompt]);
  });

  it('waits for the end of a running batch, and invites to review if nobody has', async () => {
    const { page } = visitor;
    const id = await test(1, { status: 'running', ended_at: null });
    await open(page, id);
    await expectLocator(page.getByText('When the experiment has ended, this page compares')).toBeVisible();
    await expectLocator(page.getByRole('list', { name: 'Are the new settings better?' })).toHaveCount(0);
    const ended = { completed: 1, status: 'completed', ended_at: new Date() } as const;
    const unreviewed = await createExperiment(service.api, { token: visitor.token, assistant }, [], ended);
    const source = await createAnswered(assistant, RIGHT);
    const made = await createAnswered(assistant, RIGHT, { source_session_id: source.id, batch_id: unreviewed });
    const item = { batch_id: unreviewed, source_session_id: source.id, session_id: made.id, outcome: 'completed' };
    await BatchModel.knex()('batch_items').insert(item);
    await open(page, unreviewed);
    await expectLocator(page.getByText('None of these conversations is reviewed')).toBeVisible();
    const link = page.getByRole('main').getByRole('link', { name: 'Review', exact: true }).last();
    expect(await link.getAttribute('href')).to.match(/\/review\?.*review=unsampled/);
    await expectAccessible(page);
  });

  it('starts from the page of the assistant, with its unsaved settings', async () => {
    const { page, token } = visitor;
    const atAssistant = `/console/assistants/${assistant.id}`;
    await page.goto(atAssistant);
    await expectLocator(page.getByRole('button', { name: 'Try on a past session' })).toBeVisible();
    await expectLocator(page.getByRole('button', { name: /reviewed/ })).toHaveCount(0);
    for (const sampled of [true, true, false]) {
      const { id } = await createAnswered(assistant, RIGHT);
      await send(service.api, 'putSessionReview', { token, params: { id }, body: { answers: RIGHT, sampled } });
    }
    await page.reload();
    const start = page.getByRole('button', { name: 'Test on 2 reviewed conversations' });
    await page.getByLabel('System prompt').fill('Say it shorter.');
    await page.getByLabel('Name', { exact: true }).first().fill('Renamed');
    await start.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await page.getByLabel('Name', { exact: true }).first().fill(assistant.name);
    await start.click();
    await expectLocator(page.getByText('In the random sample')).toBeVisible();
    await expectLocator(page.getByRole('heading', { level: 1, name: 'Test other settings' })).toBeVisible();
    await expectLocator(page.getByLabel('Action')).toHaveCount(0);
    await expectLocator(page.getByRole('region', { name: 'What differs' })).toContainText('Say it shorter.');
    await expectLocator(page.getByRole('status').getByRole('definition').first()).toHaveText('2');
    await expectFitsPhone(page);
    await page.evaluate('history.back()');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Start experiment' }).click();
    await expectLocator(page.getByText('Compared: 2 reviewed conversations of the random sample.')).toBeVisible();
    await expectLocator(page.getByRole('heading', { level: 1, name: '“Say it shorter”' })).toBeVisible();
    await page.getByRole('button', { name: 'Use these settings' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Use these settings' }).click();
    await expectLocator(page.getByText('The assistant uses these settings.')).toBeVisible();
    expect((await stored()).system_prompt).to.equal('Say it shorter.');
  });

  it('begins with the verdict, and shows what differs by call: became wrong, then right', async () => {
    const { page } = visitor;
    const named = (call_id: string) => ({ metadata: { call_id } }) as Partial<SessionModel>;
    const pairs: MadePair[] = [
      { before: { ...RIGHT, resolved: false }, after: RIGHT, right: RIGHT, source: named('fixed-1') },
      { before: RIGHT, after: RIGHT, right: RIGHT, source: named('equal-1') },
      { before: RIGHT, after: { ...RIGHT, score: 2 }, right: RIGHT, source: named('broken-1') },
    ];
    const ended = { status: 'completed', ended_at: new Date() } as const;
    const overrides = { system_prompt: 'Say it shorter.' };
    const settings = { ...assistant.freeze(), ...overrides };
    const id = await createExperiment(service.api, { token: visitor.token, assistant }, pairs, {
      ...ended,
      overrides,
      settings,
    });
    await open(page, id);
    const rows = page.getByRole('region', { name: 'Different answers' }).getByRole('row');
    await expectLocator(rows).toHaveText([
      /Before → After/,
      /broken-1\s*score\s*9\s*2\s*Became wrong/,
      /fixed-1\s*Problem solved\s*No\s*Yes\s*Became right/,
    ]);
    await page
      .getByRole('row', { name: /^score/ })
      .getByRole('link')
      .last()
      .click();
    await expectLocator(rows).toHaveCount(2);
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Actions' }).click();
    await expectLocator(page.getByRole('region', { name: 'What differs' })).toContainText('Say it shorter.');
    await expectAccessible(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as text' }).click();
    await expectLocator(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).to.contain('No difference shown: Problem solved').and.contain('Compared: 3 reviewed conversations');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines[0]).to.match(/^\ufefftitle,name,verdict,judged,right_before,share_before,right_after/);
    expect(lines.find((line) => line.includes(',resolved,'))).to.match(/^Problem solved,resolved,unclear,3,2,/);
    await page.emulateMedia({ media: 'print' });
    await expectLocator(page.getByRole('list', { name: 'Are the new settings better?' })).toBeVisible();
    await expectLocator(page.getByRole('region', { name: 'Different answers' })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
  });

  it('prints the verdict about ten fields and what differs on one page, in each language', async () => {
    const { token, user } = visitor;
    const more = Array.from({ length: 5 }, (_, index) => ({
      name: `agreed_${index}`,
      title: `Was the client told what happens next (${index})?`,
      type: 'boolean',
      description: 'What did the operator promise?',
    }));
    const { id } = await addAssistant(service.api, token, { fields: [...FIELDS, ...more] });
    const asked = await AssistantModel.query().findById(id).throwIfNotFound();
    const answers = (value: boolean) => ({ ...RIGHT, ...Object.fromEntries(more.map(({ name }) => [name, value])) });
    const pairs = Array.from({ length: 9 }, (_, index) => ({
      before: { ...answers(index % 2 === 0), resolved: false },
      after: { ...answers(true), score: 2 },
      right: answers(true),
    }));
    const overrides = {
      system_prompt: 'Answer only what the client says.\nLeave out what follows from it.\n'.repeat(4),
    };
    const batch_id = await createExperiment(service.api, { token, assistant: asked }, pairs, {
      status: 'completed',
      ended_at: new Date(),
      overrides,
      settings: { ...asked.freeze(), ...overrides },
    });
    for (const language of CONSOLE_LANGUAGES) {
      const { page, close } = await openPageOf(service.api, user);
      await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['${language}'] })`);
      await open(page, batch_id);
      await expectLocator(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
      await expectLocator(page.getByRole('main').getByText('Leave out what follows from it.').first()).toBeVisible();
      const pdf = await page.pdf({ format: 'A4' });
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g), language).to.have.length(1);
      await close();
    }
  });

  it('is listed with its verdict and whether it is in use', async () => {
    const { page } = visitor;
    const other = await AssistantModel.query()
      .findById((await addAssistant(service.api, visitor.token, { fields: FIELDS, name: 'Another' })).id)
      .throwIfNotFound();
    const ended = { status: 'completed', ended_at: new Date() } as const;
    const settings = { ...assistant.freeze(), system_prompt: 'Say it shorter.' };
    await test(9, { name: 'Shorter', settings });
    await test(1, { name: 'As before' });
    await createExperiment(service.api, { token: visitor.token, assistant: other }, [], {
      name: 'Elsewhere',
      ...ended,
    });
    await page.goto(`/console/assistants/${assistant.id}`);
    await page.getByRole('main').getByRole('link', { name: 'Experiments' }).click();
    const list = page.getByRole('region', { name: 'Experiments' }).getByRole('row');
    await expectLocator(list).toHaveCount(3);
    await expectLocator(list.nth(1)).toContainText(/As before.*In use.*No difference shown:/);
    await expectLocator(list.nth(2)).toContainText(/Shorter.*Better: Problem solved.*Worse: score/);
    await expectLocator(list.nth(2)).not.toContainText('In use');
    await expectUsable(page);
    await page.goto('/console/experiments');
    // Cards have no head.
    await expectLocator(list).toHaveCount(3);
    await openWithin(page, `/console/batches?assistant_id=${other.id}`);
    await expectLocator(page).toHaveURL(new RegExp(`/experiments\\?assistant_id=${other.id}$`));
    await expectLocator(list).toHaveCount(1);
  });

  it('leads from the experiments to the settings, and says which reviews do not count for a changed question', async () => {
    const { page, token } = visitor;
    const { id } = await createAnswered(assistant, RIGHT);
    await send(service.api, 'putSessionReview', { token, params: { id }, body: { answers: RIGHT, sampled: true } });
    await page.goto(`/console/experiments?assistant_id=${assistant.id}`);
    await page.getByRole('link', { name: 'Test other settings' }).click();
    await page.getByRole('group', { name: 'Questions' }).locator('summary').nth(1).click();
    await page.getByRole('textbox', { name: 'Question' }).fill('Satisfaction from 1 to 10.');
    await page.getByRole('button', { name: 'Test on 1 reviewed conversation' }).click();
    await expectLocator(page.getByText('these are not compared: score.')).toBeVisible();
    await expectLocator(page.getByLabel('Name (optional)', { exact: true })).toHaveAttribute('placeholder', 'score');
    await page.getByRole('button', { name: 'Start experiment' }).click();
    await expectLocator(page.getByRole('heading', { level: 1, name: 'score' })).toBeVisible();
    await expectLocator(page.getByText('Not compared: score. The question changed.')).toBeVisible();
  });
});
