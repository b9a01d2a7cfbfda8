import * as account from '../../contract/account.ts';
import * as logins from '../../contract/logins.ts';
import * as ownData from '../../contract/account.ts';
import { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import { markUserDeleted } from '../../db/queries/deleted-users.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid, requireFound } from '../errors.ts';
import { hasScope, insufficientScope } from '../guard/authenticate.ts';
import type { PresentLogin } from '../guard/authenticate.ts';
import { clearedConsoleCookie, consoleCookie } from '../guard/console-cookie.ts';
import type { PageFacts } from '../guard/console-cookie.ts';
import { DEFAULT_PAGE, handle, presentPage, Reply, requireMatch } from '../http/handle.ts';
import { createExportAccount } from './export-account.ts';
import { checkCredentials, issueLogin, startLogin } from './log-in.ts';
import type { Authenticated, LoginClient } from './log-in.ts';
import { changePassword, passwordChanged, requirePassword } from './passwords.ts';
import { presentLogin, presentUser } from './present.ts';
import { notify } from './recovery.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { registerUser } from './register-user.ts';

export const accountRoutes = (deps: ApiDeps) => [
  ...recoveryRoutes(deps),
  ...secondFactorRoutes(deps),

  handle(account.register, async ({ body, ...client }) => {
    const user = await registerUser(deps, body);
    await deps.loginLimits.remember(user.email, client.address);
    return issueLogin(deps, { user, isStrong: false }, client);
  }),

  handle(account.login, async ({ body, ...client }) =>
    issueLogin(deps, await checkCredentials(deps, { ...body, address: client.address }), client),
  ),

  handle(account.getCurrentUser, async ({ userId }) =>
    presentUser(await UserModel.withDetails().findById(userId).throwIfNotFound()),
  ),

  handle(account.updateCurrentUser, async ({ body: { name, monthly_budget_usd }, headers, userId, key }) => {
    if (monthly_budget_usd !== undefined) {
      if (!hasScope({ key }, 'budget:write')) throw insufficientScope('budget:write');
      checkBudget(monthly_budget_usd, deps.config.budgets.maxUsd);
    }
    const changes = {
      ...(name !== undefined && { name }),
      ...(monthly_budget_usd !== undefined && { monthly_budget_usd }),
    };
    const user = await UserModel.change(userId, (row) => {
      requireMatch(headers['if-match'], account.getCurrentUser, presentUser(row));
      return changes;
    });
    if (!user) throw new ApiError('unauthorized', 'This account is deleted.');
    return presentUser(user);
  }),

  handle(account.changePassword, async ({ body, userId, login, ...client }) => {
    const isConsole = login?.kind === 'console';
    const keptLogin = isConsole ? login.id : undefined;
    const user = await changePassword(deps, { userId, keptLogin, address: client.address, ...body });
    notify(deps, user, 'The password of your account was changed.');
    // The console's cookie stays valid. Scripts could read a token in the response.
    return isConsole
      ? new Reply(undefined, { status: 204 })
      : issueLogin(deps, { user, isStrong: login?.isStrong ?? false }, client);
  }),

  handle(ownData.exportCurrentUser, createExportAccount(deps)),

  // From now on the account's requests are refused and its work stops. A sweep removes its data.
  handle(ownData.deleteCurrentUser, async ({ body, userId, address, login }) => {
    const user = await requirePassword(deps, { ...body, userId, address });
    if (!(await markUserDeleted(user))) throw passwordChanged();
    return new Reply(undefined, { headers: login?.kind === 'console' ? clearedConsoleCookie : {} });
  }),

  handle(logins.openConsoleSession, async ({ body, page, ...client }) => {
    requireCookiePage(page);
    return replyWithCookie(await checkCredentials(deps, { ...body, address: client.address }), client);
  }),

  handle(logins.registerInConsole, async ({ body, page, ...client }) => {
    requireCookiePage(page);
    const user = await registerUser(deps, body);
    await deps.loginLimits.remember(user.email, client.address);
    return replyWithCookie({ user, isStrong: false }, client);
  }),

  handle(logins.getConsoleSession, async ({ userId, login }) => {
    const { id } = requireConsole(login);
    const [user, row] = await Promise.all([UserModel.withDetails().findById(userId), LoginModel.findOwned(userId, id)]);
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

function checkBudget(budget: number | null, maxUsd: number | null): void {
  if (maxUsd === null || (budget !== null && budget <= maxUsd)) return;
  const message = `must be at most ${maxUsd}, the MAX_MONTHLY_BUDGET_USD of this server`;
  throw invalid({ path: 'monthly_budget_usd', message });
}

async function replyWithCookie(person: Authenticated, client: LoginClient) {
  const { secret } = await startLogin(person, 'console', client);
  return new Reply({ user: presentUser(person.user) }, { headers: consoleCookie(secret) });
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
