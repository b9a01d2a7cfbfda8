/** A person at the console, who has programs of their own too. */
import type { Page } from '@playwright/test';
import { awaitFrame, expectLocator, openPage } from './browser.ts';
import type { TestPage } from './browser.ts';
import { register } from './started-service.ts';

export interface Visitor extends TestPage {
  email: string;
  password: string;
  /** Of the same account, for what programs do meanwhile. */
  token: string;
}

/** Opens the console for a new account that is logged in. */
export async function visit(api: { url: string }): Promise<Visitor> {
  const { token, email, password } = await register(api);
  const opened = await openPage(api.url);
  await opened.page.goto('/console/login?next=/system');
  await opened.page.getByLabel('E-mail').fill(email);
  await opened.page.getByLabel('Password').fill(password);
  await opened.page.getByRole('button', { name: 'Log in' }).click();
  await expectLocator(opened.page.getByRole('heading', { name: 'System', level: 1 })).toBeVisible();
  return { ...opened, token, email, password };
}

/** Returns the milliseconds from the beginning of a navigation to the frame in which the condition, an expression, holds. */
export async function timeNavigation(page: Page, path: string, condition: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(path, { waitUntil: 'commit' });
  return awaitFrame(page, condition);
}
