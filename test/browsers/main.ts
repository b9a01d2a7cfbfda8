/**
 * `npm run test:browsers`: walks through the console in Debian's Firefox and WebKitGTK (the engine of Safari). Playwright, which the
 * other tests use, drives only browsers that it downloads.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocal } from '../../local/start.ts';
import { runMain, StartError } from '../../runtime/process/process.ts';
import { send } from '../support/api.ts';
import { says } from '../support/factories.ts';
import { addAssistant, register } from '../support/started-service.ts';
import { addVoiceAssistant, submitVoice } from '../support/voice.ts';
import { openFirefox } from './firefox.ts';
import type { Tab } from './tab.ts';
import { walk, type Visit } from './walk.ts';
import { openWebKit } from './webkit.ts';

const FIREFOX = '/usr/bin/firefox-esr';
const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';

await runMain(async () => {
  for (const program of [FIREFOX, WEBKIT_DRIVER, '/usr/bin/xvfb-run']) {
    if (existsSync(program)) continue;
    throw new StartError(`${program} is missing. Run: apt-get install firefox-esr webkit2gtk-driver xvfb xauth`);
  }
  const directory = mkdtempSync(join(tmpdir(), 'cas-browsers-'));
  const { PATH, HOME } = process.env;
  const service = await startLocal({ PATH, HOME, DATA_DIR: directory, LOG_LEVEL: 'warn', PORT: '0' }, console.log);
  const url = service.endpoints.api_url;
  try {
    const saved = () => readdirSync(directory);
    await visitWith('Firefox', await openFirefox(FIREFOX, directory), { ...(await fill(url)), saved });
    await visitWith('WebKit', await openWebKit(WEBKIT_DRIVER), await fill(url));
    console.log('All as expected.');
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
process.exit();

async function visitWith(name: string, tab: Tab, visit: Visit): Promise<void> {
  let step = '';
  try {
    await walk(tab, visit, (next) => console.log(`${name}: ${(step = next)}`));
  } catch (error) {
    throw new StartError(`${name} failed at "${step}": ${String(error)}`);
  } finally {
    await tab.close();
  }
}

/** Registers an account with three sessions. */
async function fill(url: string): Promise<Visit> {
  const { token, email, password } = await register({ url });
  const { id } = await addAssistant({ url }, token);
  const submit = async (text: string) =>
    (await send({ url }, 'submitTextRequest', { token, body: { assistant_id: id, conversation: says(text) } })).body
      .session_id;
  const first = await submit('My parcel has not arrived.');
  const second = await submit('A lost umbrella.');
  const voice = await addVoiceAssistant({ url }, token);
  const { session_id: recordedId } = await submitVoice({ url }, { token, assistantId: voice.id });
  return { url, email, password, assistantId: id, recordedId, sessionIds: [recordedId, second, first] };
}
