import * as account from '../../contract/account.ts';
import * as logins from '../../contract/logins.ts';
import * as ownData from '../../contract/account.ts';
import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, requireFound } from '../errors.ts';
import { requireScope } from '../guard/authenticate.ts';
import type { PresentLogin } from '../guard/authenticate.ts';
import { clearedConsoleCookie, consoleCookie } from '../guard/console-cookie.ts';
import type { PageFacts } from '../guard/console-cookie.ts';
import { DEFAULT_PAGE, handle, presentPage, Reply, requireMatch } from '../http/handle.ts';
import { deleteAccount } from '../workspaces/members.ts';
import { checkBudget } from './check-budget.ts';
import { createExportAccount } from './export-account.ts';
import { checkPassword, issueLogin, startLogin } from './log-in.ts';
import type { LoginClient } from './log-in.ts';
import { changePassword, passwordChanged, requirePassword } from './passwords.ts';
import { presentLogin, presentUser } from './present.ts';
import { registerUser } from './register-user.ts';

export const accountRoutes = (deps: ApiDeps) => [
  handle(account.register, async ({ body, ...client }) => {
    const user = await registerUser(deps, body, client.address);
    await deps.loginLimits.remember(user.email, client.address);
    return issueLogin(deps, user, client);
  }),

  handle(account.login, async ({ body, ...client }) =>
    issueLogin(deps, await checkPassword(deps, { ...body, address: client.address }), client),
  ),

  handle(account.getCurrentUser, async ({ userId, workspaceId }) =>
    presentUser(await UserModel.withBudget(workspaceId).findById(userId).throwIfNotFound()),
  ),

  handle(
    account.updateCurrentUser,
    async ({ body: { name, monthly_budget_usd }, headers, userId, workspaceId, ...caller }) => {
      if (monthly_budget_usd !== undefined) {
        requireScope(caller, 'budget:write', 'monthly_budget_usd');
        checkBudget(monthly_budget_usd, deps.config.budgets.maxUsd);
      }
      const changes = {
        ...(name !== undefined && { name }),
        ...(monthly_budget_usd !== undefined && { monthly_budget_usd }),
      };
      const user = await UserModel.change({ userId, workspaceId }, (row) => {
        requireMatch(headers['if-match'], account.getCurrentUser, presentUser(row));
        return changes;
      });
      if (!user) throw new ApiError('unauthorized', 'This account is deleted.');
      return presentUser(user);
    },
  ),

  handle(account.changePassword, async ({ body, userId, login, ...client }) => {
    const isConsole = login?.kind === 'console';
    const keptLogin = isConsole ? login.id : undefined;
    const user = await changePassword(deps, { userId, keptLogin, address: client.address, ...body });
    // The console's cookie stays valid. Scripts could read a token in the response.
    return isConsole ? new Reply(undefined, { status: 204 }) : issueLogin(deps, user, client);
  }),

  handle(ownData.exportCurrentUser, createExportAccount(deps)),

  // A sweep removes the data of the workspaces that are deleted with the account.
  handle(ownData.deleteCurrentUser, async ({ body, userId, address, login }) => {
    const user = await requirePassword(deps, { ...body, userId, address });
    if (!(await deleteAccount(user))) throw passwordChanged();
    return new Reply(undefined, { headers: login?.kind === 'console' ? clearedConsoleCookie : {} });
  }),

  handle(logins.openConsoleSession, async ({ body, page, ...client }) => {
    requireCookiePage(page);
    return replyWithCookie(await checkPassword(deps, { ...body, address: client.address }), client);
  }),

  handle(logins.registerInConsole, async ({ body, page, ...client }) => {
    requireCookiePage(page);
    const user = await registerUser(deps, body, client.address);
    await deps.loginLimits.remember(user.email, client.address);
    return replyWithCookie(user, client);
  }),

  handle(logins.getConsoleSession, async ({ userId, workspaceId, login }) => {
    const { id } = requireConsole(login);
    const [user, row] = await Promise.all([
      UserModel.withBudget(workspaceId).findById(userId),
      LoginModel.findOwned(userId, id),
    ]);
    return { user: presentUser(user as UserModel), login: presentLogin(row as LoginModel, id) };
  }),

  handle(logins.closeConsoleSession, async ({ userId, login }) => {
    await LoginModel.endOwned(userId, requireConsole(login).id);
    return new Reply(undefined, { headers: clearedConsoleCookie });
  }),

  handle(logins.logOut, async ({ userId, login }) => {
    if (!login) throw new ApiError('conflict', 'This is an API token, not a login. Revoke it at /v1/keys/{key_id}.');
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

async function replyWithCookie(user: UserModel, client: LoginClient) {
  const { secret } = await startLogin(user, 'console', client);
  return new Reply({ user: presentUser(user) }, { headers: consoleCookie(secret) });
}

/**
 * Refuses pages that cannot receive the cookie. Browsers silently drop a `Secure` cookie sent over plain HTTP, so every
 * login would seem to fail.
 */
function requireCookiePage({ isOwn, keepsSecureCookies }: PageFacts): void {
  if (isOwn === false) {
    throw new ApiError('insecure_origin', 'Only the console at the origin of this API can log in this way.');
  }
  if (!keepsSecureCookies) {
    const detail = 'Open the console over HTTPS, or at a loopback address such as http://127.0.0.1:3000.';
    throw new ApiError('insecure_origin', detail);
  }
}

function requireConsole(login: PresentLogin | undefined): PresentLogin {
  if (login?.kind === 'console') return login;
  throw new ApiError('not_found', "This request does not have the console's cookie.");
}
