import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from 'puppeteer-core';
import type { Tab } from './tab.ts';

/** Sound goes nowhere, at the speed of a sound card. */
const SOUND = 'pcm.!default { type null }\nctl.!default { type null }\n';

/** Opens Debian's Firefox, which speaks WebDriver BiDi itself. Downloads are saved in `folder`. */
export async function openFirefox(executablePath: string, folder: string): Promise<Tab> {
  const soundConfig = join(folder, 'asound.conf');
  writeFileSync(soundConfig, SOUND);
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: {
      'browser.download.folderList': 2,
      'browser.download.dir': folder,
      'media.cubeb.backend': 'alsa',
    },
    // Machines without a sound card could play nothing.
    env: { ...process.env, ALSA_CONFIG_PATH: soundConfig },
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  return {
    open: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    click: (selector) => page.click(selector),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key === 'Space' ? ' ' : key),
    close: () => browser.close(),
  };
}
