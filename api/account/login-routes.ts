import * as logins from '../../contract/account/logins.ts';
import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal, requireFound } from '../errors.ts';
import type { PresentLogin } from '../guard/authenticate.ts';
import { clearedConsoleCookie, consoleCookie, type PageFacts } from '../guard/console-cookie.ts';
import { DEFAULT_PAGE, handle, presentPage } from '../http/handle.ts';
import { Reply } from '../reply.ts';
import { logInWithPassword, startLogin, type Authenticated, type LoginClient } from './log-in.ts';
import { presentLogin, presentUser } from './present.ts';
import { registerUser } from './register-user.ts';

export const loginRoutes = (deps: ApiDeps) => [
  handle(logins.openConsoleSession, async ({ body, page, ...client }) => {
    requireCookiePage(page);
    return replyWithCookie(await logInWithPassword(deps, { ...body, address: client.address }), client);
  }),

  handle(logins.registerInConsole, async ({ body, page, ...client }) => {
    requireCookiePage(page);
    const user = await registerUser(deps, body, client.address);
    await deps.loginLimits.remember(user.email, client.address);
    return replyWithCookie({ user, isStrong: false }, client);
  }),

  handle(logins.getConsoleSession, async ({ userId, workspaceId, login }) => {
    const { id } = requireConsole(login);
    const [user, row] = await Promise.all([
      UserModel.withDetails(workspaceId).findById(userId),
      LoginModel.findOwned(userId, id),
    ]);
    return { user: presentUser(user as UserModel), login: presentLogin(row as LoginModel, id) };
  }),

  handle(logins.closeConsoleSession, async ({ userId, login }) => {
    await LoginModel.endOwned(userId, requireConsole(login).id);
    return new Reply(undefined, { headers: clearedConsoleCookie });
  }),

  handle(logins.logOut, async ({ userId, login }) => {
    if (!login) throw refusal('not_a_login', { key_id: '{key_id}' });
    await LoginModel.endOwned(userId, login.id);
    return new Reply(undefined, { headers: login.kind === 'console' ? clearedConsoleCookie : {} });
  }),

  handle(logins.listLogins, async ({ query: { limit = DEFAULT_PAGE, cursor }, userId, login }) =>
    presentPage(await LoginModel.findOwnedPage(userId, { limit, cursor }), (row) => presentLogin(row, login?.id)),
  ),

  handle(logins.endLogin, async ({ params, userId }) => {
    const isEnded = await LoginModel.endOwned(userId, params.login_id);
    requireFound(isEnded, 'login');
  }),
];

async function replyWithCookie(person: Authenticated, client: LoginClient) {
  const { secret } = await startLogin(person, 'console', client);
  return new Reply({ user: presentUser(person.user) }, { headers: consoleCookie(secret) });
}

/**
 * Refuses pages that cannot receive the cookie. Browsers silently drop a `Secure` cookie sent over plain HTTP, so every
 * login would seem to fail.
 */
export function requireCookiePage({ isOwn, keepsCookies }: PageFacts): void {
  if (isOwn === false) throw refusal('other_origin');
  if (!keepsCookies) throw refusal('needs_https');
}

function requireConsole(login: PresentLogin | undefined): PresentLogin {
  if (login?.kind === 'console') return login;
  throw refusal('no_console_login');
}
