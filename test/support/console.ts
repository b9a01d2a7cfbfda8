/** A person at the console, who has programs of their own too. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { CONSOLE_COOKIE } from '../../api/guard/console-cookie.ts';
import { openConsoleSession } from '../../contract/logins.ts';
import type { UserModel } from '../../db/models/user.ts';
import { send } from './api.ts';
import { openPage } from './browser.ts';
import type { TestPage } from './browser.ts';
import { createLogin, createUser } from './factories.ts';
import { useSharedService } from './shared-service.ts';
import type { SharedService } from './shared-service.ts';
import { register } from './started-service.ts';

const HOUR_MS = 3_600_000;

/** A page of somebody who is logged in. */
export interface LoggedInPage extends TestPage {
  /** Of the same account, for what programs do meanwhile. */
  token: string;
}

export interface Visitor extends LoggedInPage {
  user: UserModel;
}

/** Opens an empty page for a new user who is logged in: test/console/door.test.ts goes by the login's own page. */
export async function visit(api: { url: string }): Promise<Visitor> {
  const { user, token } = await createUser();
  return { ...(await openPageOf(api, user)), user, token };
}

/** Opens an empty page in another browser, for a user who is logged in there. */
export async function openPageOf(api: { url: string }, user: UserModel): Promise<TestPage> {
  const secret = randomUUID();
  await createLogin(user, { secret, expires_at: new Date(Date.now() + HOUR_MS) });
  return openPageWith(api, secret);
}

/** Does the same by the API, where the database is not this process's. */
export async function visitByApi(api: { url: string }): Promise<LoggedInPage> {
  const { token, email, password } = await register(api);
  const { headers } = await send(api, openConsoleSession, { body: { email, password } });
  const [, secret = ''] = /=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? [];
  return { ...(await openPageWith(api, secret)), token };
}

async function openPageWith(api: { url: string }, secret: string): Promise<TestPage> {
  const opened = await openPage(api.url);
  const of = {
    domain: new URL(api.url).hostname,
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Strict' as const,
  };
  await opened.page.context().addCookies([{ name: CONSOLE_COOKIE, value: secret, ...of }]);
  return opened;
}

/**
 * Gives each test its own visitor at the shared service, and fails a test whose page has faults. Take both apart within
 * tests and hooks only.
 */
export function visitEachTest(): { service: SharedService; visitor: Visitor } {
  const service = useSharedService();
  const visitor = {} as Visitor;
  beforeEach(async () => {
    Object.assign(visitor, await visit(service.api));
  });
  afterEach(async () => {
    await visitor.close();
    expect(visitor.faults).to.deep.equal([]);
  });
  return { service, visitor };
}
