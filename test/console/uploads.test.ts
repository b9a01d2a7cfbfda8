import { readFileSync } from 'node:fs';
import { send } from '../support/api.ts';
import { expectAccessible, expectFitsPhone, expectLocator, openWithin, expectUsable } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { startReceiver } from '../support/receiver.ts';
import { stopAfterTest } from '../support/stop-after-test.ts';
import { addAssistant } from '../support/started-service.ts';
import { addVoiceAssistant } from '../support/voice.ts';

const SAMPLE = readFileSync(new URL('../../examples/samples/support-call.mp3', import.meta.url));

describe('The "New conversation" page', () => {
  const { service, visitor } = visitEachTest();

  /** Bytes after the last frame make the recording different. Players skip them. */
  const recording = (name: string, extra = name) => ({
    name,
    mimeType: 'audio/mpeg',
    buffer: Buffer.concat([SAMPLE, Buffer.from(extra)]),
  });

  const choose = (files: ReturnType<typeof recording>[]) =>
    visitor.page.locator('input[type=file][multiple]').setInputFiles(files);

  const countSessions = async () =>
    (await send(service.api, 'listSessions', { token: visitor.token, query: { limit: 200 } })).body.data.length;

  it('says at once that a browser is too old, instead of loading for ever', async () => {
    // The page of the visitor reports the error that the console then has.
    const page = await visitor.page.context().newPage();
    await page.addInitScript('delete Map.groupBy');
    await page.goto('/console/login');
    await expectLocator(page.getByRole('alert')).toHaveText('This browser is too old for the console. Update it.');
    expect(await page.getByRole('progressbar').count()).to.equal(0);
    // The page of the visitor is in front again.
    await page.close();
  });

  it('guides a new user to a first result', async () => {
    const { page } = visitor;
    await page.goto('/console/start');
    await page.getByLabel('Template').selectOption('Service quality check');
    await expectLocator(page.getByText('Was the operator polite during the whole call?').first()).toBeVisible();
    await page.getByRole('button', { name: 'Create assistant' }).click();
    await page.getByRole('button', { name: 'Analyze' }).click();
    await expectLocator(page.getByText('Enter a value.')).toBeVisible();
    await page.getByRole('button', { name: 'Use sample' }).click();
    await expectLocator(page.getByLabel('Conversation', { exact: true })).not.toBeEmpty();
    await expectLocator(page.getByText('Enter a value.')).toHaveCount(0);
    await page.getByRole('button', { name: 'Analyze' }).click();
    await expectLocator(page.getByRole('link', { name: 'Open session' })).toBeVisible();
    await expectLocator(page.getByText('Completed').first()).toBeVisible();
    await expectUsable(page);
    const webhook_url = `http://127.0.0.1:9000/${'long'.repeat(40)}`;
    const { id } = await addAssistant(service.api, visitor.token, { webhook_url });
    await page.goto(`/console/start?assistant=${id}`);
    await page.getByText('Automate').click();
    await expectLocator(page.getByText(webhook_url)).toBeVisible();
    await page.getByRole('button', { name: 'Create token' }).click();
    await expectLocator(page.getByText('The code below contains the token.')).toBeVisible();
    await expectFitsPhone(page);
  });

  it('submits a conversation once if the response is lost and the person tries again', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token);
    let isLost = true;
    await page.route('**/v1/requests/text', async (route) => {
      const response = await route.fetch();
      await (isLost ? route.abort() : route.fulfill({ response }));
    });
    await page.goto(`/console/start?assistant=${id}`);
    await page.getByLabel('Conversation', { exact: true }).fill('operator: Hello.\nclient: My parcel is late.');
    await page.getByRole('button', { name: 'Analyze' }).click();
    await expectLocator(page.getByRole('main').getByRole('alert')).toContainText('Can’t reach the server');
    isLost = false;
    await page.getByRole('button', { name: 'Analyze' }).click();
    await expectLocator(page.getByRole('link', { name: 'Open session' })).toBeVisible();
    expect((await send(service.api, 'listSessions', { token })).body.data).to.have.length(1);
  });

  it('submits metadata, which becomes the title of the session and finds the session', async () => {
    const { page, token } = visitor;
    const [text, voice] = [await addAssistant(service.api, token), await addVoiceAssistant(service.api, token)];
    await page.goto(`/console/start?assistant=${text.id}`);
    await page.getByRole('button', { name: 'Use sample' }).click();
    await expectLocator(page.getByLabel('Conversation', { exact: true })).not.toBeEmpty();
    for (const [index, [key, value]] of Object.entries({ team: 'north', call_id: 'c-1042' }).entries()) {
      await page.getByRole('button', { name: 'Metadata' }).click();
      await page.getByLabel('Key').nth(index).fill(key);
      await page.getByLabel('Value').nth(index).fill(value);
    }
    await page.getByRole('button', { name: 'Analyze' }).click();
    await expectLocator(page.getByText('Completed').first()).toBeVisible();
    await page.goto(`/console/start?assistant=${voice.id}`);
    await page.getByLabel('team').fill('south');
    await page.getByText('Data of several files').click();
    await page.getByLabel('From file names like').fill('{agent}_{call_id}');
    const table = Buffer.from('\ufefffile;note\r\nDana_c-1043.mp3;"one; two"\r\n');
    await choose([
      recording('Dana_c-1043.mp3'),
      recording('Bob_c-1044.mp3'),
      { name: 'calls.csv', mimeType: 'text/csv', buffer: table },
    ]);
    await expectLocator(page.getByText('The CSV has data of 1 files.')).toBeVisible();
    await expectLocator(page.getByText('2 of 2 accepted')).toBeVisible();
    const stored = (await send(service.api, 'listSessions', { token, query: { limit: 2 } })).body.data;
    expect(stored.map(({ metadata: { upload_key: _, ...data } }) => data)).to.have.deep.members([
      { file_name: 'Dana_c-1043.mp3', team: 'south', agent: 'Dana', call_id: 'c-1043', note: 'one; two' },
      { file_name: 'Bob_c-1044.mp3', team: 'south', agent: 'Bob', call_id: 'c-1044' },
    ]);
    await openWithin(page, '/console/sessions');
    await page.getByRole('searchbox').fill('c-1042');
    await expectLocator(page).toHaveURL(/q=c-1042/);
    await expectLocator(page.getByText('1 session', { exact: true })).toBeVisible();
    // The list may arrive after its count.
    await expectLocator(page.locator('[data-row-link]')).toHaveCount(1);
    await page.locator('[data-row-link]').click();
    await expectLocator(page).toHaveTitle(/^c-1042 · /);
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'north' }).click();
    await expectLocator(page).toHaveURL(/metadata=team%3Dnorth$/);
    await openWithin(page, '/console/sessions?metadata=call_id=c-1043');
    await expectLocator(page).toHaveTitle(/^Sessions · /);
    await expectLocator(page.getByText('1 session', { exact: true })).toBeVisible();
    await expectLocator(page.locator('[data-row-link]')).toHaveCount(1);
    await page.locator('[data-row-link]').click();
    await expectLocator(page).toHaveTitle(/^c-1043 · /);
    await expectLocator(page.getByRole('main')).not.toContainText('upload_key:');
  });

  it('says what a conversation can not be read for, takes a dropped text file, and counts skipped notices', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token);
    await page.goto(`/console/start?assistant=${id}`);
    const box = page.getByRole('textbox', { name: 'Conversation' });
    const analyze = page.getByRole('button', { name: 'Analyze' });
    await box.fill('{"conversation": [');
    await analyze.click();
    await expectLocator(page.getByText(/^Line 1: /)).toBeVisible();
    const drop = (bytes: number[]) =>
      box.evaluate((node, content) => {
        // The tests are checked without the types of browsers.
        const { DataTransfer, DragEvent } = globalThis as unknown as {
          DataTransfer: new () => { items: { add: (file: File) => void } };
          DragEvent: new (name: string, init: object) => Event;
        };
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(content)], 'chat.txt'));
        (node as unknown as EventTarget).dispatchEvent(
          new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
        );
      }, bytes);
    await drop([]);
    await expectLocator(page.getByText('The file “chat.txt” is empty. Choose another file.')).toBeVisible();
    await drop([0x41, 0x6e, 0x6e, 0x3a, 0x20, 0xcf, 0xf0]);
    await expectLocator(page.getByText('Line 1: not UTF-8.')).toBeVisible();
    await page.locator('form input[type=file]').setInputFiles({
      name: 'call.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Ann: A chosen file.'),
    });
    await expectLocator(box).toHaveValue('Ann: A chosen file.');
    const chat = '[21.11.26, 09:30:00] Ann: Hello\n[21.11.26, 09:30:05] Ann created group “Calls”\n';
    await drop([...Buffer.from(`${chat}[21.11.26, 09:31:00] Bob: My bill is wrong.\n`)]);
    await expectLocator(box).toHaveValue(/My bill is wrong/);
    await analyze.click();
    await expectLocator(page.getByText('Skipped 1 message without words of a person.')).toBeVisible();
    await expectLocator(page.getByText('Completed').first()).toBeVisible();
  });

  it('submits the URL of a recording, shows its download, and retries it with another URL', async () => {
    const { page, token } = visitor;
    const hold = Promise.withResolvers<void>();
    const server = await stopAfterTest(
      startReceiver((response, { path }) => {
        if (path === '/page') response.end('<!doctype html>');
        else void hold.promise.then(() => response.end(SAMPLE));
      }),
    );
    const { id } = await addVoiceAssistant(service.api, token);
    await page.goto(`/console/start?assistant=${id}`);
    await page.getByText('Recording URL').first().click();
    await page.getByRole('textbox', { name: 'Recording URL' }).fill(`${server.url}/page`);
    await page.getByRole('button', { name: 'Submit URL' }).click();
    await expectLocator(page.getByText('Failed').first()).toBeVisible();
    await page.getByRole('link', { name: 'Open session' }).click();
    await expectLocator(page.getByText('Download failed.')).toBeVisible();
    await page.getByRole('button', { name: 'Retry' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Recording URL').fill(`${server.url}/call`);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expectLocator(page.getByText('Downloading')).toBeVisible();
    await expectLocator(page.getByText(new URL(server.url).host)).toBeVisible();
    await expectAccessible(page);
    hold.resolve();
    await expectLocator(page.getByRole('button', { name: 'Reanalyze' })).toBeVisible();
  });

  it('lists failed uploads with their reasons, and retries them with one button', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(service.api, token);
    await page.goto(`/console/start?assistant=${assistant.id}`);
    await page.route('**/requests/voice', (route) => route.abort());
    await choose([recording('a.mp3'), recording('b.mp3')]);
    await expectLocator(page.getByText('0 of 2 accepted, 2 failed', { exact: true })).toBeVisible();
    await page.unroute('**/requests/voice');
    await page.getByRole('button', { name: 'Retry 2 failed' }).click();
    await expectLocator(page.getByText('2 of 2 accepted')).toBeVisible();

    await choose([{ name: 'notes.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('not a recording at all') }]);
    const row = page.getByRole('listitem').filter({ hasText: 'notes.mp3' });
    await expectLocator(row).toContainText('Failed');
    await expectLocator(row).toContainText('The file is not a recording; send WAV');
    expect((await row.textContent())?.match(/is not a recording/g)).to.have.length(1);
    await openWithin(page, '/console/usage');
    await page.getByRole('link', { name: 'Uploads: 2 of 3 accepted, 1 failed' }).click();
    await choose([
      { name: 'empty.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(0) },
      { name: 'silent.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF\x24\0\0\0WAVEfmt ') },
    ]);
    const reasons = page.getByRole('list', { name: 'Uploads' });
    await expectLocator(reasons.getByText('The file “empty.mp3” is empty. Choose another file.')).toBeVisible();
    await expectLocator(reasons.getByText('Has no sound, or less than 0.1 s of it.')).toBeVisible();
  });

  it('submits a renamed or copied recording once', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(service.api, token);
    await page.goto(`/console/start?assistant=${assistant.id}`);
    await choose([recording('a.mp3', 'same'), recording('b.mp3', 'same')]);
    await expectLocator(page.getByText('2 of 2 accepted')).toBeVisible();
    expect(await countSessions()).to.equal(1);
  });

  it('repeats an upload after Retry-After without showing a failure', async () => {
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
