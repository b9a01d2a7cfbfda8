/** Logged-in users of the console. */
import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions, Page } from '@playwright/test';
import type { UserModel } from '../../db/models/user.ts';
import { send } from './api.ts';
import { openPage, useTab, type TestPage } from './browser.ts';
import { createLogin, createUser, says } from './factories.ts';
import { useSharedService, type SharedService } from './shared-service.ts';
import { CONSOLE_COOKIE } from './sso-browser.ts';
import { addAssistant } from './started-service.ts';

const HOUR_MS = 3_600_000;

/** A page of a logged-in user. */
export interface LoggedInPage extends TestPage {
  /** An API token of the same account. */
  token: string;
}

export interface Visitor extends LoggedInPage {
  user: UserModel;
}

/** Opens an empty page for a new, logged-in user. test/console/login.test.ts uses the login page instead. */
export async function visit(api: { url: string }): Promise<Visitor> {
  const { user, token } = await createUser();
  return { ...(await openPageOf(api, user)), user, token };
}

/** Opens an empty page in another browser, for a user who is logged in there. */
export async function openPageOf(
  api: { url: string },
  user: UserModel,
  options?: BrowserContextOptions,
): Promise<TestPage> {
  const opened = await openPage(api.url, options);
  await logInTo(opened.page, api, user);
  return opened;
}

/** Logs a user in, for the next page that the tab opens. */
export async function logInTo(page: Page, api: { url: string }, user: UserModel): Promise<void> {
  const secret = randomUUID();
  await createLogin(user, { secret, expires_at: new Date(Date.now() + HOUR_MS) });
  await setCookie(page, api, secret);
}

const setCookie = (page: Page, api: { url: string }, value: string) =>
  page.context().addCookies([
    {
      name: CONSOLE_COOKIE,
      value,
      domain: new URL(api.url).hostname,
      path: '/',
      httpOnly: true,
      sameSite: 'Strict' as const,
    },
  ]);

/**
 * Gives each test its own visitor at the shared service, in the tab of its file. Destructure both only in tests and hooks.
 */
export function visitEachTest(): { service: SharedService; visitor: Visitor } {
  const service = useSharedService();
  return { service, visitor: visitInTab(() => service.api) };
}

/** Gives each test a new user who is logged in to the tab of the block. */
export function visitInTab(api: () => { url: string }): Visitor {
  const visitor = useTab(api) as Visitor;
  beforeEach(async () => {
    Object.assign(visitor, await createUser());
    await logInTo(visitor.page, api(), visitor.user);
  });
  return visitor;
}

/** Submits a conversation of one turn to a new assistant, as a program does. Returns the session's ID. */
export async function submitText(
  { api }: Pick<SharedService, 'api'>,
  { token }: Pick<LoggedInPage, 'token'>,
  text: string,
  webhook_url?: string,
): Promise<string> {
  const { id: assistant_id } = await addAssistant(api, token, webhook_url ? { webhook_url } : {});
  const body = { assistant_id, conversation: says(text) };
  return (await send(api, 'submitTextRequest', { token, body })).body.session_id;
}
