import {
  closeConsoleSession,
  endLogin,
  getConsoleSession,
  listLogins,
  logOut,
  openConsoleSession,
  registerInConsole,
} from '../../contract/logins.ts';
import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import { checkPassword, startLogin } from '../commands/log-in.ts';
import type { LoginClient } from '../commands/log-in.ts';
import { registerUser } from '../commands/register-user.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import type { PresentLogin } from '../http/authenticate.ts';
import { clearedConsoleCookie, consoleCookie } from '../http/console-cookie.ts';
import { handle, Reply } from '../http/handle.ts';
import type { PageFacts } from '../http/page-facts.ts';
import { presentLogin } from '../presenters/login.ts';
import { presentUser } from '../presenters/user.ts';

const DEFAULT_PAGE = 50;

export const loginRoutes = (deps: ApiDeps) => [
  handle(openConsoleSession, async ({ body, page, ...client }) => {
    requireCookiePage(page);
    return replyWithCookie(await checkPassword(deps, { ...body, address: client.address }), client);
  }),

  handle(registerInConsole, async ({ body, page, ...client }) => {
    requireCookiePage(page);
    const user = await registerUser(deps, body);
    await deps.loginLimits.remember(user.email, client.address);
    return replyWithCookie(user, client);
  }),

  handle(getConsoleSession, async ({ userId, login }) => {
    const { id } = requireConsole(login);
    const [user, row] = await Promise.all([UserModel.query().findById(userId), LoginModel.findOwned(userId, id)]);
    return { user: presentUser(user as UserModel), login: presentLogin(row as LoginModel, id) };
  }),

  handle(closeConsoleSession, async ({ userId, login }) => {
    await LoginModel.endOwned(userId, requireConsole(login).id);
    return new Reply(undefined, { headers: clearedConsoleCookie });
  }),

  handle(logOut, async ({ userId, login }) => {
    if (!login) throw new ApiError('conflict', 'This is an API token and no login. Revoke it at /v1/keys/{key_id}.');
    await LoginModel.endOwned(userId, login.id);
    return new Reply(undefined, { headers: login.kind === 'console' ? clearedConsoleCookie : {} });
  }),

  handle(listLogins, async ({ query: { limit = DEFAULT_PAGE, cursor }, userId, login }) => {
    const { rows, next_cursor } = await LoginModel.findOwnedPage(userId, { limit, cursor });
    return { data: rows.map((row) => presentLogin(row, login?.id)), next_cursor };
  }),

  handle(endLogin, async ({ params, userId }) => {
    const isEnded = await LoginModel.endOwned(userId, params.login_id);
    if (!isEnded) throw new ApiError('not_found', 'No login of yours has this id.');
  }),
];

async function replyWithCookie(user: UserModel, client: LoginClient) {
  const { secret } = await startLogin(user, 'console', client);
  return new Reply({ user: presentUser(user) }, { headers: consoleCookie(secret) });
}

/**
 * Refuses a page to which no cookie can be given: a browser drops a `Secure` cookie that comes over plain HTTP, and
 * says nothing, so the person would log in for ever.
 */
function requireCookiePage({ isOwn, keepsSecureCookies }: PageFacts): void {
  if (isOwn === false) {
    throw new ApiError('insecure_origin', 'Only the console, at the origin of this API, can log in like this.');
  }
  if (!keepsSecureCookies) {
    const detail = 'Open the console over HTTPS, or at a loopback address such as http://127.0.0.1:3000.';
    throw new ApiError('insecure_origin', detail);
  }
}

function requireConsole(login: PresentLogin | undefined): PresentLogin {
  if (login?.kind === 'console') return login;
  throw new ApiError('not_found', "This request does not come with the console's cookie.");
}
