import { expect } from 'chai';
import type { Page } from '@playwright/test';
import { getAssistantAccuracy, type FieldAccuracy } from '../../contract/reviews/accuracy.ts';
import { putSessionReview } from '../../contract/reviews/reviews.ts';
import type { FieldValue } from '../../contract/fields/result-fields.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectFitsPhone, expectLocator } from '../support/browser.ts';
import { openPageOf, visitEachTest } from '../support/console.ts';
import { createAnswered } from '../support/factories.ts';
import { addAssistant } from '../support/started-service.ts';

const FIELDS = [
  { name: 'resolved', type: 'boolean', description: 'Was the problem solved?' },
  { name: 'reason', type: 'string', description: 'Why did they call?' },
];

type Values = Record<string, FieldValue | null>;

describe('The accuracy on the results page', () => {
  const { service, visitor } = visitEachTest();
  let assistant: AssistantModel;
  beforeEach(async () => {
    const { id } = await addAssistant(service.api, visitor.token, { fields: FIELDS });
    assistant = await AssistantModel.query().findById(id).throwIfNotFound();
  });

  /** Creates a session with these values and its review. */
  async function review(
    values: Values,
    answers: Values,
    { sampled = true, ...fields }: Parameters<typeof createAnswered>[2] & { sampled?: boolean } = {},
  ): Promise<SessionModel> {
    const session = await createAnswered(assistant, { resolved: null, reason: null, ...values }, fields);
    const body = { answers, sampled };
    await send(service.api, putSessionReview, { token: visitor.token, params: { id: session.id }, body });
    return session;
  }

  const open = (page: Page) => page.goto(`/console/assistants/${assistant.id}/results`);

  /** Reviews twenty sessions of two versions with every kind of mistake, and one outside the sample. */
  async function reviewAll(): Promise<FieldAccuracy> {
    for (let index = 0; index < 14; index++)
      await review(
        { resolved: index > 3 },
        { resolved: index > 3 },
        { assistant_version: 1 + (index % 2), unverified: index === 0 ? ['resolved'] : [] },
      );
    for (let index = 0; index < 3; index++) await review({ resolved: true }, { resolved: false });
    await review({ resolved: true }, { resolved: null }, { unverified: ['resolved'] });
    for (let index = 0; index < 2; index++) await review({}, { resolved: false });
    await review({ resolved: true }, { resolved: false }, { sampled: false });
    const { token } = visitor;
    const [field] = (await send(service.api, getAssistantAccuracy, { token, params: { id: assistant.id } })).body
      .fields;
    return field!;
  }

  const percent = (share: number | null) => `${Math.round((share ?? 0) * 100)}`;

  it('says the numbers of the API in words, and links mistakes to their sessions', async () => {
    const { page } = visitor;
    const { share, lower, upper, judged, baseline, verified, unverified, by_version } = await reviewAll();
    await open(page);
    const rows = page.getByRole('list', { name: 'Accuracy' });
    await expectLocator(rows.getByRole('heading')).toHaveText(['resolved']);
    for (const text of [
      `Right in ${percent(share)}% (${percent(lower)} to ${percent(upper)}%) of ${judged} reviewed`,
      `Always “Yes” would be right in ${percent(baseline?.share ?? null)}%`,
      `Values with a quote that was said: right in ${percent(verified.share)}% of ${verified.judged}`,
      `Values without one: right in ${percent(unverified.share)}% of ${unverified.judged}`,
    ])
      await expectLocator(rows.getByText(text, { exact: true }).first()).toBeVisible();
    expect([judged, baseline?.value]).to.deep.equal([20, true]);
    const versions = page.getByRole('region', { name: 'resolved by Version' });
    for (const row of by_version)
      await expectLocator(versions.getByRole('row', { name: `Version ${row.version}` })).toContainText(
        `${percent(row.share)}%${percent(row.lower)} to ${percent(row.upper)}% of ${row.judged}`,
      );
    await expectLocator(page.getByText(/^1 review outside the sample does not count/)).toBeVisible();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectFitsPhone(page);
    await expectAccessible(page);

    const listed = page.getByRole('region', { name: 'Sessions' }).getByRole('row');
    await rows.getByRole('link', { name: '2 missed' }).click();
    await expectLocator(listed).toHaveCount(3);
    await page.goBack();
    await rows.getByRole('link', { name: '3 wrong, 1 invented' }).click();
    await expectLocator(listed).toHaveCount(5);
  });

  it('invites to review a random sample, and hides figures that conditions on results would distort', async () => {
    const { page } = visitor;
    await review({ resolved: true }, { resolved: false }, { sampled: false });
    await open(page);
    const link = page.getByRole('main').getByRole('link', { name: 'Review conversations' });
    const href = new URL((await link.getAttribute('href')) ?? '', 'http://console');
    expect(href.pathname).to.match(/\/review$/);
    expect(Object.fromEntries(href.searchParams)).to.deep.include({
      assistant_id: assistant.id,
      status: 'completed',
      reanalysis: 'false',
      review: 'unsampled',
      sort: 'random',
    });
    expect(href.searchParams.get('seed')).to.match(/^\d{1,9}$/);
    await expectLocator(page.getByText(/^1 review outside the sample/)).toBeVisible();
    await page.goto(`/console/assistants/${assistant.id}/results?field=resolved:eq:true`);
    await expectLocator(page.getByRole('link', { name: 'Show this session' })).toBeVisible();
    await expectLocator(link).toHaveCount(0);
  });

  it('has right plurals in each language', async () => {
    await reviewAll();
    for (const [language, ...expected] of [
      // cspell:disable
      [
        'ru',
        'верно в 70 % случаев (от 48 до 85 %), оценено: 20',
        '2 пропущенных',
        '1 оценка вне выборки не учитывается',
      ],
      [
        'uz',
        'tekshirilgan 20 tadan 70 % (48 dan 85 % gacha) toʻgʻri',
        '2 tasi topilmagan',
        'Tanlanmadan tashqari 1 ta tekshiruv',
      ],
      // cspell:enable
    ] as const) {
      const { page, close } = await openPageOf(service.api, visitor.user);
      await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['${language}'] })`);
      await open(page);
      for (const text of expected) await expectLocator(page.getByText(text).first()).toBeVisible();
      await expectFitsPhone(page);
      await close();
    }
  });
});
