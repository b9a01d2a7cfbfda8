/** A person at the console, who has programs of their own too. */
import type { Page } from '@playwright/test';
import { openConsoleSession } from '../../contract/logins.ts';
import { send } from './api.ts';
import { awaitFrame, openPage } from './browser.ts';
import type { TestPage } from './browser.ts';
import { register } from './started-service.ts';

export interface Visitor extends TestPage {
  email: string;
  password: string;
  /** Of the same account, for what programs do meanwhile. */
  token: string;
}

/** Opens an empty page for a new account that is logged in: test/console/door.test.ts goes by the login's own page. */
export async function visit(api: { url: string }): Promise<Visitor> {
  const { token, email, password } = await register(api);
  const { headers } = await send(api, openConsoleSession, { body: { email, password } });
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? [];
  const opened = await openPage(api.url);
  const of = { domain: new URL(api.url).hostname, path: '/' };
  await opened.page.context().addCookies([{ name, value, ...of, secure: true, httpOnly: true, sameSite: 'Strict' }]);
  return { ...opened, token, email, password };
}

/** Returns the milliseconds from the beginning of a navigation to the frame in which the condition, an expression, holds. */
export async function timeNavigation(page: Page, path: string, condition: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(path, { waitUntil: 'commit' });
  return awaitFrame(page, condition);
}
