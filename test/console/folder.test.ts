import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from '@playwright/test';
import type { RunningApi } from '../../api/start.ts';
import { send, startTestApi } from '../support/api.ts';
import { expectLocator } from '../support/browser.ts';
import { visit, type Visitor } from '../support/console.ts';
import { newFolder } from '../support/new-folder.ts';
import { terminateWorkflows } from '../support/temporal.ts';
import { addVoiceAssistant } from '../support/voice.ts';

const TONE = readFileSync(new URL('../fixtures/audio/tone.mp3', import.meta.url));

const RECORDINGS = 40;
const BROKEN = 3;
const ALL = RECORDINGS + BROKEN;
/** Recordings in a folder with more than 100 entries, because a browser lists 100 entries at a time. */
const IN_ONE_FOLDER = 30;
const NOTES = 80;

/** No worker runs, so accepted recordings stay queued. */
describe(`A folder of ${ALL} files dropped on the console`, () => {
  let api: RunningApi;
  let visitor: Visitor;
  let folder: string;
  before(async function () {
    this.timeout(0);
    api = await startTestApi();
    visitor = await visit(api);
    folder = fillFolder();
  });
  after(async () => {
    await visitor.close();
    await api.stop();
    await terminateWorkflows();
  });

  it('is uploaded three files at a time while the user works; a reload submits no file twice', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(api, token);
    const countSessions = async () =>
      (await send(api, 'listSessions', { token, query: { limit: 200 } })).body.data.length;
    const mostAtOnce = watchUploads(page);
    page.on('dialog', (dialog) => void dialog.accept()); // the browser asks for confirmation before it leaves a tab with uploads
    await page.goto(`/console/start?assistant=${assistant.id}`);
    await drop(page, folder);
    await expectLocator(page.getByText(`Skipped ${NOTES} files that aren’t audio.`)).toBeVisible();
    await expectLocator(page.getByRole('progressbar')).toHaveCount(ALL + 1);
    await page.getByRole('link', { name: 'Assistants' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Assistants', level: 1 })).toBeVisible();
    await page.goBack();
    await expectLocator(page.getByText(new RegExp(`^\\d{2} of ${ALL} accepted`))).toBeVisible();

    await page.reload();
    await drop(page, folder);
    await expectLocator(
      page.getByText(`${RECORDINGS} of ${ALL} accepted, ${BROKEN} failed`, { exact: true }),
    ).toBeVisible();
    expect(await countSessions()).to.equal(RECORDINGS);
    expect(await page.getByText('already submitted').count()).to.be.at.least(10);
    expect(mostAtOnce()).to.equal(3);

    const broken = page.getByRole('listitem').filter({ hasText: 'broken' });
    await expectLocator(broken).toHaveText(
      Array.from({ length: BROKEN }, () => /Failed.*The file is not a recording; send WAV/),
    );
    const list = page.getByRole('list', { name: 'Uploads' });
    await expectLocator(list.getByRole('listitem').first()).toContainText('broken');
    await page.getByRole('button', { name: `Retry ${BROKEN} failed` }).click();
    await expectLocator(
      page.getByText(`${RECORDINGS} of ${ALL} accepted, ${BROKEN} failed`, { exact: true }),
    ).toBeVisible();
    expect(await countSessions()).to.equal(RECORDINGS);
    expect(visitor.faults).to.deep.equal([]);
  });
});

/** Creates nested folders with files named as recordings, and text files. */
function fillFolder(): string {
  const folder = newFolder();
  const [busy, quiet] = [join(folder, 'monday'), join(folder, 'week', 'tuesday')];
  for (const each of [busy, quiet]) mkdirSync(each, { recursive: true });
  for (let index = 0; index < RECORDINGS; index++) {
    // Bytes after the last frame make the recording different. Players skip them.
    const bytes = Buffer.concat([TONE, Buffer.from(String(index))]);
    writeFileSync(join(index < IN_ONE_FOLDER ? busy : quiet, `call-${index}.mp3`), bytes);
  }
  for (let index = 0; index < BROKEN; index++) writeFileSync(join(quiet, `broken-${index}.mp3`), 'no recording');
  for (let index = 0; index < NOTES; index++) writeFileSync(join(busy, `call-${index}.txt`), 'Mondays are busy.');
  return folder;
}

/** Drops a folder like a user, so Chromium passes file system entries to the page. */
async function drop(page: Page, folder: string): Promise<void> {
  const zone = page.getByText('Drop recordings or a folder here');
  await zone.scrollIntoViewIfNeeded();
  const box = await zone.boundingBox();
  if (!box) throw new Error(`there is nowhere to drop ${basename(folder)}`);
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: box.x + 5, y: box.y + 5, data });
  }
  await devtools.detach();
}

/** Returns a function that returns the maximum number of concurrent uploads. */
function watchUploads(page: Page): () => number {
  const underWay = new Set<unknown>();
  let most = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/requests/voice')) most = Math.max(most, underWay.add(request).size);
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  return () => most;
}
