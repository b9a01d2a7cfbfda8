import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { listSessions } from '../../contract/sessions.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectNoSidewaysScroll } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { addVoiceAssistant } from '../support/voice.ts';

const SAMPLE = readFileSync(new URL('../../samples/support-call.mp3', import.meta.url));

describe("The console's page for new conversations", () => {
  const { service, visitor } = visitEachTest();

  /** Different bytes make different recordings: players skip what follows the last frame. */
  const recording = (name: string, extra = name) => ({
    name,
    mimeType: 'audio/mpeg',
    buffer: Buffer.concat([SAMPLE, Buffer.from(extra)]),
  });

  const choose = (files: ReturnType<typeof recording>[]) =>
    visitor.page.locator('input[type=file][multiple]').setInputFiles(files);

  const countSessions = async () =>
    (await send(service.api, listSessions, { token: visitor.token, query: { limit: 200 } })).body.data.length;

  it('leads from an account without anything to a first result', async () => {
    const { page } = visitor;
    await page.goto('/console/start');
    await page.getByRole('button', { name: 'Create assistant' }).click();
    await page.getByRole('button', { name: 'Use a sample' }).click();
    await page.getByRole('button', { name: 'Analyze' }).click();
    await expectLocator(page.getByRole('link', { name: 'Open the session' })).toBeVisible();
    await expectLocator(page.getByText('Completed').first()).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    expect(visitor.faults).to.deep.equal([]);
  });

  it('takes many recordings at once, three on their way, and pays for none twice after a reload', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(service.api, token);
    let most = 0;
    let underWay = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/requests/voice')) most = Math.max(most, ++underWay);
    });
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('/requests/voice')) underWay--;
    });
    const files = Array.from({ length: 8 }, (_, index) => recording(`call-${index}.mp3`));
    await page.goto(`/console/start?assistant=${assistant.id}`);
    await choose(files);
    await expectLocator(page.getByText('8 of 8 accepted')).toBeVisible();
    expect(most).to.equal(3);
    expect(await countSessions()).to.equal(8);

    await page.reload();
    await choose(files);
    await expectLocator(page.getByText('8 of 8 accepted')).toBeVisible();
    await expectLocator(page.getByText('submitted before')).toHaveCount(8);
    expect(await countSessions()).to.equal(8);
    expect(visitor.faults).to.deep.equal([]);
  });

  it('lists what failed and why, and tries those again on one press', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(service.api, token);
    await page.goto(`/console/start?assistant=${assistant.id}`);
    await page.route('**/requests/voice', (route) => route.abort());
    await choose([recording('a.mp3'), recording('b.mp3')]);
    await expectLocator(page.getByText('0 of 2 accepted, 2 failed')).toBeVisible();
    await page.unroute('**/requests/voice');
    await page.getByRole('button', { name: 'Retry 2 failed' }).click();
    await expectLocator(page.getByText('2 of 2 accepted')).toBeVisible();

    await choose([{ name: 'notes.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('not a recording at all') }]);
    const row = page.getByRole('listitem').filter({ hasText: 'notes.mp3' });
    await expectLocator(row).toContainText('Failed');
    await expectLocator(row).toContainText('Unsupported media type');
    expect((await row.textContent())?.match(/is not a recording/g)).to.have.length(1);
  });

  it('sends what the service puts off again when it may, without a word of failure', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(service.api, token);
    await page.goto(`/console/start?assistant=${assistant.id}`);
    let putOff = 2;
    await page.route('**/requests/voice', (route) =>
      putOff-- > 0 ? route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: {} }) : route.continue(),
    );
    await choose([recording('a.mp3'), recording('b.mp3'), recording('c.mp3')]);
    await expectLocator(page.getByText('3 of 3 accepted')).toBeVisible();
    expect(await countSessions()).to.equal(3);
  });
});
