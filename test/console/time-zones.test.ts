/** Days are those of the person who looks, wherever the server computes them. */
import type { Page } from '@playwright/test';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { expectLocator } from '../support/browser.ts';
import { openPageOf, visitEachTest } from '../support/console.ts';
import { createAnswered, createAssistant, createCall, createReview, sessionIdAt } from '../support/factories.ts';

const DAY_MS = 86_400_000;

/** Times of day in UTC that belong to another day in the zone. Browsers have old names for some zones. */
const ZONES = [
  { timezoneId: 'Asia/Tashkent', zone: 'Asia/Tashkent', hour: 20 },
  { timezoneId: 'America/Los_Angeles', zone: 'America/Los_Angeles', hour: 2 },
  { timezoneId: 'Asia/Kathmandu', zone: 'Asia/Katmandu', hour: 20 },
];

const FIELD = { name: 'resolved', type: 'boolean', description: 'Was the problem solved?', evidence: false } as const;

describe('The time zone of the console', () => {
  const { service, visitor } = visitEachTest();

  /** Creates a conversation three days ago in UTC. */
  async function create(hour: number): Promise<{ assistant: AssistantModel; at: Date; id: string }> {
    const at = new Date(Math.floor(Date.now() / DAY_MS - 3) * DAY_MS + hour * 3_600_000);
    const assistant = await createAssistant(visitor.user.default_workspace_id, { fields: [FIELD] });
    const times = { id: sessionIdAt(at), created_at: at };
    const session = await createAnswered(assistant, { resolved: true }, times);
    await createReview(session, { day: at.toISOString().slice(0, 10) });
    await createCall(session, { started_at: at, cost_usd: 0.25 });
    // Charts begin at three days.
    for (const days of [1, 2]) {
      const created_at = new Date(+at - days * DAY_MS);
      const earlier = await createAnswered(assistant, { resolved: true }, { id: sessionIdAt(created_at), created_at });
      await createCall(earlier, { started_at: created_at, cost_usd: 0.25 });
    }
    return { assistant, at, id: session.id };
  }

  /** Opens what the bar of a day counts. */
  async function openBar(page: Page, chart: RegExp): Promise<void> {
    const bars = page.getByRole('img', { name: chart });
    await bars.focus();
    // The bar of the last day with an amount is chosen.
    await page.keyboard.press('Enter');
    await expectLocator(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeVisible();
  }

  for (const { timezoneId, zone, hour } of ZONES) {
    it(`counts the days of ${timezoneId} in usage, statistics, results, accuracy and exports`, async () => {
      const { assistant, at, id } = await create(hour);
      const dayIn = (timeZone: string) => at.toLocaleString('en-GB', { day: 'numeric', month: 'short', timeZone });
      expect(dayIn(timezoneId)).not.to.equal(dayIn('UTC'));
      const { page, faults, close } = await openPageOf(service.api, visitor.user, { timezoneId });
      const reports = new Set<string | undefined>();
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (searchParams.get('timezone') === zone) reports.add(pathname.split('/').at(-1));
      });

      await page.goto('/console/usage?range=7d');
      await expectLocator(page.locator('tbody time').first()).toHaveText(dayIn(timezoneId));
      await expectLocator(page.getByText(`Days begin at midnight (${zone}),`)).toBeVisible();
      await openBar(page, /Cost per day/);
      await expectLocator(page.locator(`a[href$="${id}"]`)).toBeVisible();
      await page.getByRole('button', { name: 'Export …' }).click();
      const csv = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
      expect(new URL(csv ?? '', page.url()).searchParams.get('timezone')).to.equal(zone);

      await page.goto('/console/?range=7d');
      await openBar(page, /Sessions/);
      await expectLocator(page.locator(`a[href$="${id}"]`)).toBeVisible();

      await page.goto(`/console/assistants/${assistant.id}/results?range=7d`);
      await page.getByText('By day').click();
      await openBar(page, /By day/);
      await expectLocator(page.locator(`a[href$="${id}"]`)).toBeVisible();

      expect([...reports]).to.have.members(['usage', 'stats', 'results', 'accuracy']);
      expect(faults).to.deep.equal([]);
      await close();
    });
  }
});
