import { chromium } from '@playwright/test';
import { readFileSync } from 'node:fs';
(globalThis as any).after = () => undefined;
const { openPage, expectAccessible } = await import('./support/browser.ts');
const base = 'http://127.0.0.1:3911';
const [, , colorScheme = 'light', width = '1280', ...paths] = process.argv;
const opened = await openPage(base, { colorScheme: colorScheme as 'light', viewport: { width: Number(width), height: 900 } });
const { page } = opened;
await page.goto('/console/login');
await page.getByLabel('E-mail').fill('demo@example.com');
await page.getByLabel('Password').fill('correct horse battery');
await page.getByRole('button', { name: 'Log in' }).click();
await page.waitForTimeout(1500);
for (const path of paths) {
  await page.goto('/console' + path);
  await page.waitForTimeout(1500);
  const name = `/tmp/shots/${path.replaceAll(/\W+/g, '_')}-${colorScheme}-${width}.png`;
  await page.screenshot({ path: name, fullPage: true });
  let axe = 'axe ok';
  try { await expectAccessible(page); } catch (e) { axe = String((e as Error).message).slice(0, 1500); }
  console.log(name, axe);
}
console.log('faults', opened.faults);
await opened.close();
process.exit(0);
