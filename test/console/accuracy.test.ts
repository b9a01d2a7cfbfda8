import type { Page } from '@playwright/test';
import type { FieldAccuracy } from '../../contract/reviews/accuracy.ts';
import type { FieldValue } from '../../contract/fields/result-fields.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectFitsPhone, expectLocator } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
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
    await send(service.api, 'putSessionReview', { token: visitor.token, params: { id: session.id }, body });
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
    const [field] = (await send(service.api, 'getAssistantAccuracy', { token, params: { id: assistant.id } })).body
      .fields;
    return field!;
  }

  const percent = (share: number | null) => `${Math.round((share ?? 0) * 100)}`;

  it('says the numbers of the API at each question and by version, and links mistakes to their sessions', async () => {
    const { page } = visitor;
    const { share, lower, upper, judged, right, baseline, by_version } = await reviewAll();
    await open(page);
    const link = page.getByRole('link', { name: `Right in ${right} of ${judged}` });
    await expectLocator(link).toHaveCount(1);
    await expectLocator(link).toHaveAttribute(
      'title',
      `Wrong: ${judged - right} of ${judged}. ${percent(share)}% (${percent(lower)}–${percent(upper)}). Always “Yes” would be right in ${percent(baseline?.share ?? null)}%`,
    );
    expect([judged, baseline?.value]).to.deep.equal([20, true]);
    const versions = page.getByRole('region', { name: 'resolved by Version' });
    for (const row of by_version)
      await expectLocator(
        versions
          .getByRole('row', { name: `Version ${row.version}` })
          .getByText(`${row.right} of ${row.judged}`, { exact: true }),
      ).toHaveAttribute('title', `${percent(row.share)}% (${percent(row.lower)}–${percent(row.upper)})`);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectFitsPhone(page);
    await expectAccessible(page);
    await link.click();
    await expectLocator(page.locator('tbody tr')).toHaveCount(judged - right);
  });

  it('hides figures that conditions on results would distort', async () => {
    const { page } = visitor;
    await review({ resolved: true }, { resolved: true });
    await open(page);
    await expectLocator(page.getByText('Right in 1 of 1')).toBeVisible();
    await page.goto(`/console/assistants/${assistant.id}/results?field=reason:null`);
    await expectLocator(page.getByRole('link', { name: 'Show this session' })).toBeVisible();
    await expectLocator(page.getByText('Right in 1 of 1')).toHaveCount(0);
  });
});
