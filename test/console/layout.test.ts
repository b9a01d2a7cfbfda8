import { expect } from 'chai';
import { submitTextRequest } from '../../contract/requests.ts';
import { send } from '../support/api.ts';
import { expectLocator } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAnswered, createAssistant } from '../support/factories.ts';
import { startClosedReceiver } from '../support/receiver.ts';
import { addAssistant } from '../support/started-service.ts';

/** Core Web Vitals calls more than this poor. https://web.dev/articles/cls */
const MAX_SHIFT = 0.1;

const FIELDS = [{ name: 'solved', type: 'boolean' as const, description: 'Is it solved?', evidence: true }];

const RECORD = `window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true })`;

describe('The layout of the console', () => {
  const { service, visitor } = visitEachTest();

  it('does not shift while a page loads, nor while a delivery waits', async function () {
    this.timeout(90_000);
    const { page, token, user } = visitor;
    const receiver = await startClosedReceiver('closed');
    const { id } = await addAssistant(service.api, token, { webhook_url: receiver.url });
    const body = { assistant_id: id, conversation: [{ role: 'client', text: 'Hello.' }] };
    const sessionId = (await send(service.api, submitTextRequest, { token, body })).body.session_id;
    const answered = await createAssistant(user.default_workspace_id, { fields: FIELDS });
    await createAnswered(answered, { solved: true });
    await page.addInitScript(RECORD);
    await page.goto('/console/deliveries');
    const deliveryPath = await page.getByRole('link', { name: 'session.completed' }).getAttribute('href');
    const paths = [
      ...['', '/start', '/sessions', '/deliveries', '/assistants', '/usage', '/settings/tokens', '/system'],
      ...[`/sessions/${sessionId}`, `/assistants/${id}`, `/assistants/${answered.id}/results`],
    ].map((path) => `/console${path}`);
    const shifts: Record<string, number> = {};
    for (const path of [...paths, deliveryPath ?? '']) {
      await page.goto(path);
      await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectLocator(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
      shifts[path] = await page.evaluate<number>('window.shift');
    }
    await receiver.stop();
    const poor = Object.entries(shifts).filter(([, shift]) => shift > MAX_SHIFT);
    expect(poor).to.deep.equal([]);
  });

  it('uses a wide screen, at a base size of 14 pixels', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.goto('/console/sessions');
    await expectLocator(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
    const width = await page.evaluate<number>("document.querySelector('main search').getBoundingClientRect().width");
    expect(width).to.be.above(1_500);
    expect(await page.evaluate('getComputedStyle(document.body).fontSize')).to.equal('14px');
  });
});
