import { spawn } from 'node:child_process';
import { Builder, By, Capabilities, Key } from 'selenium-webdriver';
import { freePort } from '../../local/ports.ts';
import { eventually } from '../support/eventually.ts';
import type { Tab } from './tab.ts';

const KEYS = { Enter: Key.ENTER, Space: Key.SPACE, Escape: Key.ESCAPE };

/** Opens the small browser of WebKitGTK, whose engine is that of Safari, through its driver on a virtual screen. */
export async function openWebKit(driverPath: string): Promise<Tab> {
  const port = await freePort();
  const server = spawn('xvfb-run', ['--auto-servernum', driverPath, `--port=${port}`], {
    stdio: 'ignore',
    detached: true,
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    () =>
      fetch(`${url}/status`).then(
        ({ ok }) => ok,
        () => false,
      ),
    (isReady) => isReady,
  );
  const driver = await new Builder()
    .usingServer(url)
    .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
    .build();
  await driver.manage().window().setRect({ width: 1280, height: 860 });
  return {
    open: (address) => driver.get(address),
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    async click(selector) {
      const element = await driver.findElement(By.css(selector));
      // As Firefox's driver does: outside of the window, a click hits nothing.
      await driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element);
      // Not `element.click()`, which reports another element on top as an error of its own.
      await driver.actions().move({ origin: element }).click().perform();
    },
    type: (text) => driver.actions().sendKeys(text).perform(),
    press: (key) => driver.actions().sendKeys(KEYS[key]).perform(),
    async close() {
      await driver.quit();
      // The driver and its virtual screen are a process group.
      process.kill(-(server.pid ?? 0));
    },
  };
}
